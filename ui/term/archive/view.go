package archive

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
	var lines []string
	at, end := 0, 0
	for i, r := range m.rows {
		if i == m.cursor {
			at, end = len(lines), len(lines)+len(r.lines)-1
		}
		for j, l := range r.lines {
			if i == m.cursor && m.focused && m.mode != searching && j == 0 {
				l = m.styles.Accent.Render(" ▸ ") + strings.TrimPrefix(l, "   ")
			}
			lines = append(lines, l)
		}
	}
	switch { // what stands above the first and below the last row is seen with it
	case m.cursor == m.nearest(0):
		at = 0
	case m.cursor == m.nearest(len(m.rows)-1):
		end = len(lines) - 1
	}
	m.first = cells.Window(len(lines), h, m.first, end)
	m.first = cells.Window(len(lines), h, m.first, at)
	return append(out, lines[min(m.first, len(lines)):]...), cursor
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
	if n := len(m.removed); n > 0 {
		out = append(out, m.takeBackLines(m.removed[n-1], n)...)
	}
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
	k.Messages.SetHelp("m", "the message only")
	k.Memories.SetHelp("a", "the message and the memories made from it alone")
	for _, b := range []key.Binding{k.Messages, k.Memories, k.No} {
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
func (m *Model) takeBackLines(r Removed, n int) []string {
	left := int((r.Until.Sub(m.now) + time.Second - 1) / time.Second)
	what := "deleted 1 message"
	switch {
	case r.Memories == 1:
		what += ", 1 memory"
	case r.Memories > 1:
		what += fmt.Sprintf(", %d memories", r.Memories)
	}
	if n > 1 {
		what += fmt.Sprintf(", and %d more", n-1)
	}
	return m.wrapped(m.styles.Warn, what+fmt.Sprintf(" · u takes it back for %d s", max(0, left)), 1)
}

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
	var parts []string
	for _, b := range bindings {
		h := b.Help()
		parts = append(parts, h.Key+"\u00a0"+strings.ReplaceAll(h.Desc, " ", "\u00a0"))
	}
	if last != "" {
		parts = append(parts, strings.ReplaceAll(last, " ", "\u00a0"))
	}
	lines := clean.Wrap(strings.Join(parts, " · "), max(8, m.width-2))
	for i, l := range lines {
		lines[i] = " " + m.styles.Dim.Render(strings.Trim(l, " ·"))
	}
	return lines
}
