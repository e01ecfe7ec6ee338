package frame

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// maxRead bounds the bytes read of a message.
const maxRead = 16 << 10

// clause is text[lo:hi] without surrounding blanks; stop is the character after it, 0 at the end.
type clause struct {
	lo, hi int
	stop   rune
}

const (
	stops    = ".!?。！？\n…"
	commas   = ",，;；:："
	closings = ` "'”’」』)）`
)

// clauses splits a text at stops and commas, except at a dot within a word or number.
func clauses(s string) (out []clause) {
	lo := 0
	cut := func(hi int, stop rune) {
		a, b := trimmed(s, lo, hi)
		if a < b {
			out = append(out, clause{a, b, stop})
		} else if n := len(out); n > 0 && stop != 0 && strings.ContainsRune(stops, stop) {
			out[n-1].stop = stop
		}
	}
	for i, r := range s {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError || !strings.ContainsRune(stops+commas, r) {
			continue
		}
		if strings.ContainsRune(".,:", r) && inWord(s, i) {
			continue
		}
		cut(i, r)
		lo = i + size
	}
	cut(len(s), 0)
	return out
}

// inWord reports whether no blank follows the character at i, as in "3.5" or "10:30".
func inWord(s string, i int) bool {
	next, _ := utf8.DecodeRuneInString(s[i+1:])
	return i+1 < len(s) && !unicode.IsSpace(next) && !text.Han(next) && !strings.ContainsRune(closings+stops+commas, next)
}

func trimmed(s string, lo, hi int) (int, int) {
	const blank = " \t\r\n\u3000\u00a0\"'“”‘’「」『』()（）*_-–—"
	hi = lo + len(strings.TrimRight(s[lo:hi], blank))
	lo = hi - len(strings.TrimLeft(s[lo:hi], blank))
	return lo, hi
}

// length counts words, and Chinese characters as half a word each.
func length(s string) int {
	han := 0
	for _, r := range s {
		if text.Han(r) {
			han++
		}
	}
	latin := strings.FieldsFunc(s, func(r rune) bool {
		return text.Han(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
	})
	return len(latin) + (han+1)/2
}
