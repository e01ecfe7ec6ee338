package recall

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
)

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	var body []string
	switch m.mode {
	case editing:
		body, cursor = m.formView()
		if cursor != nil && cursor.Y >= h { // keep the cursor's line in view
			over := cursor.Y - h + 1
			body, cursor.Y = body[over:], h-1
		}
	case sourcing:
		body = m.scrolled(m.sourceLines(), h)
	case detailing, past:
		all, _ := m.detailLines()
		body = m.scrolled(all, h)
	case confirming:
		if m.back == detailing {
			all, _ := m.detailLines()
			body = m.scrolled(all, h)
		} else {
			body, cursor = m.listView(h)
		}
	default:
		body, cursor = m.listView(h)
	}
	if !m.focused {
		cursor = nil
	}
	return append(cells.Block(body, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

// scrolled cuts out what is visible.
func (m *Model) scrolled(lines []string, h int) []string {
	m.scroll = min(max(m.scroll, 0), max(0, len(lines)-h))
	return lines[m.scroll:]
}

func (m *Model) listView(h int) (out []string, cursor *tea.Cursor) {
	if m.mode == filtering || m.filter != "" {
		out = append(out, m.styles.Accent.Render(" / ")+m.search.View()[0])
		if c := m.search.Cursor(); c != nil {
			cursor = c
			cursor.X += 3
		}
		h--
	}
	var lines []string
	at, end := 0, 0
	for i, r := range m.rows {
		mine := i == m.cursor && m.focused && m.mode != filtering
		if i == m.cursor {
			at, end = len(lines), len(lines)+len(r.lines)-1
		}
		for j, l := range r.lines {
			if mine && j == 0 {
				l = m.styles.Accent.Render(" ▸ ") + strings.TrimPrefix(l, "   ")
			}
			lines = append(lines, l)
		}
	}
	if m.focused {
		// The heading above the first row stays visible with it.
		if m.cursor >= 0 && m.cursor == m.nearest(0) {
			at = 0
		}
		m.first = cells.Window(len(lines), h, m.first, end)
		m.first = cells.Window(len(lines), h, m.first, at)
	} else {
		m.first = 0
	}
	return append(out, lines[min(m.first, len(lines)):]...), cursor
}

// foot is what stands at the bottom: questions, what can be taken back, what
// went wrong, and the keys of this mode.
func (m *Model) foot() []string {
	var out []string
	if m.notice != "" {
		out = append(out, m.wrapped(m.styles.Warn, m.notice, 1)...)
	}
	if m.mode == confirming {
		what := clean.Truncate(clean.Line(m.detail.Item.Content), max(8, m.width-24), cells.Ellipsis)
		out = append(out,
			" "+m.styles.Bad.Render("Delete “"+what+"”?"),
			" "+m.styles.Key.Render("y")+" delete · "+m.styles.Key.Render("n")+" keep")
		return append(out, m.wrapped(m.styles.Dim, "For 10 s u takes it back, then it is gone for good.", 1)...)
	}
	if m.mode == asking {
		return append(out, m.askLines()...)
	}
	if n := len(m.removed); n > 0 {
		out = append(out, m.takeBackLine(m.removed[n-1], n))
	}
	return append(out, m.hints()...)
}

func (m *Model) takeBackLine(r Removed, n int) string {
	left := int((r.Until.Sub(m.now) + time.Second - 1) / time.Second)
	right := fmt.Sprintf(" · u takes it back (%d s) ", max(0, left))
	if n > 1 {
		right = fmt.Sprintf(" and %d more%s", n-1, right)
	}
	room := max(4, m.width-cells.Width(right)-len(" deleted ")-2)
	what := clean.Truncate(clean.Line(r.Text), room, cells.Ellipsis)
	return m.styles.Warn.Render(" deleted “" + what + "”" + right)
}

// hints are the keys of the part, shown while it has the keyboard.
func (m *Model) hints() []string {
	if !m.focused {
		return nil
	}
	k, f := m.keys.List, m.keys.Form
	var bindings []key.Binding
	switch m.mode {
	case editing:
		bindings = []key.Binding{f.Save, f.NewLine, f.NextField, f.Leave}
	case filtering:
		return []string{m.styles.Dim.Render(" enter to the list · esc no filter")}
	case sourcing:
		if m.source.Gone {
			return []string{m.styles.Dim.Render(" esc back")}
		}
		return []string{m.styles.Dim.Render(" enter opens the session there · esc back")}
	case detailing:
		bindings = []key.Binding{k.Edit, k.Delete, k.Source, k.Copy, k.History}
		return m.keyLines(bindings, "esc back")
	case past:
		return m.keyLines([]key.Binding{k.Up, k.Down, k.TakeBack}, "esc back")
	default:
		bindings = []key.Binding{k.Add, k.Filter}
		if _, ok := m.current(); ok {
			bindings = []key.Binding{k.Open, k.Edit, k.Delete, k.Source, k.Copy, k.Add, k.Filter}
			if c, ok := m.change(); ok && m.undoable(c) {
				bindings = []key.Binding{k.TakeBack, k.UndoTurn, k.Open, k.Edit, k.Delete, k.Source}
			}
		}
	}
	return m.keyLines(bindings, "")
}

// keyLines wraps hints between keys, never inside one.
func (m *Model) keyLines(bindings []key.Binding, last string) []string {
	var parts []string
	for _, b := range bindings {
		h := b.Help()
		parts = append(parts, h.Key+"\u00a0"+strings.ReplaceAll(h.Desc, " ", "\u00a0"))
	}
	if last != "" {
		parts = append(parts, strings.ReplaceAll(last, " ", "\u00a0"))
	}
	lines := clean.Wrap(strings.Join(parts, " · "), max(10, m.width-2))
	for i, l := range lines {
		lines[i] = " " + m.styles.Dim.Render(strings.Trim(l, " ·"))
	}
	return lines
}
