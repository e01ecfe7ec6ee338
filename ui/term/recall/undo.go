package recall

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/part"
	"memoria/ui/words"
)

// Taking back what was done to memories (P9): a change that the cursor is on, or
// all that a turn did.

// undoable reports whether a change can be taken back, as far as can be seen
// here.
func (m *Model) undoable(c memory.Change) bool {
	return c.ID != "" && !c.Undone && c.Action != memory.ActionRestored && (m.now.IsZero() || m.now.Sub(c.Time) <= lookup.UndoTime)
}

// change is the one under the cursor: a row of what was learned, or of a history.
func (m *Model) change() (memory.Change, bool) {
	switch m.mode {
	case past:
		if i := m.pastIndex(); i >= 0 {
			return m.detail.History[i], true
		}
	case listing:
		if r, ok := m.list.Selected(); ok && r.Of.change != nil {
			return *r.Of.change, true
		}
	}
	return memory.Change{}, false
}

// undo takes the last deletion back while that can be, as its line says, and else
// the change under the cursor.
func (m *Model) undo() Action {
	if len(m.removed) > 0 {
		return m.TakeBack()
	}
	c, ok := m.change()
	switch {
	case !ok && m.mode == detailing:
		m.enterPast()
		return Action{}
	case !ok:
		m.notice = "There is nothing to take back here. A memory's changes can be undone where it is opened."
	case c.Undone:
		m.notice = "It is undone already. The undo itself can be undone in the memory's history."
	case !m.undoable(c):
		m.notice = "This can no longer be undone."
	case !m.busy:
		m.busy = true
		return Action{Do: Undo, ID: c.ID}
	}
	return Action{}
}

// askTurn asks whether to take back all that a turn or a consolidation did.
func (m *Model) askTurn() bool {
	c, ok := m.change()
	if !ok || m.mode != listing || c.TurnID+c.Generation == "" {
		return false
	}
	m.turn, m.mode = c.TurnID, asking
	m.asked = c.Generation
	return true
}

func (m *Model) askKey(msg tea.KeyPressMsg) Action {
	switch {
	case m.busy:
	case key.Matches(msg, m.keys.Confirm.Do):
		m.busy = true
		if m.asked != "" {
			return Action{Do: UndoRun, ID: m.asked}
		}
		return Action{Do: UndoTurn, ID: m.turn}
	default:
		m.mode = listing
	}
	return Action{}
}

// Undone says what became of an undo.
func (m *Model) Undone(text string) {
	m.busy, m.notice = false, text
	if m.mode == asking {
		m.mode = listing
	}
}

// LearnedTurn is the turn whose changes are shown, "" for none.
func (m *Model) LearnedTurn() string { return m.learnedOf }

// RunID is the generation whose changes are shown, "" for none.
func (m *Model) RunID() string { return m.run.Generation }

// RefreshLearned shows the changes of a turn or of a generation as they stand now.
// What was deleted since is gone from it, and comes back with it; what was proposed
// and not stored is in no ledger and stays.
func (m *Model) RefreshLearned(turn, generation string, changes []memory.Change) {
	if turn != "" && turn == m.LearnedTurn() {
		m.learned = asOfNow(m.learned, changes)
	}
	if generation != "" && generation == m.run.Generation {
		m.run.Changes = asOfNow(m.run.Changes, changes)
	}
	m.build()
}

// Forgotten takes what was taught about deleted memories out of the view.
func (m *Model) Forgotten(ids ...string) {
	of := func(c memory.Change) bool { return c.ItemID != "" && slices.Contains(ids, c.ItemID) }
	m.learned = slices.DeleteFunc(slices.Clone(m.learned), of)
	m.run.Changes = slices.DeleteFunc(slices.Clone(m.run.Changes), of)
	m.build()
}

