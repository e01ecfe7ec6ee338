package inbox

import (
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
		m.Notice = m.Words.Say("inbox.no-source")
	case e.Gone:
		m.Notice = m.Words.Say("quote.gone", m.Words.Say("quote.deleted"))
	default:
		return Action{Do: Source, ID: e.Item.ID, Evidence: e.Item.Evidence[0]}, true
	}
	return Action{}, true
}

// UndoLast asks for the last decision to be undone: an acceptance or a rejection.
func (m *Model) UndoLast() Action {
	if d, ok := m.last(); ok && d.rejected == "" {
		var items []Shown
		for _, it := range d.accepted {
			items = append(items, Shown{ID: it.ID, Version: it.Version})
		}
		return m.Once(Action{Do: Undo, Items: items})
	}
	if d, ok := m.Undo(); ok {
		return Action{Do: Restore, ID: d.ID, Text: d.Title}
	}
	return Action{}
}

// asks returns the question of the key that undoes, where the last decision was an acceptance; "" for
// the usual one.
func (m *Model) asks(msg tea.KeyPressMsg) string {
	d, ok := m.last()
	switch {
	case !key.Matches(msg, m.Keys.Inbox.Undo) || !ok || d.rejected != "":
		return ""
	case len(d.accepted) == 1:
		return m.Quoting("inbox.undo.ask", d.accepted[0].Content)
	}
	return m.Words.Say("inbox.undo.ask", list.Count(m.Words.Words, len(d.accepted), "memory"))
}

// more asks for the entries that follow.
func (m *Model) more() Action {
	if len(m.entries) < m.total {
		return Action{Do: More}
	}
	return Action{}
}

func (m *Model) askAll() {
	what := m.Words.Say("inbox.ask.only")
	if n := len(m.entries); n > 1 {
		what = m.Words.Say("inbox.ask.all", n)
	}
	m.Ask(func(bool) []string {
		return []string{
			m.Wrapped(m.Styles.Bad, what, 1)[0],
			" " + m.Words.Say("inbox.ask.all.keys", m.Styles.Key.Render(m.Keys.Confirm.Do.Help().Key)),
		}
	}, list.Answer[Action]{Key: m.Keys.Confirm.Do, Do: Action{Do: Accept, Items: shown(m.entries...)}})
	m.Question.Closes = true
}

// askGroup asks what to do with all entries like e.
func (m *Model) askGroup(e Entry) {
	all := m.like(e)
	what := m.Words.Count(len(all), words.Readable(e.Item.Type))
	if e.group() != "" {
		what = m.Words.Say("inbox.imports", what)
	}
	m.Ask(func(bool) []string {
		return append(m.Wrapped(m.Styles.Bad, m.Words.Say("inbox.ask.group", what), 1),
			" "+m.Words.Say("inbox.ask.group.keys", m.Styles.Key.Render(m.Keys.Confirm.Do.Help().Key), m.Styles.Key.Render("ctrl+x")),
			" "+m.Words.Say("inbox.ask.group.other"))
	}, list.Answer[Action]{Key: m.Keys.Erase.Memories, Do: Action{Do: Reject, Items: shown(all...), Text: what}},
		list.Answer[Action]{Key: m.Keys.Confirm.Do, Do: Action{Do: Accept, Items: shown(all...)}})
	m.Question.Closes = true
}

func (m *Model) openForm(e Entry) {
	f := m.Keys.Form
	text := list.Text("", m.Words.Say("memories.content.hint"), e.Item.Content, 8)
	m.Open(&list.Form[Action]{
		ID: "entry " + e.Item.ID, Title: m.Words.Say("inbox.edit"), Inset: 3, Fields: []*list.Input{text},
		Hints: []key.Binding{f.Save, f.NewLine, f.Leave},
		Save: func() Action {
			if text.Written() == "" {
				m.Notice = m.Words.Say("memories.content.none")
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
