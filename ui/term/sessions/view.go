package sessions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
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
	var lines []string
	at, end := 0, 0
	for i, r := range m.rows {
		if i == m.cursor {
			if whole := m.gist(r.session, true); m.focused && m.query == "" && len(whole) > 1 {
				r.lines = append(slices.Clone(r.lines[:len(r.lines)-1]), whole...)
			}
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
		head := "a title for “" + clean.Truncate(titleOf(m.subject), max(4, m.width-17), cells.Ellipsis) + "”"
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
	if n := len(m.removed); n > 0 {
		out = append(out, m.takeBackLines(m.removed[n-1], n)...)
	}
	return append(out, m.hints()...), nil
}

// question asks how far a deletion goes (D2).
func (m *Model) question() []string {
	if m.busy {
		return []string{" " + m.styles.Warn.Render("deleting “"+titleOf(m.subject)+"” …")}
	}
	tail := "”, " + plural(m.subject.Messages, "message") + "?"
	room := max(4, m.width-2-cells.Width("Delete “"+tail))
	out := []string{" " + m.styles.Bad.Render("Delete “"+clean.Truncate(titleOf(m.subject), room, cells.Ellipsis)+tail)}
	k := m.keys.Erase
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
	offer := fmt.Sprintf("u takes it back for %d s", max(0, left))
	more := ""
	if n > 1 {
		more = fmt.Sprintf(" and %d more", n-1)
	}
	title := titleOf(memory.Session{Title: r.Title})
	room := m.width - 2 - cells.Width("deleted “”"+more)
	if short := room - cells.Width(" · "+offer); short >= min(cells.Width(title), 12) {
		title = clean.Truncate(title, short, cells.Ellipsis)
		return []string{" " + m.styles.Warn.Render("deleted “"+title+"”"+more+" · "+offer)}
	}
	title = clean.Truncate(title, max(4, room), cells.Ellipsis)
	return []string{" " + m.styles.Warn.Render("deleted “"+title+"”"+more), " " + m.styles.Warn.Render(offer)}
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
	if m.rows[m.cursor].hit.RecordID != "" {
		return append(out, m.keyLines(leave, k.Jump, k.Copy, k.Search, k.Rename, k.Delete)...)
	}
	return append(out, m.keyLines(leave, k.Open, k.Search, k.Rename, k.Delete, k.New, k.Copy)...)
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
