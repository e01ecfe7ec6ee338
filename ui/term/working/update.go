package working

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/cells"
)

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	if key.Matches(msg, m.Keys.Panel.Back) {
		return Action{Do: Leave}, true
	}
	return m.rowKey(msg)
}

// rowKey handles what can be done to topic and variables.
func (m *Model) rowKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Working
	if !m.there {
		return Action{}, false
	}
	if m.state.Kept && key.Matches(msg, k.Edit, k.Add, k.Delete) {
		m.Notice = m.Words.Say("working.ended")
		return Action{}, true
	}
	r, some := m.List.Selected()
	switch {
	case key.Matches(msg, k.Add):
		m.openNew()
	case !some:
		return Action{}, false
	case key.Matches(msg, k.Edit):
		m.openEdit(r.Of)
	case key.Matches(msg, k.Delete):
		if r.Of.topic && r.Of.value == "" {
			m.Notice = m.Words.Say("working.delete.none")
			break
		}
		m.askDelete(r.Of)
	case key.Matches(msg, k.Copy):
		if r.Of.value != "" {
			return Action{Do: Copy, Value: r.Of.value}, true
		}
		m.Notice = m.Words.Say("working.copy.none")
	default:
		return Action{}, false
	}
	return Action{}, true
}

func (m *Model) askDelete(e entry) {
	id, name, yes := "working.delete.topic", e.value, Action{Do: Topic, SessionID: m.state.SessionID}
	if !e.topic {
		id, name, yes = "working.delete.variable", e.name, Action{Do: Remove, SessionID: m.state.SessionID, Key: e.name}
	}
	m.AskDelete(func() string { return m.Words.Say(id, m.Named(name, cells.Width(m.Words.Say(id, ""))+4)) }, yes)
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Working
	switch {
	case !m.there:
		return nil
	case m.state.Kept:
		return m.Hints("", k.Copy)
	}
	return m.Hints("", k.Edit, k.Add, k.Delete, k.Copy)
}
