package classify

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

const (
	maxTokens = 200 // of a text; the beginning of a long message shows its class
	longest   = 3   // tokens or groups of a feature
	maxPairs  = 24  // groups of a text of which all pairs are features
)

// Features returns the features of a text, each once: its runs of one to three tokens, the runs that it begins with
// (after "^") and ends with (before "$"), runs and pairs of the groups that a lexicon has for its words, and the order
// of its length. A token is a word, a Chinese character, a punctuation mark or the end of a line, folded; the digits of a
// number are all 0. The lexicon may be nil.
func Features(s string, l *Lexicon) []string {
	tokens := tokens(s)
	seen := map[string]bool{}
	var out []string
	add := func(f string) {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	runs := func(of []string) {
		for i := range of {
			for n := 1; n <= longest && i+n <= len(of); n++ {
				add(strings.Join(of[i:i+n], " "))
			}
		}
	}
	runs(tokens)
	for n := 1; n <= min(longest, len(tokens)); n++ {
		add("^ " + strings.Join(tokens[:n], " "))
	}
	if n := len(tokens); n > 0 {
		add(tokens[n-1] + " $")
	}
	outline := l.outline(tokens)
	runs(outline)
	for i, a := range outline[:min(len(outline), maxPairs)] {
		for _, b := range outline[i+1 : min(len(outline), maxPairs)] {
			add(a + " & " + b)
		}
	}
	add("#" + strings.Repeat("*", bits.Len(uint(len(tokens)))))
	return out
}

// lineEnd is the token of the end of a line.
const lineEnd = "¶"

// isMark reports whether a token is a punctuation mark or another sign.
func isMark(token string) bool {
	r, size := utf8.DecodeRuneInString(token)
	return size == len(token) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func tokens(s string) (out []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	for _, r := range text.Fold(s) {
		if len(out) >= maxTokens {
			break
		}
		switch {
		case text.CJK(r):
			end()
			out = append(out, string(r))
		case unicode.IsDigit(r):
			word.WriteByte('0')
		case unicode.IsLetter(r):
			word.WriteRune(r)
		case r == '\'' || r == '’':
		case r == '\n':
			end()
			out = append(out, lineEnd)
		case unicode.IsSpace(r):
			end()
		default:
			end()
			out = append(out, string(r))
		}
	}
	end()
	return out
}
