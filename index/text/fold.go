package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold normalises s for comparison in searches (R3a): compatibility forms unified
// (NFKC), lower case, Latin, Greek and Cyrillic letters without accents, traditional
// Chinese characters simplified, curly apostrophes and unusual hyphens plain, invisible
// characters removed. It is for searching only: text is stored and shown as written.
// Fold is idempotent; bytes that are not UTF-8 become U+FFFD.
func Fold(s string) string {
	for range 4 {
		folded, settled := foldOnce(s)
		if settled {
			return folded
		}
		s = folded
	}
	return s
}

// foldOnce is one pass of Fold. settled reports that a further pass would change
// nothing. Only text that needs normalising can need one: removing an invisible
// character may let its neighbours combine.
func foldOnce(s string) (folded string, settled bool) {
	var b strings.Builder
	b.Grow(len(s))
	settled = eachFolded(s, func(r rune, _, _ int) { b.WriteRune(r) })
	folded = b.String()
	return folded, settled || folded == s
}

// eachFolded calls emit for every rune of the folded text with its source bytes [start,
// end) in s. Several runes can have the same source. It reports whether the fast path
// sufficed.
func eachFolded(s string, emit func(r rune, start, end int)) (quick bool) {
	quick = true
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			emit(rune(c), i, i+1)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if to, ok := foldQuick(r); ok {
			emit(to, i, i+size)
			i += size
			continue
		}
		quick = false
		end := slowRun(s, i)
		for i < end {
			n := norm.NFKC.NextBoundaryInString(s[i:end], true)
			for _, to := range foldSlow(s[i : i+n]) {
				emit(to, i, i+n)
			}
			i += n
		}
	}
	return quick
}

// foldQuick folds the characters that normalisation leaves alone, or maps one to one,
// regardless of context.
func foldQuick(r rune) (rune, bool) {
	switch {
	case r >= hanFirst && r <= hanLast:
		return simplify(r), true
	case r >= 0x3001 && r <= 0x3020: // CJK punctuation
		return r, true
	case r == 0x3000: // ideographic space
		return ' ', true
	case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
		return unicode.ToLower(r - 0xFEE0), true
	case r == '‘' || r == '’':
		return '\'', true
	case r == '‐' || r == '‑' || r == '−':
		return '-', true
	case r == '—' || r == '“' || r == '”' || r == utf8.RuneError:
		return r, true
	}
	return r, false
}

// slowRun returns the end of the run of characters at i that need normalising.
func slowRun(s string, i int) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[i:])
		if _, ok := foldQuick(r); ok {
			break
		}
		i += size
	}
	return i
}

// foldSlow folds one normalisation segment: decompose, drop ignored marks, compose
// again.
func foldSlow(segment string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(segment) {
		if ignorable(r) || accent(r) {
			continue
		}
		if plain, ok := plainLetter(r); ok {
			b.WriteString(plain)
			continue
		}
		if to, ok := foldQuick(r); ok {
			r = to
		}
		b.WriteRune(simplify(unicode.ToLower(unicode.ToUpper(r))))
	}
	return norm.NFKC.String(b.String())
}

// accent reports whether r is a mark that searches ignore. Voicing marks of kana and
// vowel signs of Indic scripts are not: they make other letters.
func accent(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF ||
		r >= 0x20D0 && r <= 0x20FF || r >= 0xFE20 && r <= 0xFE2F
}

// ignorable reports whether r is invisible and irrelevant to a search: soft hyphens,
// zero-width characters, direction marks, variation selectors, tags.
func ignorable(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0xFEFF:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// plainLetter spells out the Latin letters that have no decomposition in Unicode.
func plainLetter(r rune) (string, bool) {
	switch r {
	case 'ß', 'ẞ':
		return "ss", true
	case 'æ', 'Æ':
		return "ae", true
	case 'œ', 'Œ':
		return "oe", true
	case 'ø', 'Ø':
		return "o", true
	case 'ł', 'Ł':
		return "l", true
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d", true
	case 'þ', 'Þ':
		return "th", true
	case 'ħ', 'Ħ':
		return "h", true
	case 'ı':
		return "i", true
	case 'ʼ': // modifier letter apostrophe
		return "'", true
	}
	return "", false
}
