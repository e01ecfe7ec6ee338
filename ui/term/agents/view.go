package agents

import (
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	mark := ""
	if m.focused {
		mark = m.styles.Accent.Render(" ▸ ")
	}
	switch m.mode {
	case editing:
		lines, cursor = m.formView(h)
	case grouping:
		lines, cursor = m.groupView(h)
	case reading:
		lines = m.page.View(h, mark)
	default:
		lines = m.view.View(h, mark)
	}
	if !m.focused || cursor != nil && (cursor.X >= m.width || cursor.Y < 0 || cursor.Y >= h) {
		cursor = nil
	}
	return append(cells.Block(lines, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

// foot is what stands at the bottom: what went wrong, a question, what can be taken
// back, and the keys of this mode.
func (m *Model) foot() (out []string) {
	if m.notice != "" {
		out = m.wrapped(m.styles.Warn, m.notice, 1)
	}
	k, f := m.keys.Agents, m.keys.Form
	if m.mode == confirming {
		return append(out, m.question()...)
	}
	if m.mode == listing {
		out = append(out, m.removed.Offer(m.styles.Warn, "deleted", m.now, m.width)...)
	}
	switch {
	case !m.focused:
		return out
	case m.busy:
		return append(out, " "+m.styles.Dim.Render("one moment …"))
	case m.mode == editing:
		color := f.Right
		color.SetHelp("←→", "color")
		return append(out, list.Hints(m.styles.Dim, m.width, "", f.Save, f.NextField, f.NewLine, m.keys.Profile.Editor, color, f.Leave)...)
	case m.mode == grouping:
		return append(out, m.groupHints()...)
	case m.mode == reading:
		return append(out, list.Hints(m.styles.Dim, m.width, "esc back", k.Switch, k.Edit, k.Delete)...)
	case !m.loaded:
		return out
	}
	return append(out, list.Hints(m.styles.Dim, m.width, "", k.Switch, k.Open, k.Add, k.AddGroup, k.Edit, k.Delete)...)
}

// question asks before an agent goes, with what goes with it (D2).
func (m *Model) question() []string {
	if m.subject.Group {
		return m.askGroup()
	}
	name := clean.Line(m.subject.Title())
	if m.busy {
		return m.wrapped(m.styles.Warn, "deleting "+name+" …", 1)
	}
	out := m.wrapped(m.styles.Bad, "Delete "+name+" with "+m.subject.Says()+"?", 1)
	k := m.keys.Confirm
	yes, no := k.Yes, k.Other
	yes.SetHelp("del", "deletes all of it")
	no.SetHelp("any other key", "nothing")
	return append(out, list.Hints(m.styles.Dim, m.width, "", yes, no)...)
}
