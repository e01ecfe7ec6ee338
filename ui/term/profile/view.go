package profile

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
	"memoria/ui/term/part"
)

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	if m.mode == editing {
		lines, cursor = m.formView(h)
	} else {
		lines = m.visible(h)
	}
	if !m.focused || cursor != nil && (cursor.X >= m.width || cursor.Y < 0 || cursor.Y >= h) {
		cursor = nil
	}
	return append(cells.Block(lines, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

// formView returns the form's lines and the cursor in them, with the cursor's line
// in view.
func (m *Model) formView(h int) (lines []string, cursor *tea.Cursor) {
	lines = []string{m.styles.Accent.Render(cells.Fit(" the profile; what you write is yours", m.width))}
	cursor = m.form.Cursor()
	for _, l := range m.form.View() {
		lines = append(lines, " "+l)
	}
	if cursor == nil {
		return lines, nil
	}
	cursor.X++
	cursor.Y++
	if over := cursor.Y - h + 1; over > 0 {
		lines, cursor.Y = lines[min(over, len(lines)):], h-1
	}
	return lines, cursor
}

// visible cuts out what is seen.
func (m *Model) visible(h int) (out []string) {
	m.first = min(max(m.first, 0), max(0, len(m.rows)-h))
	for i := m.first; i < len(m.rows) && len(out) < h; i++ {
		l := m.rows[i].text
		if i == m.cursor && m.focused {
			l = m.styles.Accent.Render(" ▸ ") + strings.TrimPrefix(l, "   ")
		}
		out = append(out, l)
	}
	return out
}

// foot is what stands at the bottom: what went wrong, and the keys.
func (m *Model) foot() (out []string) {
	if m.notice != "" {
		out = m.wrapped(m.styles.Warn, m.notice, 1)
	}
	k, f := m.keys.Profile, m.keys.Form
	switch {
	case m.busy:
		return append(out, " "+m.styles.Dim.Render("saving …"))
	case !m.focused:
		return out
	case m.mode == editing:
		return append(out, part.Hints(m.styles.Dim, m.width, "", f.Save, f.NewLine, k.Editor, f.Leave)...)
	case m.mode == choosing:
		undo, back := k.Undo, k.History
		undo.SetHelp("u", "undo this version")
		back.SetHelp("h", "back")
		return append(out, part.Hints(m.styles.Dim, m.width, "", undo, k.Open, back)...)
	case !m.loaded:
		return out
	}
	return append(out, part.Hints(m.styles.Dim, m.width, "", k.Open, k.Edit, k.Editor, k.History, k.Undo, k.Copy)...)
}

// next is the next row after i that can be chosen, in the direction of step, or -1
// when there is none.
func (m *Model) next(i, step int) int {
	for i += step; i >= 0 && i < len(m.rows); i += step {
		if m.rows[i].kind != plainRow {
			return i
		}
	}
	return -1
}

// move moves the cursor by n rows that can be chosen; past the last one it scrolls.
func (m *Model) move(n int) Action {
	next := m.next(m.cursor, n)
	if next < 0 {
		m.scroll(n)
		if n > 0 && m.mode == choosing && len(m.history.Versions) < m.history.Total {
			return Action{Do: More}
		}
		return Action{}
	}
	m.cursor = next
	h := max(1, m.height-len(m.foot()))
	end := m.cursor // with the lines that belong to the row
	for end+1 < len(m.rows) && end-m.cursor < h-1 && m.rows[end+1].kind == plainRow && m.rows[end+1].text != "" {
		end++
	}
	m.first = cells.Window(len(m.rows), h, m.first, end)
	m.first = cells.Window(len(m.rows), h, m.first, m.cursor)
	if m.cursor == m.next(-1, 1) {
		m.first = 0 // with the heading above it
	}
	return Action{}
}

// scroll moves the view and takes the cursor along, so that keys are about what is
// seen.
func (m *Model) scroll(n int) {
	h := max(1, m.height-len(m.foot()))
	m.first = min(max(m.first+n, 0), max(0, len(m.rows)-h))
	if m.cursor < m.first {
		if n := m.next(m.first-1, 1); n >= 0 && n < m.first+h {
			m.cursor = n
		}
	}
	if m.cursor >= m.first+h {
		if n := m.next(m.first+h, -1); n >= m.first {
			m.cursor = n
		}
	}
}
