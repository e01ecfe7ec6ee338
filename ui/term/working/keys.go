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
	page := max(1, m.height/2-2)
	switch {
	case key.Matches(msg, k.Up):
		m.list.Move(-1)
	case key.Matches(msg, k.Down):
		m.list.Move(1)
	case key.Matches(msg, k.PageUp):
		m.list.Move(-page)
	case key.Matches(msg, k.PageDown):
		m.list.Move(page)
	case key.Matches(msg, k.Home):
		m.list.Move(-m.list.Len())
	case key.Matches(msg, k.End):
		m.list.Move(m.list.Len())
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
	r, some := m.list.Selected()
	switch {
	case key.Matches(msg, k.Add):
		m.openForm(&form{key: field.New(1)}, "")
	case !some:
		return Action{}, false
	case key.Matches(msg, k.Edit):
		m.openForm(&form{topic: r.Of.topic, name: r.Of.name}, r.Of.value)
	case key.Matches(msg, k.Delete):
		if r.Of.topic && r.Of.value == "" {
			m.notice = "There is no topic to delete."
			break
		}
		m.mode = confirming
	case key.Matches(msg, k.Copy):
		if r.Of.value != "" {
			return Action{Do: Copy, Value: r.Of.value}, true
		}
		m.notice = "There is nothing to copy."
	default:
		return Action{}, false
	}
	return Action{}, true
}

func (m *Model) confirmKey(msg tea.KeyPressMsg) Action {
	switch {
	case m.busy:
		if key.Matches(msg, m.keys.Confirm.Other) {
			m.mode, m.busy = listing, false
		}
	case key.Matches(msg, m.keys.Confirm.Yes):
		m.busy, m.notice = true, ""
		r, _ := m.list.Selected()
		if r.Of.topic {
			return Action{Do: Topic, SessionID: m.state.SessionID}
		}
		return Action{Do: Remove, SessionID: m.state.SessionID, Key: r.Of.name}
	default:
		m.mode = listing
	}
	return Action{}
}

// Wheel moves the cursor by n rows.
func (m *Model) Wheel(n int) Action {
	if m.mode == listing {
		m.list.Move(n)
	}
	return Action{}
}
