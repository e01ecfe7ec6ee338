package recall

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/term/list"
)

// Key takes a key while the pane has the keyboard. handled is false for keys without a
// meaning here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	switch {
	case m.Capturing() || m.Asking():
	case m.opened.page == pastPage:
		return m.pastKey(msg)
	case m.opened.page == lifePage:
		return lifePages{m}.key(msg)
	}
	return m.Base.Key(msg)
}

// key takes a key that does not move the cursor.
func (m *Model) key(msg tea.KeyPressMsg) (Action, bool) {
	if m.opened.page != noPage {
		return m.detailKey(msg)
	}
	k := m.Keys.List
	switch {
	case key.Matches(msg, k.Unused) && scores{m}.leaveOut():
		m.preview.unused = !m.preview.unused
		m.Build()
		return Action{}, true
	case key.Matches(msg, k.Unused) && listing{m}.hides():
		m.ended, m.dated.rows = !m.ended, nil
		return Action{Do: Filter}, true
	case key.Matches(msg, k.Numbers) && scores{m}.shown():
		m.numbers = !m.numbers
		m.Build()
		return Action{}, true
	case key.Matches(msg, k.Life) && m.unavailable == "" && m.only == partRecall:
		return Action{Do: Days}, true
	case key.Matches(msg, k.Life) && m.unavailable == "":
		return m.OpenLife(), true
	case key.Matches(msg, k.DeleteAll):
		if m.filter == "" {
			m.Notice = m.Words.Say("memories.filter.first")
			return Action{}, true
		}
		return Action{Do: Match, Text: m.filter}, true
	case key.Matches(msg, k.Filter) && m.unavailable != "": // there is nothing to find
		return Action{}, false
	case key.Matches(msg, k.Filter) && m.only == partRecall:
		return Action{Do: Find}, true
	case key.Matches(msg, k.Filter):
		return m.OpenSearch(""), true
	case key.Matches(msg, k.Open):
		if r, ok := m.List.Selected(); ok && r.Of.passage != nil {
			return Action{Do: File, Text: r.Of.passage.Path}, true
		}
		if it, ok := m.current(); ok {
			m.Show(Detail{Item: it})
			return Action{Do: Open, ID: it.ID}, true
		}
		return Action{}, true
	case msg.String() == "esc" && m.filter != "":
		return m.EndSearch(), true
	case msg.String() == "esc" && !m.day.IsZero():
		return m.setDay(time.Time{}), true
	case msg.String() == "esc":
		return Action{Do: Leave}, true
	}
	return m.itemKey(msg)
}

// current is the item that a key is about.
func (m *Model) current() (memory.Item, bool) {
	if m.opened.page != noPage {
		return m.opened.Item, m.opened.page != sourcePage && m.opened.page != lifePage
	}
	r, ok := m.List.Selected()
	if !ok || r.Of.item == nil {
		return memory.Item{}, false
	}
	return *r.Of.item, true
}

// itemKey handles what can be done to one item, in the list and opened.
func (m *Model) itemKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.List
	switch {
	case key.Matches(msg, k.Add) && m.opened.page == noPage:
		m.New()
		return Action{}, true
	case key.Matches(msg, k.Undo):
		return m.undo(), true
	case key.Matches(msg, k.UndoTurn):
		return Action{}, m.askTurn()
	}
	it, ok := m.current()
	if !ok {
		return Action{}, false
	}
	switch {
	case key.Matches(msg, k.Edit):
		m.openForm(it)
	case key.Matches(msg, k.Delete):
		if m.opened.page == noPage {
			m.opened.Detail = Detail{Item: it}
		}
		m.askDelete(it)
	case key.Matches(msg, k.Restore) && it.State == memory.StateInactive:
		m.askBack(it)
	case key.Matches(msg, k.Source):
		if len(it.Evidence) == 0 {
			m.Notice = m.Words.Say("quote.none")
			return Action{}, true
		}
		return Action{Do: Source, ID: it.ID, Evidence: it.Evidence[0]}, true
	case key.Matches(msg, k.Copy):
		return Action{Do: Copy, Text: it.Content}, true
	default:
		return Action{}, false
	}
	return Action{}, true
}

func (m *Model) askDelete(it memory.Item) {
	m.Base.AskDelete(func() string { return m.Quoting("memories.delete", it.Content) },
		Action{Do: Delete, ID: it.ID, Text: it.Content}, m.Words.Say("memories.delete.what"))
	if r, ok := m.List.Selected(); ok && r.Of.item != nil && r.Of.item.ID == it.ID {
		m.Question.Row = r.Key
	}
}

// AskDeleteAll asks whether to delete the items that match a filter.
func (m *Model) AskDeleteAll(filter string, ids []string) {
	if len(ids) == 0 {
		m.Notice = m.Words.Say("memory.no-match")
		return
	}
	n := list.Count(m.Words.Words, len(ids), "memory")
	m.Base.AskDelete(func() string { return m.Quoting("memories.delete-all", filter, n) },
		Action{Do: DeleteAll, IDs: ids, Text: filter}, m.Words.Say("memories.delete-all.what"))
}

// more asks for the memories that follow.
func (m *Model) more() Action {
	if len(m.items) < m.total && m.only != partRecall {
		return Action{Do: More}
	}
	return Action{}
}

// hints returns the keys that work now.
func (m *Model) hints() []string {
	k := m.Keys.List
	switch {
	case m.Typing:
		return m.Hints(m.Words.Say("memories.filter.keys"))
	case m.opened.page == sourcePage && m.opened.source.Gone:
		return m.Hints(m.Words.Say("list.back"))
	case m.opened.page == sourcePage:
		return m.Hints(m.Words.Say("memories.source.keys"))
	case m.opened.page == lifePage:
		return m.Hints(m.Words.Say("life.keys"), m.Keys.Life.Back)
	case m.opened.page == detailPage, m.opened.page == factsPage:
		return m.Hints(m.Words.Say("list.back"), k.Edit, k.Delete, k.Source, k.Copy, k.History, k.Details)
	case m.opened.page == pastPage:
		if _, ok := (story{m}).newestUndoable(); !ok {
			return m.Hints(m.Words.Say("list.back"), k.Up, k.Down)
		}
		return m.Hints(m.Words.Say("list.back"), k.Up, k.Down, k.Undo)
	case m.unavailable != "":
		return nil
	}
	it, ok := m.current()
	switch {
	case !ok:
		return m.Hints("", k.Add, k.Filter, k.Life)
	case it.State == memory.StateInactive:
		return m.Hints("", k.Open, k.Restore, k.Edit, k.Delete, k.Source, k.Copy, k.Filter, k.Life)
	}
	if r, ok := m.List.Selected(); ok && r.Lead > 0 {
		return m.Hints("", k.Open, k.Numbers, k.Edit, k.Delete, k.Source, k.Copy, k.Filter)
	}
	if c, ok := m.change(); ok && m.undoable(c) {
		return m.Hints("", k.Undo, k.UndoTurn, k.Open, k.Edit, k.Delete, k.Source)
	}
	return m.Hints("", k.Open, k.Edit, k.Delete, k.Source, k.Copy, k.Add, k.Filter, k.Life)
}
