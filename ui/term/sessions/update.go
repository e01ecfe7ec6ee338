package sessions

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
)

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Sessions
	switch {
	case key.Matches(msg, k.Search):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.New):
		return Action{Do: Begin}, true
	case key.Matches(msg, k.Undo):
		if d, ok := m.Undo(); ok {
			return Action{Do: Restore, ID: d.ID, SessionID: d.Of}, true
		}
		return Action{}, true
	case key.Matches(msg, m.Keys.Panel.Back):
		if m.search.query != "" {
			return m.EndSearch(), true
		}
		return Action{Do: Leave}, true
	}
	return m.sessionKey(msg)
}

// sessionKey handles what can be done to the row under the cursor.
func (m *Model) sessionKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Sessions
	at, ok := m.List.Selected()
	if !ok {
		if key.Matches(msg, k.Open) && m.all.Failed != "" && m.search.query == "" {
			return m.more(), true
		}
		return Action{}, false
	}
	r := at.Of
	a := Action{SessionID: r.session.ID, RecordID: r.hit.RecordID}
	switch {
	case key.Matches(msg, k.Open):
		a.Do = Open
	case key.Matches(msg, k.Jump):
		if a.RecordID == "" {
			a.RecordID = r.best
		}
		if a.RecordID == "" {
			m.Notice = m.Words.Say("sessions.jump")
			return Action{}, true
		}
		a.Do = Open
	case key.Matches(msg, k.Rename):
		m.OpenRename(r.session)
		return Action{}, true
	case key.Matches(msg, k.Delete):
		m.OpenDelete(r.session)
		return Action{}, true
	case key.Matches(msg, k.Export):
		a.Do = Export
	case key.Matches(msg, k.Copy):
		a.Do, a.Text = Copy, r.session.Title
		if a.RecordID != "" {
			a.Text = r.hit.Text
		}
	default:
		return Action{}, false
	}
	return a, true
}

// more asks once for the sessions that follow.
func (m *Model) more() Action {
	if m.search.query != "" {
		return Action{}
	}
	offset, ok := m.all.Next()
	if !ok {
		return Action{}
	}
	m.Build()
	return Action{Do: Load, Offset: offset}
}

// Selected is the session under the cursor.
func (m *Model) Selected() (memory.Session, bool) {
	r, ok := m.List.Selected()
	return r.Of.session, ok
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Sessions
	if m.Typing {
		last := "sessions.keys.found"
		if m.search.failed != "" {
			last = "sessions.keys.again"
		}
		return m.Wrapped(m.Styles.Dim, m.Words.Say(last), 1)
	}
	leave := ""
	if m.search.query != "" {
		leave = m.Words.Say("sessions.keys.all")
	}
	if _, ok := m.Selected(); !ok {
		return m.Hints(leave, k.Search, k.New)
	}
	if r, _ := m.List.Selected(); r.Of.hit.RecordID != "" {
		return m.Hints(leave, k.Jump, k.Copy, k.Search, k.Rename, k.Delete)
	}
	return m.Hints(leave, k.Open, k.Search, k.Rename, k.Delete, k.New, k.Copy)
}
