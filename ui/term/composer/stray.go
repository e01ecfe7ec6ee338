package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostStray is the number of letters up to which a text may have been meant as keys.
const mostStray = 2

// stray is the text before letters came that were typed where letters are keys.
type stray struct {
	before string
	open   bool // they are neither confirmed nor sent
}

// Stray notes that the letters that come now were typed where letters are keys.
func (m *Model) Stray() {
	if !m.stray.open {
		m.stray = stray{m.ta.Value(), true}
	}
}

// Doubtful reports whether the input has only one or two letters more than before they were
// typed where letters are keys, so that enter may not have been meant to send them. The next
// call reports false, as the user has been told.
func (m *Model) Doubtful() bool {
	doubtful := m.stray.open && m.strays()
	m.stray = stray{}
	return doubtful
}

// strays reports whether few letters came. What an input method has written was meant as text.
func (m *Model) strays() bool {
	value := m.ta.Value()
	n := utf8.RuneCountInString(value) - utf8.RuneCountInString(m.stray.before)
	if n <= 0 || n > mostStray {
		return false
	}
	more, ok := strings.CutPrefix(value, m.stray.before)
	return !ok || !strings.ContainsFunc(more, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}
