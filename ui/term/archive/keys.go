package archive

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
	case confirming:
		return m.confirmKey(msg), true
	}
	return m.listKey(msg)
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	if m.mode == searching && m.search.Update(msg) {
		return m.typed()
	}
	return Action{}
}

// OpenSearch lets the user type what to look for, and begins with words: those
// are looked for in all messages.
func (m *Model) OpenSearch(words string) Action {
	m.mode, m.notice = searching, ""
	m.search.Focus()
	if words != "" {
		m.search.Set(words)
		m.asked.Collected = false
		return m.typed()
	}
	m.build()
	return Action{}
}

// typed asks what stands in the field.
func (m *Model) typed() Action {
	a := m.ask(Question{Words: strings.TrimSpace(m.search.Value()), Collected: m.asked.Collected})
	a.Typed = true
	return a
}

// ask looks for something else; the old answer stays until the new one is there.
func (m *Model) ask(q Question) Action {
	if q.same(m.asked) && m.failed == "" {
		m.build()
		return Action{}
	}
	m.asked, m.answered, m.failed, m.problem, m.reading = q, false, "", "", false
	m.list.Reset()
	m.build()
	return Action{Do: Ask, Question: q}
}

func (m *Model) searchKey(msg tea.KeyPressMsg) (Action, bool) {
	switch {
	case key.Matches(msg, m.keys.Panel.Back):
		m.stopTyping()
		m.search.Set("")
		return m.ask(Question{Collected: m.asked.Collected}), true
	case msg.String() == "enter" && m.failed != "":
		return m.ask(m.asked), true
	case msg.String() == "enter", msg.String() == "down", msg.String() == "up":
		m.stopTyping()
		m.build()
		return Action{}, true
	case msg.String() == "tab", msg.String() == "shift+tab":
		return Action{}, false
	}
	if m.search.Update(msg) {
		return m.typed(), true
	}
	return Action{}, true
}

func (m *Model) stopTyping() {
	m.search.Blur()
	if m.mode == searching {
		m.mode = listing
	}
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
		return Action{Do: Delete, RecordID: m.subject.RecordID, Memories: key.Matches(msg, k.Memories)}
	default:
		m.mode = listing
	}
	return Action{}
}

func (m *Model) listKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Archive
	m.notice = ""
	page := max(1, (m.height-4)/2)
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
		return m.move(-m.list.Len()), true
	case key.Matches(msg, k.End):
		return m.move(m.list.Len()), true
	case key.Matches(msg, k.TakeBack):
		return m.takeBack(), true
	case key.Matches(msg, m.keys.Panel.Back):
		return m.back(), true
	case m.mode == learning:
		return m.lessonKey(msg)
	case key.Matches(msg, k.Search):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.Bookmarks):
		return m.ask(Question{Words: m.asked.Words, Collected: !m.asked.Collected}), true
	}
	return m.hitKey(msg)
}

// back leaves what is innermost.
func (m *Model) back() Action {
	switch {
	case m.mode == learning:
		m.mode, m.busy = listing, false
		m.build()
		m.list.Seek("h " + m.subject.RecordID)
		return Action{}
	case m.asked.Words != "":
		m.search.Set("")
		return m.ask(Question{Collected: m.asked.Collected})
	case m.asked.Collected:
		return m.ask(Question{})
	}
	return Action{Do: Leave}
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
	return Action{Do: TakeBack, ID: d.ID}
}

// lessonKey handles what can be done to what was learned.
func (m *Model) lessonKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.Archive
	r, ok := m.list.Selected()
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
	k := m.keys.Archive
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
		if m.busy {
			return Action{}, true
		}
		m.busy, a.Do, a.On = true, Mark, !h.Collected
	case key.Matches(msg, k.Learned):
		return m.Learn(h), true
	case key.Matches(msg, k.Delete):
		m.subject, m.mode, m.busy = h, confirming, false
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
	if m.mode == searching {
		m.stopTyping()
	}
	m.subject, m.mode, m.lessons, m.busy = h, learning, nil, true
	m.build()
	return Action{Do: Learned, SessionID: h.SessionID, RecordID: h.RecordID}
}

// nearEnd is how many rows before the end more is asked for.
const nearEnd = 5

// move moves the cursor by n rows that can be chosen.
func (m *Model) move(n int) Action {
	m.list.Move(n)
	if n > 0 && m.mode != learning && m.more() && m.list.Below() < nearEnd {
		return m.load()
	}
	return Action{}
}

// more reports whether the list goes on behind what is loaded.
func (m *Model) more() bool {
	return m.answered && m.failed == "" && !m.ended && len(m.page.Hits) < m.page.Total
}

// load asks once for the messages that follow.
func (m *Model) load() Action {
	if m.reading {
		return Action{}
	}
	m.reading, m.problem = true, ""
	q := m.asked
	q.Offset = len(m.page.Hits)
	m.build()
	return Action{Do: Ask, Question: q}
}

// Wheel scrolls by n rows.
func (m *Model) Wheel(n int) Action {
	if m.mode == confirming {
		return Action{}
	}
	return m.move(n)
}

// Selected is the message under the cursor.
func (m *Model) Selected() (Hit, bool) {
	r, ok := m.list.Selected()
	return r.Of.hit, ok && m.mode != learning
}

// Learning is the message whose lessons are shown, "" for none.
func (m *Model) Learning() string {
	if m.mode == learning {
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
