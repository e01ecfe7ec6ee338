package clean

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TabWidth is how far apart tab stops are in wrapped text, in cells.
const TabWidth = 4

// Width returns how many terminal cells one cleaned line takes: grapheme
// clusters count once, Chinese and emoji two cells, SGR sequences nothing.
// Newlines and tabs count nothing; Wrap and Line leave none.
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

// Truncate cuts one cleaned line to at most width cells and ends it in tail
// when something was cut; a tail that does not fit is left out. It cuts between
// grapheme clusters and keeps SGR sequences whole, so that styles still end.
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

// cluster returns the length in bytes and the width in cells of the grapheme
// cluster that s starts with. s must not be empty.
func cluster(s string) (size, width int) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		if s[0] < ' ' || s[0] == 0x7f {
			return 1, 0
		}
		return 1, 1
	}
	c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	size, width = len(c), w
	// Some spacing marks, U+102B among them, begin a cluster by the letter of the
	// rules (UAX 29); at the start of a line they would stand on nothing.
	for s[0] > ' ' && size < len(s) {
		if r, _ := utf8.DecodeRuneInString(s[size:]); !unicode.Is(unicode.M, r) {
			break
		}
		c, w = ansi.FirstGraphemeCluster(s[size:], ansi.GraphemeWidth)
		size, width = size+len(c), width+w
	}
	return size, width
}
