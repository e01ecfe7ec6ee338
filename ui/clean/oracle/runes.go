package oracle

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// maxMarks is the number of combining marks that one character carries in any language.
const maxMarks = 6

// joinless are the scripts that have no use for joiners; in them, joiners hide data.
var joinless = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Common,
}

// text is the state to the left of the next rune.
type text struct {
	prev      rune
	marks     int
	elsewhere bool // the cursor was moved, so the character to the left is unknown
}

// add takes the next rune, which is size bytes long, and returns its fault, or "".
func (t *text) add(r rune, size int, l Level) string {
	what := t.judge(r, size, l)
	if unicode.Is(unicode.M, r) {
		t.marks++
	} else {
		t.prev, t.marks = r, 0
	}
	t.elsewhere = t.elsewhere && (r == '\b' || r == '\r')
	return what
}

func (t *text) judge(r rune, size int, l Level) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "a byte that is not UTF-8"
	case r == '\n', r == '\t':
		return ""
	case l == Screen && (r == '\r' || r == '\b'): // how Bubble Tea moves the cursor
		return ""
	case unicode.Is(unicode.Cc, r):
		return fmt.Sprintf("the control %U", r)
	case r == 0x200c || r == 0x200d:
		if t.elsewhere || unicode.IsLetter(t.prev) && !unicode.In(t.prev, joinless...) {
			return ""
		}
		return fmt.Sprintf("the joiner %U after %U", r, t.prev)
	case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return fmt.Sprintf("%U, which is invisible", r)
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return fmt.Sprintf("the skin tone %U", r)
	case r < 0x20000 && !unicode.IsGraphic(r) && !unicode.Is(unicode.Co, r), r >= 0xe0000 && r < 0xf0000:
		return fmt.Sprintf("%U, which is not a character", r)
	case unicode.Is(unicode.M, r):
		return t.judgeMark(r)
	}
	return ""
}

func (t *text) judgeMark(r rune) string {
	switch {
	case t.elsewhere:
	case t.marks == maxMarks:
		return fmt.Sprintf("more than %d marks on %U", maxMarks, t.prev)
	case t.prev <= ' ':
		return fmt.Sprintf("the mark %U on nothing", r)
	}
	return ""
}
