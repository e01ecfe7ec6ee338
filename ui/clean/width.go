package clean

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TabWidth is the distance between tab stops in wrapped text, in cells.
const TabWidth = 4

// Width returns the number of terminal cells of one cleaned line. A grapheme cluster
// counts once, Chinese and emoji two cells, SGR sequences nothing. Newlines and tabs
// count nothing; Wrap and Line leave none.
func Width(s string) int {
	if n := plainPrefix(s); n == len(s) {
		for i := 0; i < len(s); i++ {
			if s[i] < ' ' {
				n--
			}
		}
		return n
	}
	return ansi.StringWidth(s)
}

// Truncate cuts one cleaned line to at most width cells and appends tail if it was cut.
// A tail that does not fit is omitted. Truncate cuts between grapheme clusters and
// keeps SGR sequences, so that styles still end.
func Truncate(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if Width(s) <= width {
		return s
	}
	if Width(tail) > width {
		tail = ""
	}
	return ansi.Truncate(s, width, tail)
}

// cluster returns the length in bytes and the width in cells of the first grapheme
// cluster of s, which must not be empty.
func cluster(s string) (size, width int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		if s[0] < ' ' || s[0] == 0x7f {
			return 1, 0
		}
		return 1, 1
	}
	c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	size, width = len(c), w
	// By the letter of UAX 29, some spacing marks such as U+102B begin a cluster; at
	// the start of a line they would have no base.
	for s[0] > ' ' && size < len(s) {
		if r, _ := utf8.DecodeRuneInString(s[size:]); !unicode.Is(unicode.M, r) {
			break
		}
		c, w = ansi.FirstGraphemeCluster(s[size:], ansi.GraphemeWidth)
		size, width = size+len(c), width+w
	}
	return size, width
}
