package agents

import (
	"memoria/memory/lookup"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Key takes a key while the pane has the keyboard. handled is false for keys without a
// meaning here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	if !m.Capturing() && !m.Asking() {
		m.wanted = ""
	}
	return m.Base.Key(msg)
}

// Wheel moves by n rows, also among the agents of a group's form.
func (m *Model) Wheel(n int) Action {
	if m.Form != nil && m.members != nil {
		m.members.list.Move(n)
		return Action{}
	}
	return m.Base.Wheel(n)
}

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Agents
	switch {
	case m.reading:
		return m.pageKey(msg)
	case key.Matches(msg, k.Add):
		m.OpenNew("")
	case key.Matches(msg, k.AddGroup) && m.loaded:
		m.OpenNewGroup()
	case key.Matches(msg, k.Undo):
		return m.UndoDeletion(), true
	case key.Matches(msg, m.Keys.Panel.Back):
		return Action{Do: Leave}, true
	case key.Matches(msg, k.Switch) && !m.loaded:
		return Action{Do: Load}, true
	default:
		return m.agentKey(msg)
	}
	return Action{}, true
}

// agentKey handles what can be done to the agent under the cursor.
func (m *Model) agentKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Agents
	a, ok := m.selected()
	if !ok {
		return Action{}, false
	}
	switch {
	case key.Matches(msg, k.Switch):
		if a.ID == m.current {
			m.Notice = m.Words.Say("agents.here")
			return Action{}, true
		}
		return Action{Do: Switch, ID: a.ID}, true
	case key.Matches(msg, k.Open):
		m.subject, m.reading = a, true
		m.List.Reset()
		m.Build()
	case key.Matches(msg, k.Edit):
		m.edit(a)
	case key.Matches(msg, k.Delete) && !a.Group && a.Empty() && a.CreatedAt.IsZero():
		m.Notice = m.Words.Say("agents.empty")
	case key.Matches(msg, k.Delete):
		m.OpenDelete(a)
	default:
		return Action{}, false
	}
	return Action{}, true
}

// edit opens the form of an agent or a group.
func (m *Model) edit(a lookup.AgentInfo) {
	if a.Group {
		m.openGroup(a)
		return
	}
	m.openForm(a, a.Name)
}

// pageKey takes a key while an agent is read.
func (m *Model) pageKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Agents
	switch {
	case key.Matches(msg, k.Close), key.Matches(msg, m.Keys.Panel.Back):
		m.closePage()
	case key.Matches(msg, k.Edit):
		m.edit(m.subject)
	case key.Matches(msg, k.Delete):
		m.OpenDelete(m.subject)
	case key.Matches(msg, k.Switch) && m.subject.ID != m.current:
		return Action{Do: Switch, ID: m.subject.ID}, true
	default:
		return Action{}, false
	}
	return Action{}, true
}

// UndoDeletion asks for the newest deletion to be undone.
func (m *Model) UndoDeletion() Action {
	if d, ok := m.Undo(); ok {
		return Action{Do: Restore, ID: d.Of, Deletion: d.ID}
	}
	return Action{}
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Agents
	switch {
	case m.reading:
		return m.Hints(m.Words.Say("hint.back"), k.Switch, k.Edit, k.Delete)
	case !m.loaded:
		return nil
	}
	return m.Hints("", k.Switch, k.Open, k.Add, k.AddGroup, k.Edit, k.Delete)
}
