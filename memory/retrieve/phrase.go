package retrieve

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// phrase is a table's form that is matched in a whole message and removed from it: see
// data/proof.txt.
type phrase struct {
	runes []rune // folded; the message may have spaces between Chinese characters
	last  bool   // $: it must end its clause
	asks  bool   // ?: the message must be a question
	whose string // see Wanted
}

// readPhrase parses one form of a table.
func readPhrase(form string) phrase {
	form = strings.TrimSpace(form)
	form, asks := strings.CutSuffix(form, "?")
	form, last := strings.CutSuffix(form, "$")
	return phrase{runes: []rune(text.Fold(strings.TrimSpace(form))), last: last, asks: asks}
}

// readPhrases parses the forms of a line.
func readPhrases(line string) (out []phrase) {
	for form := range strings.SplitSeq(line, "|") {
		if p := readPhrase(form); len(p.runes) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// particles may follow the end of a clause.
const particles = "吗嘛呢啊呀吧了呐哦呵的 "

// phrases maps forms by their first character, so that a message is scanned once.
type phrases map[rune][]phrase

func (all phrases) add(list ...phrase) {
	for _, p := range list {
		all[p.runes[0]] = append(all[p.runes[0]], p)
	}
}

// each calls found for every phrase in a folded message, with its byte range, until
// found returns false.
func (all phrases) each(said string, found func(p phrase, lo, hi int) bool) {
	before := ' '
	for lo, r := range said {
		if inWord(before) && inWord(r) {
			continue // in the middle of a word
		}
		before = r
		for _, p := range all[r] {
			if hi, ok := p.at(said, lo); ok && !found(p, lo, hi) {
				return
			}
		}
	}
}

// in reports whether a folded message contains one of the phrases.
func (all phrases) in(said string) (yes bool) {
	all.each(said, func(phrase, int, int) bool {
		yes = true
		return false
	})
	return yes
}

// at reports whether the phrase begins at byte lo, at a word boundary.
func (p phrase) at(said string, lo int) (hi int, ok bool) {
	chinese := text.CJK(p.runes[0])
	at := lo
	for i, want := range p.runes {
		r, n := utf8.DecodeRuneInString(said[at:])
		for chinese && i > 0 && r != want && unicode.IsSpace(r) {
			at += n
			r, n = utf8.DecodeRuneInString(said[at:])
		}
		if want == ' ' && unicode.IsSpace(r) {
			at += n
			for at < len(said) && (said[at] == ' ' || said[at] == '\t') {
				at++
			}
			continue
		}
		if r != want || n == 0 {
			return 0, false
		}
		at += n
	}
	after, _ := utf8.DecodeRuneInString(said[at:])
	if !chinese && at < len(said) && inWord(after) {
		return 0, false
	}
	return at, !p.last || endsClause(said[at:])
}

// inWord reports whether a character continues a Latin word.
func inWord(r rune) bool {
	return r != utf8.RuneError && !text.CJK(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'')
}

func endsClause(rest string) bool {
	rest = strings.TrimLeft(rest, particles)
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
