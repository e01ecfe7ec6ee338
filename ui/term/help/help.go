package help

import (
	"strings"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/theme"
)

const keyWidth = 12

// Model is the help screen. It is used by one goroutine.
type Model struct {
	groups []keys.Group
	about  []string
	scroll int
	lines  int // of the last view
	height int
}

// New returns the help of these bindings; about is shown under them, one
// paragraph each, clean.
func New(groups []keys.Group, about ...string) *Model { return &Model{groups: groups, about: about} }

// Open starts at the top.
func (m *Model) Open() { m.scroll = 0 }

// Scroll moves by n lines.
func (m *Model) Scroll(n int) {
	m.scroll = min(max(m.scroll+n, 0), max(0, m.lines-m.height))
}

// Page moves by pages.
func (m *Model) Page(n int) { m.Scroll(n * max(1, m.height-2)) }

// View returns h lines of w cells.
func (m *Model) View(s theme.Styles, w, h int) []string {
	lines := m.render(s, w)
	m.lines, m.height = len(lines), h-1
	m.Scroll(0)
	out := cells.Block(lines[m.scroll:], w, max(0, h-1))
	foot := " esc closes"
	if len(lines) > m.height {
		foot = " ↑ ↓ pgup pgdn scroll · esc closes"
	}
	return append(out, cells.Fit(s.Dim.Render(foot), w))
}

// render puts the groups in two columns where there is room.
func (m *Model) render(s theme.Styles, w int) []string {
	width := w
	if w >= 100 {
		width = w / 2
	}
	var columns [2][]string
	for _, g := range m.groups {
		block := []string{" " + s.Accent.Render(g.Title)}
		for _, b := range g.Keys {
			h := b.Help()
			for i, l := range clean.Wrap(h.Desc, max(10, width-keyWidth-5)) {
				name := strings.Repeat(" ", keyWidth)
				if i == 0 {
					name = s.Key.Render(cells.Fit(h.Key, keyWidth))
				}
				block = append(block, "   "+name+" "+s.Text.Render(l))
			}
		}
		block = append(block, "")
		c := 0
		if width < w && len(columns[1]) < len(columns[0]) {
			c = 1
		}
		columns[c] = append(columns[c], block...)
	}
	var out []string
	for i := range max(len(columns[0]), len(columns[1])) {
		left, right := "", ""
		if i < len(columns[0]) {
			left = columns[0][i]
		}
		if i < len(columns[1]) {
			right = columns[1][i]
		}
		out = append(out, cells.Fit(left, width)+right)
	}
	for _, a := range m.about {
		for _, l := range clean.Wrap(a, max(10, w-2)) {
			out = append(out, " "+s.Dim.Render(l))
		}
	}
	return out
}
