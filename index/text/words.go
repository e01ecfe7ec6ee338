package text

import "strings"

// Words returns the terms of a text as an index stores and scores them, in order and
// with repeats, for counting. A token gives
//
//   - nothing, when it is a stop word;
//   - English: its stem (deployed, deploying, went → deploy, deploy, go), without a possessive 's;
//   - a compound: its letters without the joining marks, stemmed (e-mail → email, gpt-4.1 → gpt41), and its
//     parts of two letters or more (mail, gpt); C++ and the like: itself; an e-mail address, a path, a URL,
//     a compound of four parts or more: itself and its parts;
//   - a number: itself without separators of thousands, a date with hyphens (2026/01/28 → 2026-01-28);
//   - Chinese: itself and the dictionary's words in it (机器学习 → 机器学习, 机器, 学习); a name also its
//     given name and characters;
//   - Japanese and Korean: itself.
//
// Grams are for finding, Words for scoring.
func Words(s string) []string {
	var out []string
	for _, t := range Tokens(s) {
		if !t.stop() {
			out = t.forms(out)
		}
	}
	return out
}

// Grams returns every character of every Chinese, Japanese and Korean run, each
// followed by the pair that it begins: 写代码 → 写, 写代, 代, 代码, 码. A pair never
// crosses punctuation, white space or a letter of another script. Grams are folded,
// with stop words and repeats. To search by a message's meaningful characters only,
// join the Grams of its Keywords.
func Grams(s string) []string {
	var out []string
	var last rune // previous character of the same run
	eachFolded(s, func(r rune, _, _ int) {
		if !CJK(r) {
			last = 0
			return
		}
		if last != 0 {
			out = append(out, string([]rune{last, r}))
		}
		out = append(out, string(r))
		last = r
	})
	return out
}

// stop reports whether a token is a stop word, or a compound of only stop words
// (and/or).
func (t Token) stop() bool {
	if t.Kind == Number {
		return false
	}
	if stopFolded(t.Text) {
		return true
	}
	if t.Kind != Word || !strings.ContainsAny(t.Text, "-./_&") || strings.HasPrefix(t.Text, ".") {
		return false
	}
	for _, part := range parts(t.Text) {
		if !stopFolded(part) {
			return false
		}
	}
	return true
}

// forms appends the Words of a token.
func (t Token) forms(out []string) []string {
	switch t.Kind {
	case Chinese:
		out = append(out, t.Text)
		if word := []rune(t.Text); len(word) > 1 {
			for _, sub := range subWords(word) {
				if !stopFolded(sub) {
					out = append(out, sub)
				}
			}
		}
		return out
	case Number:
		return append(out, strings.ReplaceAll(strings.ReplaceAll(t.Text, ",", ""), "/", "-"))
	case Word:
		return wordForms(out, t.Text)
	default:
		return append(out, t.Text)
	}
}

func wordForms(out []string, word string) []string {
	word = possessive(word)
	if !strings.ContainsFunc(word, func(r rune) bool { return !letter(r) }) {
		return append(out, stem(word))
	}
	pieces := parts(word)
	switch {
	case strings.HasSuffix(word, "+") || strings.HasSuffix(word, "#"):
		if len(pieces) < 2 {
			return append(out, word)
		}
		out = append(out, word)
	case strings.HasPrefix(word, "."), len(pieces) > 3, strings.ContainsAny(word, "@/"):
		out = append(out, word)
	default:
		out = append(out, stem(strings.Join(pieces, "")))
		if len(pieces) == 1 {
			return out
		}
	}
	for _, p := range pieces {
		if len(p) > 1 && !stopFolded(p) {
			out = append(out, stem(p))
		}
	}
	return out
}

// parts returns the letters and digits between the marks of a compound.
func parts(word string) []string {
	return strings.FieldsFunc(word, func(r rune) bool { return !letter(r) })
}

// possessive removes an English possessive: john's.
func possessive(word string) string {
	if base, ok := strings.CutSuffix(word, "'s"); ok && base != "" {
		return base
	}
	return word
}
