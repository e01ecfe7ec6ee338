package recall

import (
	"cmp"

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
