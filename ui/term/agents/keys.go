package agents

import (
	"memoria/memory/lookup"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Key takes a key while the part has the keyboard. handled is false for keys that
// mean nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	switch m.mode {
	case editing:
		return m.formKey(msg), true
	case grouping:
		return m.groupKey(msg), true
	case confirming:
		return m.confirmKey(msg), true
	case reading:
		return m.pageKey(msg)
	}
	return m.listKey(msg)
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	if m.mode == editing && !m.busy && m.form.at < atColor {
		m.form.all()[m.form.at].Update(msg)
	}
	if m.mode == grouping && !m.busy && m.group.at == atGroupName {
		m.group.name.Update(msg)
	}
	return Action{}
}

// Wheel scrolls by n rows.
func (m *Model) Wheel(n int) Action {
	switch m.mode {
	case listing:
		m.view.Move(n)
	case reading:
		m.page.Move(n)
	case grouping:
		m.group.list.Move(n)
	}
	return Action{}
}

func (m *Model) confirmKey(msg tea.KeyPressMsg) Action {
	k := m.keys.Confirm
	switch {
	case m.busy:
		if key.Matches(msg, k.Other) {
			m.mode, m.busy = listing, false
		}
	case m.subject.Group && key.Matches(msg, k.Yes, m.keys.Erase.Memories):
		m.busy, m.notice = true, ""
		return Action{Do: DeleteGroup, ID: m.subject.ID, Memories: !key.Matches(msg, k.Yes)}
	case key.Matches(msg, k.Yes):
		m.busy, m.notice = true, ""
		return Action{Do: Delete, ID: m.subject.ID}
	default:
		m.mode = listing
	}
	return Action{}
}

func (m *Model) listKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Agents
	m.notice, m.wanted = "", ""
	page := max(1, m.height/2-2)
	switch {
	case key.Matches(msg, k.Up):
		m.view.Move(-1)
	case key.Matches(msg, k.Down):
		m.view.Move(1)
	case key.Matches(msg, k.PageUp):
		m.view.Move(-page)
	case key.Matches(msg, k.PageDown):
		m.view.Move(page)
	case key.Matches(msg, k.Home):
		m.view.Move(-m.view.Len())
	case key.Matches(msg, k.End):
		m.view.Move(m.view.Len())
	case key.Matches(msg, k.Add):
		m.OpenNew("")
	case key.Matches(msg, k.AddGroup) && m.loaded:
		m.OpenNewGroup()
	case key.Matches(msg, k.TakeBack):
		return m.takeBack(), true
	case key.Matches(msg, m.keys.Panel.Back):
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
	k := m.keys.Agents
	a, ok := m.selected()
	if !ok {
		return Action{}, false
	}
	switch {
	case key.Matches(msg, k.Switch):
		if a.ID == m.current {
			m.notice = "You are talking to it."
			return Action{}, true
		}
		return Action{Do: Switch, ID: a.ID}, true
	case key.Matches(msg, k.Open):
		m.subject, m.mode = a, reading
		m.page.Reset()
		m.build()
	case key.Matches(msg, k.Edit):
		m.edit(a)
	case key.Matches(msg, k.Delete) && !a.Group && a.Empty() && a.CreatedAt.IsZero():
		m.notice = "There is nothing of it to delete."
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
	m.subject = a
	m.openForm()
}

func (m *Model) pageKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Agents
	m.notice = ""
	page := max(1, m.height-3)
	switch {
	case key.Matches(msg, k.Up):
		m.page.Move(-1)
	case key.Matches(msg, k.Down):
		m.page.Move(1)
	case key.Matches(msg, k.PageUp):
		m.page.Move(-page)
	case key.Matches(msg, k.PageDown):
		m.page.Move(page)
	case key.Matches(msg, k.Home):
		m.page.Move(-m.page.Len())
	case key.Matches(msg, k.End):
		m.page.Move(m.page.Len())
	case key.Matches(msg, k.Close), key.Matches(msg, m.keys.Panel.Back):
		m.mode = listing
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

func (m *Model) takeBack() Action {
	d, ok := m.removed.Newest()
	switch {
	case m.busy:
		return Action{}
	case !ok:
		m.notice = "There is nothing to take back."
		return Action{}
	}
	m.busy = true
	return Action{Do: TakeBack, ID: d.Of, Deletion: d.ID}
}

// TakeBack asks for the newest deletion to be taken back.
func (m *Model) TakeBack() Action { return m.takeBack() }
