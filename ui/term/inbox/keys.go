package inbox

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/term/list"
	"memoria/ui/words"
)

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	switch {
	case key.Matches(msg, m.Keys.Inbox.Undo):
		return m.UndoLast(), true
	case key.Matches(msg, m.Keys.Panel.Back):
		return Action{Do: Leave}, true
	}
	return m.entryKey(msg)
}

// pageRows is how many entries a page key passes.
const pageRows = 5

// entryKey handles what can be done to an entry.
func (m *Model) entryKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.Inbox
	e, ok := m.current()
	if !ok || !key.Matches(msg, k.Accept, k.Edit, k.Reject, k.All, k.Group, k.Source, k.Copy) {
		return Action{}, false
	}
	if m.Busy && !key.Matches(msg, k.Source, k.Copy) {
		return Action{}, true // an answer is on its way; the list may be another then
	}
	switch {
	case key.Matches(msg, k.Accept):
		m.Busy = true
		return Action{Do: Accept, Items: shown(e), Text: e.Item.Content}, true
	case key.Matches(msg, k.Reject):
		m.Busy = true
		return Action{Do: Reject, Items: shown(e), Text: e.Item.Content}, true
	case key.Matches(msg, k.All):
		m.askAll()
	case key.Matches(msg, k.Group):
		m.askGroup(e)
	case key.Matches(msg, k.Edit):
		m.openForm(e)
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: e.Item.Content}, true
	case len(e.Item.Evidence) == 0:
		m.Notice = "It comes from no message: it came with an import or from another program."
	case e.Gone:
		m.Notice = "The message it came from was deleted."
	default:
		return Action{Do: Source, ID: e.Item.ID, Evidence: e.Item.Evidence[0]}, true
	}
	return Action{}, true
}

// UndoLast asks for the last rejection to be undone, or the last acceptance.
func (m *Model) UndoLast() Action {
	if n := len(m.accepted); n > 0 && len(m.Removed) == 0 {
		return m.Once(Action{Do: Undo, ID: m.accepted[n-1]})
	}
	if d, ok := m.Undo(); ok {
		return Action{Do: Restore, ID: d.ID, Text: d.Title}
	}
	return Action{}
}

// more asks for the entries that follow.
func (m *Model) more() Action {
	if len(m.entries) < m.total {
		return Action{Do: More}
	}
	return Action{}
}

func (m *Model) askAll() {
	what := "Accept all that is listed here?"
	if n := len(m.entries); n > 1 {
		what = fmt.Sprintf("Accept all %d that are listed here?", n)
	}
	m.Ask(func(bool) []string {
		return []string{
			m.Wrapped(m.Styles.Bad, what, 1)[0],
			" " + m.Styles.Key.Render("ctrl+y") + " accepts them · any other key does not",
		}
	}, list.Answer[Action]{Key: m.Keys.Confirm.Do, Do: Action{Do: Accept, Items: shown(m.entries...)}})
	m.Question.Closes = true
}

// askGroup asks what to do with all entries like e.
func (m *Model) askGroup(e Entry) {
	all := m.like(e)
	what := list.Plural(len(all), words.Readable(e.Item.Type))
	if e.group() != "" {
		what += " from imports"
	}
	m.Ask(func(bool) []string {
		return append(m.Wrapped(m.Styles.Bad, "Decide about "+what+"?", 1),
			" "+m.Styles.Key.Render("ctrl+y")+" accepts · "+m.Styles.Key.Render("ctrl+x")+" rejects all",
			" any other key leaves them")
	}, list.Answer[Action]{Key: m.Keys.Erase.Memories, Do: Action{Do: Reject, Items: shown(all...), Text: what}},
		list.Answer[Action]{Key: m.Keys.Confirm.Do, Do: Action{Do: Accept, Items: shown(all...)}})
	m.Question.Closes = true
}

func (m *Model) openForm(e Entry) {
	f := m.Keys.Form
	text := list.Text("", "one sentence, as it should be recalled", e.Item.Content, 8)
	m.Open(&list.Form[Action]{
		Title: "edit, then it is accepted", Inset: 3, Fields: []*list.Input{text}, Hints: []key.Binding{f.Save, f.NewLine, f.Leave},
		Save: func() Action {
			if text.Written() == "" {
				m.Notice = "A memory needs some words."
				return Action{}
			}
			return m.Once(Action{Do: Edit, Items: shown(e), Text: text.Written()})
		},
	})
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	if len(m.entries) == 0 {
		return nil
	}
	k := m.Keys.Inbox
	return m.Hints("", k.Accept, k.Edit, k.Reject, k.All, k.Group, k.Source, k.Copy)
}