// asOfNow brings a list of changes up to date. What they taught is shown as it was
// then, whatever became of it. An empty answer may be older than what is shown.
func asOfNow(shown, now []memory.Change) (out []memory.Change) {
	if len(now) == 0 {
		return shown
	}
	for _, c := range now {
		if i := slices.IndexFunc(shown, func(old memory.Change) bool { return old.ID == c.ID }); i >= 0 && shown[i].Item != nil {
			c.Item = shown[i].Item
		}
		out = append(out, c)
	}
	for _, c := range shown {
		if c.ItemID == "" && !slices.ContainsFunc(now, func(other memory.Change) bool { return c.ID != "" && other.ID == c.ID }) {
			out = append(out, c)
		}
	}
	return out
}

// enterPast puts the cursor on the newest change of the open item.
func (m *Model) enterPast() {
	if n := len(m.detail.History); n > 0 {
		m.mode, m.at = past, m.detail.History[n-1].ID
		m.follow()
	}
}

// pastIndex is the change under the cursor in the history, -1 for none.
func (m *Model) pastIndex() int {
	for i, c := range m.detail.History {
		if c.ID == m.at {
			return i
		}
	}
	return len(m.detail.History) - 1
}

func (m *Model) pastKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.keys.List
	m.notice = ""
	last := len(m.detail.History) - 1
	i := m.pastIndex()
	switch {
	case msg.String() == "esc", key.Matches(msg, k.History):
		m.mode, m.at = detailing, ""
		return Action{}, true
	case key.Matches(msg, k.TakeBack):
		return m.undo(), true
	case key.Matches(msg, k.Up): // the newest stands first
		i++
	case key.Matches(msg, k.Down):
		i--
	case key.Matches(msg, k.Home):
		i = last
	case key.Matches(msg, k.End):
		i = 0
	default:
		return Action{}, false
	}
	if last >= 0 {
		m.at = m.detail.History[min(max(i, 0), last)].ID
		m.follow()
	}
	return Action{}, true
}

// follow scrolls to the cursor in the history.
func (m *Model) follow() {
	lines, at := m.detailLines()
	h := max(1, m.height-len(m.foot()))
	if at < m.scroll || at >= m.scroll+h-1 {
		m.scroll = max(0, min(at-h/2, len(lines)-h))
	}
}

func (m *Model) askLines() []string {
	n, what, list := 0, "what this turn did", m.learned
	if m.asked != "" {
		what, list = "all that was made of this conversation", m.run.Changes
	}
	for _, c := range list {
		if c.TurnID == m.turn && c.Generation == m.asked && c.ItemID != "" && !c.Undone {
			n++
		}
	}
	out := []string{
		" " + m.styles.Bad.Render("Undo "+what+" ("+part.Plural(n, "change")+")?"),
		" " + m.styles.Key.Render("ctrl+y") + " undoes it · any other key leaves it",
	}
	return append(out, m.wrapped(m.styles.Dim, "What you changed since stays, and the undo can be undone.", 1)...)
}

// historyLines are the changes of the open item, the newest first; at is the line
// of the cursor, -1 when there is none.
func (m *Model) historyLines() (out []string, at int) {
	at = -1
	out = []string{m.styles.Accent.Render(" history · " + fmt.Sprint(len(m.detail.History)))}
	if len(m.detail.History) == 0 {
		return append(out, m.wrapped(m.styles.Dim, "Changes to this memory are listed here.", 3)...), at
	}
	for i := len(m.detail.History) - 1; i >= 0; i-- {
		c := m.detail.History[i]
		style := m.styles.Text
		line := words.Change(c, m.loc)
		if c.Undone {
			style = m.styles.Dim
		}
		lines := m.wrapped(style, line, 3)
		if m.mode == past && i == m.pastIndex() {
			at = len(out)
			lines[0] = m.styles.Accent.Render(" ▸ ") + style.Render(clean.Wrap(clean.Line(line), max(10, m.width-4))[0])
		}
		out = append(out, lines...)
	}
	return out, at
}
