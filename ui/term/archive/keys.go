package archive

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/cells"
)

// OpenSearch lets the user type what to look for, and begins with words: those
// are looked for in all messages.
func (m *Model) OpenSearch(words string) Action {
	m.learning = false
	if words != "" {
		m.asked.Collected = false
	}
	return m.Base.OpenSearch(words)
}

// ask looks for something else; the old answer stays until the new one is there.
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

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Archive
	switch {
	case key.Matches(msg, k.TakeBack):
		if d, ok := m.Undo(); ok {
			return Action{Do: TakeBack, ID: d.ID}, true
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

// back closes the innermost view.
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

// lessonKey handles what can be done to what was learned.
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

// hitKey handles what can be done to the message under the cursor.
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

// Learn shows what was learned from a message, which need not be in the list; the
// answer asks for it.
func (m *Model) Learn(h Hit) Action {
	m.StopTyping()
	m.subject, m.learning, m.lessons, m.Busy = h, true, nil, true
	m.Build()
	return Action{Do: Learned, SessionID: h.SessionID, RecordID: h.RecordID}
}

// askDelete asks how far the deletion of a message goes (D2).
func (m *Model) askDelete(h Hit) {
	k := m.Keys.Erase
	k.Messages.SetHelp("del", "the message only")
	k.Memories.SetHelp("ctrl+x", "the message and the memories made from it alone")
	m.subject = h
	m.AskErase(k,
		func() string { return "Delete " + m.Named(h.Text, cells.Width(" Delete “”? ")) + "?" },
		func() string { return "deleting " + m.Named(h.Text, 16) + " …" },
		Action{Do: Delete, RecordID: h.RecordID}, Action{Do: Delete, RecordID: h.RecordID, Memories: true})
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.Archive
	switch {
	case m.Typing:
		last := "enter to what was found · esc all messages"
		if m.failed != "" {
			last = "enter tries again · esc all messages"
		}
		return m.Wrapped(m.Styles.Dim, last, 1)
	case m.learning && len(m.lessons) == 0:
		return m.Hints("esc back")
	case m.learning:
		k.Open.SetHelp("enter", "open the memory")
		return m.Hints("esc back", k.Open, k.Copy)
	}
	leave := ""
	if m.asked.Words != "" || m.asked.Collected {
		leave = "esc all messages"
	}
	if m.asked.Collected {
		k.Bookmarks.SetHelp("b", "all")
	}
	if _, ok := m.Selected(); !ok {
		return m.Hints(leave, k.Search, k.Bookmarks)
	}
	return m.Hints(leave, k.Open, k.Search, k.Learned, k.Mark, k.Bookmarks, k.Delete, k.Copy)
}

// more asks once for the messages that follow.
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

// Selected is the message under the cursor.
func (m *Model) Selected() (Hit, bool) {
	r, ok := m.List.Selected()
	return r.Of.hit, ok && !m.learning
}

// Learning is the message whose lessons are shown, "" for none.
func (m *Model) Learning() string {
	if m.learning {
		return m.subject.RecordID
	}
	return ""
}

// lesson is an item in a word or two.
func lesson(it memory.Item) string {
	if it.State != memory.StateActive {
		return string(it.Type) + ", " + string(it.State)
	}
	return string(it.Type)
}
