package profile

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	if m.mode == editing {
		lines, cursor = m.formView(h)
	} else {
		mark := ""
		if m.focused {
			mark = m.styles.Accent.Render(" ▸ ")
		}
		lines = m.list.View(h, mark)
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
		return append(out, list.Hints(m.styles.Dim, m.width, "", f.Save, f.NewLine, k.Editor, f.Leave)...)
	case m.mode == choosing:
		undo, back := k.Undo, k.History
		undo.SetHelp("u", "undo this version")
		back.SetHelp("h", "back")
		return append(out, list.Hints(m.styles.Dim, m.width, "", undo, k.Open, back)...)
	case !m.loaded:
		return out
	}
	return append(out, list.Hints(m.styles.Dim, m.width, "", k.Open, k.Edit, k.Editor, k.History, k.Undo, k.Copy)...)
}

// move moves the cursor by n entries; below the last version that was read it asks
// for more.
func (m *Model) move(n int) Action {
	was, _ := m.list.Selected()
	m.list.Move(n)
	is, _ := m.list.Selected()
	if n > 0 && is.Key == was.Key && m.mode == choosing && len(m.history.Versions) < m.history.Total {
		return Action{Do: More}
	}
	return Action{}
}
