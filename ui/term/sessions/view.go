package sessions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot, typing := m.foot()
	h := max(0, m.height-len(foot))
	body, cursor := m.body(h)
	if typing != nil {
		cursor = typing
		cursor.Y += h
	}
	if !m.focused || cursor != nil && (cursor.Y >= m.height || cursor.X >= m.width) {
		cursor = nil
	}
	return append(cells.Block(body, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

func (m *Model) body(h int) (out []string, cursor *tea.Cursor) {
	if m.mode == searching || m.query != "" {
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
	return append(out, m.view.View(h, mark)...), cursor
}

// foot is what stands at the bottom: what went wrong, a question, a field, what
// can be taken back, and the keys of this mode. cursor is the field's, in foot.
func (m *Model) foot() (out []string, cursor *tea.Cursor) {
	if m.notice != "" {
		out = append(out, m.wrapped(m.styles.Warn, m.notice, 1)...)
	}
	switch m.mode {
	case confirming:
		return append(out, m.question()...), nil
	case renaming:
		head := "a title for “" + clean.Truncate(words.SessionTitle(m.subject), max(4, m.width-17), cells.Ellipsis) + "”"
		if m.busy {
			head = "saving the title …"
		}
		out = append(out, " "+m.styles.Accent.Render(head))
		if cursor = m.title.Cursor(); cursor != nil {
			cursor.X += 3
			cursor.Y += len(out)
		}
		sign := " ▸ "
		for _, l := range m.title.View() {
			out = append(out, m.styles.Accent.Render(sign)+l)
			sign = "   "
		}
		return append(out, m.hints()...), cursor
	}
	out = append(out, m.removed.Offer(m.styles.Warn, "deleted", m.now, m.width)...)
	return append(out, m.hints()...), nil
}

// question asks how far a deletion goes (D2).
func (m *Model) question() []string {
	if m.busy {
		return []string{" " + m.styles.Warn.Render("deleting “"+words.SessionTitle(m.subject)+"” …")}
	}
	tail := "”, " + list.Plural(m.subject.Messages, "message") + "?"
	room := max(4, m.width-2-cells.Width("Delete “"+tail))
	out := []string{" " + m.styles.Bad.Render("Delete “"+clean.Truncate(words.SessionTitle(m.subject), room, cells.Ellipsis)+tail)}
	k := m.keys.Erase
	for _, b := range []key.Binding{k.Messages, k.Memories, k.Other} {
		name := b.Help().Key
		for i, l := range clean.Wrap(b.Help().Desc, max(8, m.width-5)) {
			if i > 0 {
				name = " "
			}
			out = append(out, " "+m.styles.Key.Render(name)+"  "+m.styles.Text.Render(l))
		}
	}
	return out
}

// hints are the keys of the part, shown while it has the keyboard.
func (m *Model) hints() []string {
	if !m.focused {
		return nil
	}
	k, f := m.keys.Sessions, m.keys.Form
	if m.mode == renaming {
		return m.keyLines("", f.Save, f.Leave)
	}
	if m.mode == searching {
		last := "enter to what was found · esc all sessions"
		if m.failed != "" {
			last = "enter tries again · esc all sessions"
		}
		return m.wrapped(m.styles.Dim, last, 1)
	}
	leave := ""
	if m.query != "" {
		leave = "esc all sessions"
	}
	s, ok := m.Selected()
	if !ok {
		return m.keyLines(leave, k.Search, k.New)
	}
	var out []string
	if s.ID != m.current && m.height >= 12 {
		out = m.wrapped(m.styles.Dim, "enter reads it; sending in it resumes it", 1)
	}
	if m.row().hit.RecordID != "" {
		return append(out, m.keyLines(leave, k.Jump, k.Copy, k.Search, k.Rename, k.Delete)...)
	}
	return append(out, m.keyLines(leave, k.Open, k.Search, k.Rename, k.Delete, k.New, k.Copy)...)
}

// keyLines wraps hints between keys, never inside one.
func (m *Model) keyLines(last string, bindings ...key.Binding) []string {
	return list.Hints(m.styles.Dim, m.width, last, bindings...)
}
