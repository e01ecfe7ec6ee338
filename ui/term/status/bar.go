package status

import (
	"strings"

	"memoria/ui/term/cells"
	"memoria/ui/term/theme"
)

// Bar is a line of names, one of which is chosen.
type Bar struct {
	Names []string
	At    int
	Quiet bool // the others are dim
}

// Counted is a name with how much waits in it.
func Counted(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + " " + cells.Number(n)
}

// View draws the names in w cells, each between two cells for the marks of the chosen one.
func (b Bar) View(s theme.Styles, w int) string {
	gap := b.gap(w)
	var out strings.Builder
	for i, name := range b.Names {
		if i > 0 {
			out.WriteString(gap)
		}
		switch {
		case i == b.At:
			out.WriteString(s.Accent.Render("[" + name + "]"))
		case b.Quiet:
			out.WriteString(s.Dim.Render(" " + name + " "))
		default:
			out.WriteString(s.Text.Render(" " + name + " "))
		}
	}
	return cells.Fit(out.String(), w)
}

// Fits reports whether the names have room in w cells, with gaps between them.
func (b Bar) Fits(w int) bool { return len(b.gap(w)) > 0 }

// gap is between two names: as wide as there is room for, at most two cells.
func (b Bar) gap(w int) string {
	for _, name := range b.Names {
		w -= cells.Width(name) + 2
	}
	return strings.Repeat(" ", min(max(w/max(1, len(b.Names)-1), 0), 2))
}

// Name returns the index of the name at a column of the line, -1 for none.
func (b Bar) Name(x, w int) int {
	gap := len(b.gap(w))
	for i, name := range b.Names {
		if n := cells.Width(name) + 2; x < n {
			return i
		} else if x -= n + gap; x < 0 {
			break
		}
	}
	return -1
}
