package sessions

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
)

// Key takes a key while the part has the keyboard. handled is false for keys
// that mean nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	switch m.mode {
	case searching:
		return m.searchKey(msg)
	case renaming:
		return m.renameKey(msg), true
	case confirming:
		return m.confirmKey(msg), true
	}
	return m.listKey(msg)
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	switch m.mode {
	case searching:
		if m.search.Update(msg) {
			return m.ask(m.search.Value())
		}
	case renaming:
		m.title.Update(msg)
	}
	return Action{}
}

func (m *Model) renameKey(msg tea.KeyPressMsg) Action {
	f := m.keys.Form
	switch {
	case key.Matches(msg, f.Leave):
		m.leaveField()
		m.busy, m.notice = false, ""
	case m.busy:
	case key.Matches(msg, f.Save):
		title := strings.Join(strings.Fields(m.title.Value()), " ") // on one line
		switch {
		case title == "":
			m.notice = "A title needs some words."
		case m.title.Value() == m.before:
			m.leaveField()
			m.notice = ""
		default:
			m.busy, m.notice = true, ""
			return Action{Do: Rename, SessionID: m.subject.ID, Title: title}
		}
	default:
		m.title.Update(msg)
	}
	return Action{}
}

func (m *Model) confirmKey(msg tea.KeyPressMsg) Action {
	k := m.keys.Erase
	switch {
	case m.busy:
		if key.Matches(msg, k.Other) {
			m.mode, m.busy = listing, false
		}
	case key.Matches(msg, k.Messages, k.Memories):
		m.busy, m.notice = true, ""
		return Action{Do: Delete, SessionID: m.subject.ID, Title: m.subject.Title, Memories: key.Matches(msg, k.Memories)}
	default:
		m.mode = listing
	}
	return Action{}
}

func (m *Model) listKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Sessions
	m.notice = ""
	page := max(1, m.height-4)
	switch {
	case key.Matches(msg, k.Up):
		return m.move(-1), true
	case key.Matches(msg, k.Down):
		return m.move(1), true
	case key.Matches(msg, k.PageUp):
		return m.move(-page), true
	case key.Matches(msg, k.PageDown):
		return m.move(page), true
	case key.Matches(msg, k.Home):
		return m.move(-m.view.Len()), true
	case key.Matches(msg, k.End):
		return m.move(m.view.Len()), true
	case key.Matches(msg, k.Search):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.New):
		return Action{Do: Begin}, true
	case key.Matches(msg, k.TakeBack):
		return m.takeBack(), true
	case key.Matches(msg, m.keys.Panel.Back):
		if m.query != "" {
			return m.endSearch(), true
		}
		return Action{Do: Leave}, true
	}
	return m.sessionKey(msg)
}

func (m *Model) takeBack() Action {
	if m.busy {
		return Action{}
	}
	d, ok := m.removed.Newest()
	if !ok {
		m.notice = "There is nothing to take back."
		return Action{}
	}
	m.busy = true
	return Action{Do: TakeBack, ID: d.ID, SessionID: d.Of}
}

// sessionKey handles what can be done to the row under the cursor.
func (m *Model) sessionKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Sessions
	at, ok := m.view.Selected()
	if !ok {
		if key.Matches(msg, k.Open) && m.problem != "" && m.query == "" {
			return m.load(), true
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
			m.notice = "Only a message that a search found can be jumped to: / searches."
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

// nearEnd is how many rows before the end more is asked for.
const nearEnd = 10

// move moves the cursor by n rows that can be chosen.
func (m *Model) move(n int) Action {
	m.view.Move(n)
	if n > 0 && m.query == "" && m.more() && m.view.Below() < nearEnd {
		return m.load()
	}
	return Action{}
}

// more reports whether the list goes on behind what is loaded.
func (m *Model) more() bool { return !m.loaded || len(m.list) < m.total }

// load asks once for the sessions that follow.
func (m *Model) load() Action {
	if m.reading {
		return Action{}
	}
	m.reading, m.problem = true, ""
	m.build()
	return Action{Do: Load, Offset: len(m.list)}
}

// Wheel scrolls by n rows.
func (m *Model) Wheel(n int) Action {
	if m.mode == listing || m.mode == searching {
		return m.move(n)
	}
	return Action{}
}

// Selected is the session under the cursor.
func (m *Model) Selected() (memory.Session, bool) {
	r, ok := m.view.Selected()
	return r.Of.session, ok
}

// row is what stands under the cursor.
func (m *Model) row() entry {
	r, _ := m.view.Selected()
	return r.Of
}
