package quote

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
)

// lookedAt is how many bytes of a message are looked at.
const lookedAt = 4 << 10

// Cut returns a message on one line, cleaned and cut to room cells around the
// first place where the words stand, with the words marked.
func (n Needle) Cut(s string, room int, styles theme.Styles) string {
	if len(s) > lookedAt {
		s = s[:lookedAt]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
		s = s[:max(0, len(s)-1)] // the rune that was cut
	}
	line := clean.Line(s)
	found := n.find(line)
	var b strings.Builder
	at := 0
	if len(found) > 0 && cells.Width(line) > room {
		rest := cells.Width(line[found[0].from:])
		if at = before(line[:found[0].from], max(room/3, room-rest-3)); at > 0 {
			b.WriteString(cells.Ellipsis)
		}
	}
	for _, f := range found {
		b.WriteString(styles.Text.Render(line[at:f.from]))
		if styles.Plain {
			b.WriteString("[" + line[f.from:f.to] + "]")
		} else {
			b.WriteString(styles.Mark.Render(line[f.from:f.to]))
		}
		at = f.to
	}
	b.WriteString(styles.Text.Render(line[at:]))
	return clean.Truncate(b.String(), room, cells.Ellipsis)
}

// before is where the last w cells of s begin, at a word where one begins there.
func before(s string, w int) int {
	width, word := cells.Width(s), 0
	for at := 0; at < len(s); {
		c, n := ansi.FirstGraphemeCluster(s[at:], ansi.GraphemeWidth)
		if width <= w {
			if word = strings.IndexByte(s[at:], ' '); word < 0 || at == 0 {
				return at
			}
			return at + word + 1
		}
		at += len(c)
		width -= n
	}
	return len(s)
}
