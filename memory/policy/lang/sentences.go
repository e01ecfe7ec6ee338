package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/pattern"
)

// Sentence is text[lo:hi] without its stop.
type Sentence struct {
	Lo, Hi   int
	Question bool // ends in a question mark
}

var (
	abbreviation = Form("abbreviation")
	bullet       = pattern.Regexp(`^\s*(?:[-*•·]|\d{1,2}[.)、])\s+`)
)

// SplitSentences splits at stops and line ends. A dot ends a sentence only before a blank and not after
// an abbreviation or an initial.
func SplitSentences(s string) []Sentence {
	var out []Sentence
	lo := 0
	cut := func(hi int, question bool) {
		if m := bullet.Find(s[lo:hi]); m != nil {
			lo += m[1]
		}
		if a, b := TrimBlank(s, lo, hi); a < b {
			out = append(out, Sentence{a, b, question})
		}
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !stopsAt(s, lo, i, r, size) {
			i += size
			continue
		}
		end := i
		question := false
		for i < len(s) {
			r, size = utf8.DecodeRuneInString(s[i:])
			if !strings.ContainsRune("\n.!?。~…", r) && r != ' ' || r == '.' && i > end && s[i-1] == ' ' {
				break
			}
			question = question || r == '?'
			i += size
		}
		cut(end, question)
		lo = i
	}
	cut(len(s), false)
	return out
}

func stopsAt(s string, lo, i int, r rune, size int) bool {
	switch r {
	case '\n', '!', '?', '。':
		return true
	case '.':
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		if i+size < len(s) && !unicode.IsSpace(next) && next != '.' && next != '"' && !text.Han(next) {
			return false
		}
		return !abbreviation.Match(s[max(lo, i-12):i])
	}
	return false
}

// TrimBlank returns the part of text[lo:hi] without the blanks around it.
func TrimBlank(s string, lo, hi int) (int, int) {
	const blank = " \t\n\r"
	for lo < hi && strings.IndexByte(blank, s[lo]) >= 0 {
		lo++
	}
	for hi > lo && strings.IndexByte(blank, s[hi-1]) >= 0 {
		hi--
	}
	return lo, hi
}
