package learning

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible removes invisible characters from a text: zero-width and bidirectional
// characters, tags, selectors and controls. Characters hidden in held text must not
// become part of what the user accepts. at maps byte i of out to its byte in s, with an
// extra entry for the end.
func visible(s string) (out string, at []int) {
	var b strings.Builder
	b.Grow(len(s))
	at = make([]int, 0, len(s)+1)
	for i, r := range s {
		_, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unseen(r):
			continue
		case r == utf8.RuneError && n == 1: // an incomplete character at a cut
			b.WriteByte('?')
		default:
			b.WriteString(s[i : i+n])
		}
		for k := range n {
			at = append(at, i+k)
		}
	}
	return b.String(), append(at, len(s))
}

func unseen(r rune) bool {
	if r < utf8.RuneSelf {
		return unicode.IsControl(r) && !unicode.IsSpace(r)
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		unicode.IsControl(r) && !unicode.IsSpace(r)
}
