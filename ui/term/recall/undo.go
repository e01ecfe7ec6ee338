package recall

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/term/list"
)

// setUndoable tells which of some changes can be undone.
func (p *Pane) setUndoable(changes []memory.Change, can map[string]bool) {
	if p.final == nil {
		p.final = map[string]bool{}
	}
	for _, c := range changes {
		p.final[c.ID] = !can[c.ID]
	}
	p.Build()
}

// careful returns the keys that change something here and now, and so ask first.
func (p *Pane) careful() []key.Binding {
	if c, ok := p.change(); len(p.Removed) > 0 || ok && p.undoable(c) {
		return p.Keys.List.Careful()
	}
	return nil
}

// undoable reports whether a change can be undone, as far as is known here.
func (m *Model) undoable(c memory.Change) bool {
	if c.ID == "" || m.final[c.ID] || c.Undone || c.Action == memory.ActionRestored {
		return false
	}
	return m.Now.IsZero() || m.Now.Sub(c.Time) <= lookup.UndoTime
}

// change is the one under the cursor: a row of what was learned, or of a history.
func (m *Model) change() (memory.Change, bool) {
	switch m.opened.page {
	case pastPage:
		if i := m.opened.index(); i >= 0 {
			return m.opened.History[i], true
		}
	case noPage:
		if r, ok := m.List.Selected(); ok && r.Of.change != nil {
			return *r.Of.change, true
		}
	}
	return memory.Change{}, false
}

// newestUndoable is the change of the history that an undo is about: the one under the cursor
// if it can be undone, else the newest that can.
func (m story) newestUndoable() (memory.Change, bool) {
	if c, ok := m.change(); ok && m.undoable(c) {
		return c, true
	}
	for _, c := range slices.Backward(m.opened.History) {
		if m.undoable(c) {
			return c, true
		}
	}
	return memory.Change{}, false
}

// seekUndoable moves the cursor of the history to the change that an undo is about.
func (m story) seekUndoable() {
	if c, ok := m.newestUndoable(); ok && len(m.Removed) == 0 {
		m.opened.at = c.ID
		m.follow()
	}
}

// askBack asks whether to bring an inactive memory back.
func (m *Model) askBack(it memory.Item) {
	m.Ask(func(bool) []string {
		out := m.Wrapped(m.Styles.Warn, m.Quoting("memories.back", it.Content), 1)
		out = append(out, " "+m.Words.Say("ask.keys", m.Styles.Key.Render(m.Keys.Confirm.Do.Help().Key)))
		if it.SupersededBy != "" {
			out = append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("memories.back.replaced"), 1)...)
		}
		return out
	}, list.Answer[Action]{Key: m.Keys.Confirm.Do, Do: Action{Do: BringBack, ID: it.ID}})
	m.Question.Closes = true
	if r, ok := m.List.Selected(); ok && r.Of.item != nil && r.Of.item.ID == it.ID {
		m.Question.Row = r.Key
	}
}

// undo undoes the last deletion while its notice is shown, and else the change under the
// cursor.
func (m *Model) undo() Action {
	if len(m.Removed) > 0 {
		return m.UndoDeletion()
	}
	c, ok := m.change()
	switch {
	case !ok && m.opened.page == detailPage:
		m.enterPast()
		return Action{}
	case !ok:
		m.Notice = m.Words.Say("memories.undo.none")
	case c.Undone:
		m.Notice = m.Words.Say("memories.undo.done")
	case !m.undoable(c):
		m.Notice = m.Words.Say("memories.undo.late")
	default:
		return m.Once(Action{Do: Undo, ID: c.ID})
	}
	return Action{}
}

// UndoDeletion asks for the last deletion to be undone.
func (m *Model) UndoDeletion() Action {
	if d, ok := m.Base.Undo(); ok {
		return Action{Do: Restore, ID: d.ID, Text: cmp.Or(d.Title, d.What)}
	}
	return Action{}
}

// askTurn asks whether to undo all that a turn or a consolidation did.
func (m *Model) askTurn() bool {
	c, ok := m.change()
	if !ok || m.opened.page != noPage || c.TurnID+c.Generation == "" {
		return false
	}
	id, do := "memories.undo.turn", Action{Do: UndoTurn, ID: c.TurnID}
	if c.Generation != "" {
		id, do = "memories.undo.run", Action{Do: UndoRun, ID: c.Generation}
	}
	m.Ask(func(bool) []string {
		out := []string{
			" " + m.Styles.Bad.Render(m.Words.Say(id, m.Words.Count(m.lessons.of(c.TurnID, c.Generation), "change"))),
			" " + m.Words.Say("memories.undo.keys", m.Styles.Key.Render(m.Keys.Confirm.Do.Help().Key)),
		}
		return append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("memories.undo.what"), 1)...)
	}, list.Answer[Action]{Key: m.Keys.Confirm.Do, Do: do})
	m.undoing = m.Question
	return true
}

// Undone says what became of an undo.
func (m *Model) Undone(text string) {
	m.Busy, m.Notice = false, text
	if m.Question == m.undoing {
		m.Question = nil
	}
}
