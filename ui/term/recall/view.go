package recall

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
	if !m.focused {
		return append(out, m.list.Lines()...), cursor
	}
	mark := ""
	if m.mode != filtering {
		mark = m.styles.Accent.Render(" ▸ ")
	}
	return append(out, m.list.View(h, mark)...), cursor
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
			" "+m.styles.Key.Render("del")+" deletes it · any other key keeps it")
		return append(out, m.wrapped(m.styles.Dim, "For 10 s u takes it back, then it is gone for good. What you said stays in the conversation: o shows it, Archive deletes it.", 1)...)
	}
	if m.mode == asking {
		return append(out, m.askLines()...)
	}
	out = append(out, m.removed.Offer(m.styles.Warn, "deleted", m.now, m.width)...)
	return append(out, m.hints()...)
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
		if m.nobody != "" {
			return nil
		}
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
	return list.Hints(m.styles.Dim, m.width, last, bindings...)
}
