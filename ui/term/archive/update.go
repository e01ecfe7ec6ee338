package archive

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/cells"
)

// OpenSearch opens the search field with the given words. If there are any, the search is
// no longer limited to bookmarks.
func (m *Model) OpenSearch(words string) Action {
	m.learning = false
	if words != "" {
		m.asked.Collected = false
	}
	return m.Base.OpenSearch(words)
}

// ask starts a search for q unless its results are already shown. The old results stay until
// the new ones arrive.
func (m *Model) ask(q Question) Action {
	if q.same(m.asked) && m.failed == "" {
		m.Build()
		return Action{}
	}
	m.asked, m.failed = q, ""
	m.hits.Stale()
	m.List.Reset()
	m.Build()
	return Action{Do: Ask, Question: q}
}

// key handles a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Archive
	switch {
	case key.Matches(msg, k.Undo):
		if d, ok := m.Undo(); ok {
			return Action{Do: Restore, ID: d.ID}, true
		}
		return Action{}, true
	case key.Matches(msg, m.Keys.Panel.Back):
		return m.back(), true
	case m.learning:
		return m.lessonKey(msg)
	case key.Matches(msg, k.Search):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.Bookmarks):
		return m.ask(Question{Words: m.asked.Words, Collected: !m.asked.Collected}), true
	}
	return m.hitKey(msg)
}

// back closes the innermost view: the lessons, then the search, then the bookmark filter. It
// leaves the pane if none is open.
func (m *Model) back() Action {
	switch {
	case m.learning:
		m.learning, m.Busy = false, false
		m.Build()
		m.List.Seek("h " + m.subject.RecordID)
		return Action{}
	case m.asked.Words != "":
		return m.EndSearch()
	case m.asked.Collected:
		return m.ask(Question{})
	}
	return Action{Do: Leave}
}

// lessonKey handles a key for the lesson under the cursor.
func (m *Model) lessonKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Archive
	r, ok := m.List.Selected()
	if !ok || !key.Matches(msg, k.Open, k.Copy) {
		return Action{}, false
	}
	it := r.Of.item
	if key.Matches(msg, k.Copy) {
		return Action{Do: Copy, Text: it.Content}, true
	}
	return Action{Do: OpenItem, Item: it}, true
}

// hitKey handles a key for the message under the cursor.
func (m *Model) hitKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Archive
	h, ok := m.Selected()
	if !ok {
		if key.Matches(msg, k.Open) && m.failed != "" {
			return m.ask(m.asked), true
		}
		return Action{}, false
	}
	a := Action{SessionID: h.SessionID, RecordID: h.RecordID}
	switch {
	case key.Matches(msg, k.Open):
		a.Do = Open
	case key.Matches(msg, k.Mark):
		a.Do, a.On = Mark, !h.Collected
		return m.Once(a), true
	case key.Matches(msg, k.Learned):
		return m.Learn(h), true
	case key.Matches(msg, k.Delete):
		m.askDelete(h)
		return Action{}, true
	case key.Matches(msg, k.Copy):
		a.Do, a.Text = Copy, h.Text
	default:
		return Action{}, false
	}
	return a, true
}

// Learn shows the lessons of a message and returns the action that reads them. The message
// need not be in the list.
func (m *Model) Learn(h Hit) Action {
	m.StopTyping()
	m.subject, m.learning, m.lessons, m.Busy = h, true, nil, true
	m.Build()
	return Action{Do: Learned, SessionID: h.SessionID, RecordID: h.RecordID}
}

// askDelete asks whether to delete only the message, or also the memories learned from it
// alone (D2).
func (m *Model) askDelete(h Hit) {
	k, w := m.Keys.Erase, m.Words
	k.Messages.SetHelp(k.Messages.Help().Key, w.Say("archive.delete.message"))
	k.Memories.SetHelp(k.Memories.Help().Key, w.Say("archive.delete.memories"))
	m.subject = h
	m.AskErase(k,
		func() string {
			return w.Say("archive.delete", m.Named(h.Text, cells.Width(w.Say("archive.delete", ""))+4))
		},
		func() string {
			return w.Say("archive.deleting", m.Named(h.Text, cells.Width(w.Say("archive.deleting", ""))+4))
		},
		Action{Do: Delete, RecordID: h.RecordID}, Action{Do: Delete, RecordID: h.RecordID, Memories: true})
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k, w := m.Keys.Archive, m.Words
	switch {
	case m.Typing:
		last := "archive.keys.found"
		if m.failed != "" {
			last = "archive.keys.again"
		}
		return m.Wrapped(m.Styles.Dim, w.Say(last), 1)
	case m.learning && len(m.lessons) == 0:
		return m.Hints(w.Say("history.back"))
	case m.learning:
		k.Open.SetHelp("enter", w.Say("archive.keys.memory"))
		return m.Hints(w.Say("history.back"), k.Open, k.Copy)
	}
	leave := ""
	if m.asked.Words != "" || m.asked.Collected {
		leave = w.Say("archive.keys.all")
	}
	if m.asked.Collected {
		k.Bookmarks.SetHelp(k.Bookmarks.Help().Key, w.Say("archive.keys.any"))
	}
	if _, ok := m.Selected(); !ok {
		return m.Hints(leave, k.Search, k.Bookmarks)
	}
	return m.Hints(leave, k.Open, k.Search, k.Learned, k.Mark, k.Bookmarks, k.Delete, k.Copy)
}

// more requests the next page of messages, unless it is already being read.
func (m *Model) more() Action {
	if m.learning || m.failed != "" || !m.hits.Loaded {
		return Action{}
	}
	offset, ok := m.hits.Next()
	if !ok {
		return Action{}
	}
	q := m.asked
	q.Offset = offset
	m.Build()
	return Action{Do: Ask, Question: q}
}

// Selected returns the message under the cursor. ok is false for none, or while lessons are
// shown.
func (m *Model) Selected() (hit Hit, ok bool) {
	r, ok := m.List.Selected()
	return r.Of.hit, ok && !m.learning
}

// Learning returns the id of the message whose lessons are shown, "" for none.
func (m *Model) Learning() string {
	if m.learning {
		return m.subject.RecordID
	}
	return ""
}

// states are the messages that name the states of an item that are worth naming.
var states = map[memory.State]string{
	memory.StateHeld: "archive.state.held", memory.StateMuted: "archive.state.muted", memory.StateInactive: "archive.state.inactive",
}

// lesson returns the type of an item, and its state unless that is active.
func (m *Model) lesson(it memory.Item) string {
	kind := m.Words.Named("type", string(it.Type))
	if id, ok := states[it.State]; ok {
		return kind + m.Words.Say("sep.comma") + m.Words.Say(id)
	}
	return kind
}
