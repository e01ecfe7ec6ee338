package working

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/field"
)

// Key takes a key while the part has the keyboard. handled is false for keys
// that mean nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	switch m.mode {
	case editing:
		return m.formKey(msg), true
	case confirming:
		return m.confirmKey(msg), true
	}
	k := m.keys.Working
	m.notice = ""
	page := max(1, m.height-3)
	switch {
	case key.Matches(msg, k.Up):
		m.move(-1)
	case key.Matches(msg, k.Down):
		m.move(1)
	case key.Matches(msg, k.PageUp):
		m.scroll(-page)
	case key.Matches(msg, k.PageDown):
		m.scroll(page)
	case key.Matches(msg, k.Home):
		m.first, m.cursor = 0, m.next(-1, 1)
	case key.Matches(msg, k.End):
		m.cursor = m.next(len(m.rows), -1)
		m.first = len(m.rows)
	case key.Matches(msg, m.keys.Panel.Back):
		return Action{Do: Leave}, true
	default:
		return m.rowKey(msg)
	}
	return Action{}, true
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	if m.mode == editing && !m.busy {
		m.form.at().Update(msg)
	}
	return Action{}
}

// rowKey handles what can be done to topic and variables.
func (m *Model) rowKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Working
	if !m.there {
		return Action{}, false
	}
	if m.state.Kept && key.Matches(msg, k.Edit, k.Add, k.Delete) {
		m.notice = "The session has ended. Send something in it, then this can be changed."
		return Action{}, true
	}
	r := row{}
	if m.cursor >= 0 {
		r = m.rows[m.cursor]
	}
	switch {
	case key.Matches(msg, k.Add):
		m.openForm(&form{key: field.New(1)}, "")
	case r.kind == plainRow:
		return Action{}, false
	case key.Matches(msg, k.Edit):
		m.openForm(&form{topic: r.kind == topicRow, name: r.name}, r.value)
	case key.Matches(msg, k.Delete):
		if r.kind == topicRow && r.value == "" {
			m.notice = "There is no topic to delete."
			break
		}
		m.mode = confirming
	case key.Matches(msg, k.Copy):
		if r.value != "" {
			return Action{Do: Copy, Value: r.value}, true
		}
		m.notice = "There is nothing to copy."
	default:
		return Action{}, false
	}
	return Action{}, true
}

func (m *Model) confirmKey(msg tea.KeyPressMsg) Action {
	switch {
	case key.Matches(msg, m.keys.Confirm.No):
		m.mode, m.busy = listing, false
	case m.busy || m.cursor < 0:
	case key.Matches(msg, m.keys.Confirm.Yes):
		m.busy, m.notice = true, ""
		r := m.rows[m.cursor]
		if r.kind == topicRow {
			return Action{Do: Topic, SessionID: m.state.SessionID}
		}
		return Action{Do: Remove, SessionID: m.state.SessionID, Key: r.name}
	}
	return Action{}
}

// next is the next row after i that can be chosen, in the direction of step, or
// -1 when there is none.
func (m *Model) next(i, step int) int {
	for i += step; i >= 0 && i < len(m.rows); i += step {
		if m.rows[i].kind != plainRow {
			return i
		}
	}
	return -1
}

// move moves the cursor by n rows that can be chosen; past the last one it
// scrolls.
func (m *Model) move(n int) {
	if next := m.next(m.cursor, n); next >= 0 {
		m.cursor = next
		m.reveal()
		return
	}
	m.scroll(n)
}

func (m *Model) scroll(n int) {
	m.first += n
	m.settle()
}

// Wheel scrolls by n lines.
func (m *Model) Wheel(n int) Action {
	if m.mode == listing {
		m.scroll(n)
	}
	return Action{}
}
