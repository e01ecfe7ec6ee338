package recall

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
)

// Key takes a key while the part has the keyboard. handled is false for keys
// that mean nothing here.
func (m *Model) Key(msg tea.KeyPressMsg) (a Action, handled bool) {
	switch m.mode {
	case editing:
		return m.formKey(msg), true
	case filtering:
		return m.filterKey(msg)
	case confirming:
		return m.confirmKey(msg), true
	case asking:
		return m.askKey(msg), true
	case past:
		return m.pastKey(msg)
	case detailing, sourcing:
		return m.detailKey(msg)
	}
	return m.listKey(msg)
}

// Paste takes a paste while [Model.Capturing].
func (m *Model) Paste(msg tea.PasteMsg) Action {
	switch {
	case m.mode == filtering:
		if m.search.Update(msg) {
			return m.filterBy(m.search.Value())
		}
	case m.mode == editing && m.form.at == fieldContent:
		m.form.content.Update(msg)
	case m.mode == editing && m.form.at == fieldTags:
		m.form.tags.Update(msg)
	}
	return Action{}
}

func (m *Model) filterBy(text string) Action {
	m.filter = text
	m.list.Reset()
	return Action{Do: Filter, Text: text}
}

func (m *Model) filterKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.List
	switch {
	case msg.String() == "esc":
		m.mode = listing
		m.search.Set("")
		m.search.Blur()
		a := m.filterBy("")
		m.build()
		return a, true
	case key.Matches(msg, k.Open), msg.String() == "down", msg.String() == "up":
		m.mode = listing
		m.search.Blur()
		m.build()
		return Action{}, true
	case msg.String() == "tab", msg.String() == "shift+tab":
		return Action{}, false
	}
	if m.search.Update(msg) {
		return m.filterBy(m.search.Value()), true
	}
	return Action{}, true
}

func (m *Model) confirmKey(msg tea.KeyPressMsg) Action {
	switch {
	case m.busy:
	case key.Matches(msg, m.keys.Confirm.Yes):
		m.busy = true
		return Action{Do: Delete, ID: m.detail.Item.ID, Text: m.detail.Item.Content}
	default:
		m.mode = m.back
	}
	return Action{}
}

// current is the item that a key is about.
func (m *Model) current() (memory.Item, bool) {
	if m.mode == detailing || m.mode == past {
		return m.detail.Item, true
	}
	r, ok := m.list.Selected()
	return r.Of.item, ok && m.mode == listing && r.Of.passage == nil
}

// itemKey handles what can be done to one item, in the list and opened.
func (m *Model) itemKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.List
	switch {
	case key.Matches(msg, k.Add):
		m.New()
		return Action{}, true
	case key.Matches(msg, k.TakeBack):
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
		m.back = m.mode
		if m.mode == listing {
			m.detail = Detail{Item: it}
		}
		m.mode = confirming
	case key.Matches(msg, k.Source):
		if len(it.Evidence) == 0 {
			m.notice = "It comes from no message: it was written by hand or imported."
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

// TakeBack asks for the last deletion to be undone.
func (m *Model) TakeBack() Action {
	if d, ok := m.removed.Newest(); ok && !m.busy {
		m.busy = true
		return Action{Do: TakeBack, ID: d.ID, Text: d.Title}
	}
	m.notice = "There is nothing to take back."
	return Action{}
}

func (m *Model) listKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.List
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
		return m.move(-m.list.Len()), true
	case key.Matches(msg, k.End):
		return m.move(m.list.Len()), true
	case key.Matches(msg, k.Unused):
		m.unused = !m.unused
		m.build()
		return Action{}, true
	case key.Matches(msg, k.Filter):
		m.OpenFilter()
		return Action{}, true
	case key.Matches(msg, k.Open):
		if r, ok := m.list.Selected(); ok && r.Of.passage != nil {
			return Action{Do: File, Text: r.Of.passage.Path}, true
		}
		if it, ok := m.current(); ok {
			m.Show(Detail{Item: it})
			return Action{Do: Open, ID: it.ID}, true
		}
		return Action{}, true
	case msg.String() == "esc":
		if m.filter != "" {
			m.search.Set("")
			a := m.filterBy("")
			m.build()
			return a, true
		}
		return Action{Do: Leave}, true
	}
	return m.itemKey(msg)
}

// nearEnd is how many rows before the end more is asked for.
const nearEnd = 20

// move moves the cursor by n rows that stand for an item.
func (m *Model) move(n int) Action {
	m.list.Move(n)
	if n > 0 && len(m.items) < m.total && m.list.Below() < nearEnd {
		return Action{Do: More}
	}
	return Action{}
}

func (m *Model) detailKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.List
	m.notice = ""
	page := max(1, m.height-3)
	switch {
	case msg.String() == "esc":
		if m.mode == sourcing && m.detail.Item.ID != "" {
			m.mode = detailing
		} else {
			m.mode = listing
			m.build()
		}
		m.scroll = 0
	case key.Matches(msg, k.Up):
		m.scroll--
	case key.Matches(msg, k.Down):
		m.scroll++
	case key.Matches(msg, k.PageUp):
		m.scroll -= page
	case key.Matches(msg, k.PageDown):
		m.scroll += page
	case key.Matches(msg, k.Home):
		m.scroll = 0
	case key.Matches(msg, k.End):
		m.scroll = 1 << 20
	case m.mode == detailing && key.Matches(msg, k.History):
		m.enterPast()
	case m.mode == sourcing && key.Matches(msg, k.Open) && !m.source.Gone:
		return Action{Do: Browse, Evidence: m.source.Evidence}, true
	case m.mode == sourcing:
		return Action{}, false
	default:
		return m.itemKey(msg)
	}
	return Action{}, true
}

// Wheel scrolls by n lines.
func (m *Model) Wheel(n int) Action {
	switch m.mode {
	case listing, filtering:
		return m.move(n)
	case detailing, sourcing, past:
		m.scroll += n
	}
	return Action{}
}
