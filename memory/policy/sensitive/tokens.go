package sensitive

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// A token is a word, a number, one Chinese character or one sign of a text.
type token struct {
	word   string // folded
	lo, hi int    // bytes in the text
	kind   kind
}

type kind byte

const (
	isWord kind = iota
	isHan
	isNumber
	isSign
	isStop // ends a clause
	isLast // ends a sentence
)

// tokens splits a text. Apostrophes and hyphens only separate words.
func tokens(s string) []token {
	out := make([]token, 0, len(s)/4)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		end := i + size
		t := token{lo: i}
		switch {
		case text.Han(r):
			t.kind = isHan
		case unicode.IsDigit(r):
			t.kind, end = isNumber, numberEnd(s, i)
		case unicode.IsLetter(r):
			t.kind, end = isWord, wordEnd(s, i)
		case strings.ContainsRune("\n.!?;。！？；…", r):
			t.kind = isLast
		case r == ',' || r == '，':
			t.kind = isStop
		case unicode.IsSpace(r) || unicode.Is(unicode.M, r) || strings.ContainsRune("'’‘`-‐‑–\u200b", r):
			i = end
			continue
		default:
			t.kind = isSign
		}
		t.hi, t.word = end, text.Fold(s[i:end])
		out = append(out, t)
		i = end
	}
	return out
}

// numberEnd returns the end of the number at byte i; a comma or point between digits belongs to it, and
// letters may follow ("12k", "9th").
func numberEnd(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		inside := (r == ',' || r == '.') && unicode.IsDigit(next)
		if !inside && !unicode.IsDigit(r) && (!unicode.IsLetter(r) || text.Han(r)) {
			break
		}
		i += size
	}
	return i
}

func wordEnd(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if text.Han(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			break
		}
		i += size
	}
	return i
}

// numeral reports whether a token is a number, or a Chinese character for one.
func (t token) numeral() bool {
	const numerals = "零〇一二两三四五六七八九十百千万亿几"
	return t.kind == isNumber || t.kind == isHan && strings.Contains(numerals, t.word)
}
