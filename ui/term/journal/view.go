package journal

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

// View returns the part's lines: exactly its height, each exactly its width. cursor is where
// the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	body, cursor := m.body(h)
	if !m.focused || cursor != nil && (cursor.Y >= m.height || cursor.X >= m.width) {
		cursor = nil
	}
	return append(cells.Block(body, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

func (m *Model) body(h int) (out []string, cursor *tea.Cursor) {
	if m.mode == searching || m.mode == listing && m.asked != "" {
		out = append(out, m.styles.Accent.Render(" / ")+m.search.View()[0])
		if c := m.search.Cursor(); c != nil && h > 0 {
			cursor = c
			cursor.X += 3
		}
		h--
	}
	mark := ""
	if m.focused && m.mode != searching {
		mark = m.styles.Accent.Render(" ▸ ")
	}
	return append(out, m.list.View(h, mark)...), cursor
}

// foot is what stands at the bottom: what went on, and the keys of this mode.
func (m *Model) foot() (out []string) {
	switch {
	case m.writing:
		out = append(out, list.Wrapped(m.styles.Accent, "the journal is being written …", m.width, 1)...)
	case m.notice != "":
		out = append(out, list.Wrapped(m.styles.Warn, m.notice, m.width, 1)...)
	}
	return append(out, m.hints()...)
}

// hints are the keys of the part, shown while it has the keyboard.
func (m *Model) hints() []string {
	if !m.focused {
		return nil
	}
	k := m.keys.Journal
	if m.mode == searching {
		return list.Wrapped(m.styles.Dim, "enter to what was found · esc all files", m.width, 1)
	}
	last := ""
	var keys []key.Binding
	r, ok := m.list.Selected()
	switch {
	case m.mode == reading:
		last = "esc back"
		if r.Of.record != "" {
			k.Open.SetHelp("enter", "its message")
			keys = append(keys, k.Open)
		}
		keys = append(keys, k.Edit, k.Copy)
	case ok && r.Of.month != "":
		k.Open.SetHelp("enter", "open or close")
		keys = append(keys, k.Open)
	case ok:
		keys = append(keys, k.Open, k.Edit)
	}
	if m.mode == listing && m.asked != "" {
		last = "esc all files"
	}
	if m.state.Nobody == "" && m.mode != reading {
		keys = append(keys, k.Write, k.Search)
	}
	return list.Hints(m.styles.Dim, m.width, last, keys...)
}
