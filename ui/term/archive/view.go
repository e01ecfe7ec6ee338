package archive

import (
	"charm.land/bubbles/v2/key"
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
	body, cursor := m.body(h)
	if !m.focused || cursor != nil && (cursor.Y >= m.height || cursor.X >= m.width) {
		cursor = nil
	}
	return append(cells.Block(body, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

func (m *Model) body(h int) (out []string, cursor *tea.Cursor) {
	if m.mode == searching || m.asked.Words != "" {
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

// foot is what stands at the bottom: what went wrong, a question, what can be
// taken back, and the keys of this mode.
func (m *Model) foot() (out []string) {
	if m.notice != "" {
		out = append(out, m.wrapped(m.styles.Warn, m.notice, 1)...)
	}
	if m.mode == confirming {
		return append(out, m.question()...)
	}
	out = append(out, m.removed.Offer(m.styles.Warn, "deleted", m.now, m.width)...)
	return append(out, m.hints()...)
}

// question asks how far a deletion goes (D2).
func (m *Model) question() []string {
	said := clean.Line(m.subject.Text)
	if m.busy {
		return []string{" " + m.styles.Warn.Render("deleting “"+clean.Truncate(said, max(4, m.width-16), cells.Ellipsis)+"” …")}
	}
	room := max(4, m.width-cells.Width(" Delete “”? "))
	out := []string{" " + m.styles.Bad.Render("Delete “"+clean.Truncate(said, room, cells.Ellipsis)+"”?")}
	k := m.keys.Erase
	k.Messages.SetHelp("del", "the message only")
	k.Memories.SetHelp("ctrl+x", "the message and the memories made from it alone")
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

// takeBackLines offer to take the newest deletion back.
// hints are the keys of the part, shown while it has the keyboard.
func (m *Model) hints() []string {
	if !m.focused {
		return nil
	}
	k := m.keys.Archive
	switch m.mode {
	case searching:
		last := "enter to what was found · esc all messages"
		if m.failed != "" {
			last = "enter tries again · esc all messages"
		}
		return m.wrapped(m.styles.Dim, last, 1)
	case learning:
		open := k.Open
		open.SetHelp("enter", "open the memory")
		if len(m.lessons) == 0 {
			return m.keyLines("esc back")
		}
		return m.keyLines("esc back", open, k.Copy)
	}
	leave := ""
	if m.asked.Words != "" || m.asked.Collected {
		leave = "esc all messages"
	}
	b := k.Bookmarks
	if m.asked.Collected {
		b.SetHelp("b", "all")
	}
	if _, ok := m.Selected(); !ok {
		return m.keyLines(leave, k.Search, b)
	}
	return m.keyLines(leave, k.Open, k.Search, k.Learned, k.Mark, b, k.Delete, k.Copy)
}

// keyLines wraps hints between keys, never inside one.
func (m *Model) keyLines(last string, bindings ...key.Binding) []string {
	return list.Hints(m.styles.Dim, m.width, last, bindings...)
}
