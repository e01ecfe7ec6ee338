package help

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/pane"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

const keyWidth = 12

// Model is the help screen. It is used by one goroutine.
type Model struct {
	words  words.Words
	groups []keys.Group
	about  []string
	search *field.Model
	here   int  // the group of the place that help was opened from, -1 for none
	seek   bool // the next view begins with that group
	scroll int
	lines  int // of the last view
	height int
}

// New returns the help of these bindings; about is shown under them, one
// paragraph each, clean.
func New(w words.Words, groups []keys.Group, about ...string) *Model {
	m := &Model{words: w, groups: groups, about: about, search: field.New(1), here: -1}
	m.search.SetPlaceholder(w.Say("screen.help.search"))
	return m
}

// Open shows the help from the group that is of a place; from the top for a place without a
// group. The search is empty.
func (m *Model) Open(place keys.Place) {
	m.search.Set("")
	m.search.Focus()
	m.scroll = 0
	m.here = slices.IndexFunc(m.groups, func(g keys.Group) bool { return slices.Contains(g.Places, place) })
	m.seek = m.here >= 0
}

// Key takes a key. It reports whether the help closes.
func (m *Model) Key(msg tea.KeyPressMsg) (closes bool) {
	empty := m.search.Value() == ""
	switch name := msg.String(); {
	case name == "up":
		m.Scroll(-1)
	case name == "down":
		m.Scroll(1)
	case name == "pgup":
		m.page(-1)
	case name == "pgdown":
		m.page(1)
	case name == "f1", name == "ctrl+c", empty && (name == "esc" || name == "enter"):
		return true
	case name == "esc":
		m.search.Set("")
		m.scroll = 0
	default:
		if m.search.Update(msg) {
			m.scroll, m.seek = 0, false
		}
	}
	return false
}

// Search is what was typed to find a key.
func (m *Model) Search() pane.Search {
	return pane.Search{Text: strings.TrimSpace(m.search.Value()), Found: len(m.found()) > 0}
}

// Scroll moves by n lines.
func (m *Model) Scroll(n int) {
	m.scroll = min(max(m.scroll+n, 0), max(0, m.lines-m.height))
}

// page moves by pages.
func (m *Model) page(n int) { m.Scroll(n * max(1, m.height-2)) }

// View returns h lines of w cells, and the place of the cursor in them.
func (m *Model) View(s theme.Styles, w, h int) ([]string, *tea.Cursor) {
	const head = 1
	m.search.SetStyles(s)
	m.search.SetWidth(max(4, w-6))
	lines, at := m.render(s, w)
	m.lines, m.height = len(lines), max(0, h-head-1)
	if m.seek {
		m.scroll, m.seek = at, false
	}
	m.Scroll(0)
	out := append([]string{s.Accent.Render(" / ") + m.search.View()[0]}, cells.Block(lines[m.scroll:], w, m.height)...)
	foot := m.words.Say("screen.help.foot")
	if len(lines) > m.height {
		foot = m.words.Say("screen.help.foot.scroll")
	}
	out = append(out, s.Dim.Render(" "+foot))
	cursor := m.search.Cursor()
	if cursor != nil {
		cursor.X += 3
		cursor.Y = 0
	}
	return cells.Block(out, w, h), cursor
}

// found returns the groups with the bindings that have every word of the search, without a slash
// before them. A title that has them all stands for its bindings.
func (m *Model) found() []keys.Group {
	wanted := strings.Fields(strings.ToLower(strings.TrimLeft(m.search.Value(), " /／")))
	if len(wanted) == 0 {
		return m.groups
	}
	var out []keys.Group
	for _, g := range m.groups {
		g.Keys = slices.DeleteFunc(slices.Clone(g.Keys), func(b key.Binding) bool {
			text := strings.ToLower(g.Title + " " + b.Help().Key + " " + b.Help().Desc)
			return slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(text, w) })
		})
		if len(g.Keys) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// render puts the groups in two columns where there is room, and returns the line where the
// group of the place begins.
func (m *Model) render(s theme.Styles, w int) (out []string, at int) {
	width := w
	if w >= 100 {
		width = w / 2
	}
	var columns [2][]string
	groups := m.found()
	for i, g := range groups {
		c := 0
		if width < w && len(columns[1]) < len(columns[0]) {
			c = 1
		}
		sign := " "
		if i == m.here && len(groups) == len(m.groups) {
			sign, at = "▸", len(columns[c])
		}
		block := []string{s.Accent.Render(sign + g.Title)}
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
		columns[c] = append(columns[c], append(block, "")...)
	}
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
	if len(groups) == 0 {
		out = append(out, " "+s.Dim.Render(m.words.Say("screen.help.none")))
	}
	for _, a := range m.about {
		for _, l := range clean.Wrap(a, max(10, w-2)) {
			out = append(out, " "+s.Dim.Render(l))
		}
	}
	return out, at
}
