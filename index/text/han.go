package text

import (
	_ "embed"
	"sort"
	"unicode"
)

// The block of nearly all Han characters in use; it has dense tables.
const (
	hanFirst = 0x4E00
	hanLast  = 0x9FFF
	hanCount = hanLast - hanFirst + 1
)

// hanTable folds single Han characters. Each character of the dense block has two
// bytes, little-endian: its simplified form or 0. Other characters follow as sorted
// records of six bytes, source and target.
//
//go:embed data/han.bin
var hanTable string

// Han reports whether r is a Chinese character, in any of its blocks, also 々 and 〇.
func Han(r rune) bool {
	if r >= hanFirst && r <= hanLast {
		return true
	}
	return r > 0x2E7F && unicode.Is(unicode.Han, r)
}

// CJK reports whether r belongs to a script without spaces between words, or whose
// words are found by their characters: Han, kana, Hangul. Grams consist of these.
func CJK(r rune) bool { return Han(r) || kana(r) || hangul(r) }

func kana(r rune) bool {
	return r >= 0x3041 && r <= 0x30FF && r != '゠' && r != '・' || r >= 0x31F0 && r <= 0x31FF
}

func hangul(r rune) bool {
	return r >= 0xAC00 && r <= 0xD7A3 || r >= 0x1100 && r <= 0x11FF || r >= 0x3131 && r <= 0x318E
}

// simplify returns the simplified form of a Han character, or r itself.
func simplify(r rune) rune {
	if r >= hanFirst && r <= hanLast {
		if to := le16(hanTable, 2*int(r-hanFirst)); to != 0 {
			return rune(to)
		}
		return r
	}
	if r < 0x3400 {
		return r
	}
	rest := hanTable[2*hanCount:]
	n := len(rest) / 6
	i := sort.Search(n, func(i int) bool { return rune(le24(rest, 6*i)) >= r })
	if i < n && rune(le24(rest, 6*i)) == r {
		return rune(le24(rest, 6*i+3))
	}
	return r
}

func le16(s string, at int) int { return int(s[at]) | int(s[at+1])<<8 }

func le24(s string, at int) int { return int(s[at]) | int(s[at+1])<<8 | int(s[at+2])<<16 }
