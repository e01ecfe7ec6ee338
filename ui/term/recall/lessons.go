package recall

import (
	"cmp"
	"slices"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// lessons is what was learned from the last turn, and by the last consolidation.
type lessons struct {
	learned []memory.Change
	turn    string // that taught learned
	run     Run
}

// Run is what the consolidation of a session did (P7).
type Run struct {
	Generation string
	Title      string // of the session
	Changes    []memory.Change
}

// forget removes the changes of deleted memories.
func (l *lessons) forget(ids []string) {
	of := func(c memory.Change) bool { return c.ItemID != "" && slices.Contains(ids, c.ItemID) }
	l.learned = slices.DeleteFunc(slices.Clone(l.learned), of)
	l.run.Changes = slices.DeleteFunc(slices.Clone(l.run.Changes), of)
}

// refresh brings the changes of a turn or of a generation up to date.
func (l *lessons) refresh(turn, generation string, changes []memory.Change) {
	if turn != "" && turn == l.turn {
		l.learned = asOfNow(l.learned, changes)
	}
	if generation != "" && generation == l.run.Generation {
		l.run.Changes = asOfNow(l.run.Changes, changes)
	}
}

// of counts the changes of a turn or of a generation that can be undone.
func (l *lessons) of(turn, generation string) (n int) {
	for _, c := range slices.Concat(l.learned, l.run.Changes) {
		if c.TurnID == turn && c.Generation == generation && c.ItemID != "" && !c.Undone {
			n++
		}
	}
	return n
}

// asOfNow brings a list of changes up to date. What they taught is shown as it was
// then, whatever became of it. An empty answer may be older than the lessons shown.
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

// SetLearned shows what was learned from the last turn.
func (m *Model) SetLearned(changes []memory.Change) {
	m.lessons.learned, m.lessons.turn = changes, ""
	for _, c := range changes {
		m.lessons.turn = cmp.Or(m.lessons.turn, c.TurnID)
	}
	m.news()
}

// AddLearned adds to what was learned from the last turn.
func (m *Model) AddLearned(changes []memory.Change) {
	m.SetLearned(append(m.lessons.learned, changes...))
}

// SetRun shows what a consolidation did, below what the last turn taught.
func (m *Model) SetRun(r Run) {
	m.lessons.run = r
	m.news()
}

// news shows new lines first, while the pane does not have the keyboard.
func (m *Model) news() {
	if !m.Focused {
		m.List.Loose()
	}
	m.Build()
}

// LearnedTurn is the turn whose changes are shown, "" for none.
func (m *Model) LearnedTurn() string { return m.lessons.turn }

// RunID is the generation whose changes are shown, "" for none.
func (m *Model) RunID() string { return m.lessons.run.Generation }

// RefreshLearned shows the current changes of a turn or of a generation. What was deleted
// since is missing from them, and returns with its restoration; what was proposed and not
// stored is in no ledger and stays.
func (m *Model) RefreshLearned(turn, generation string, changes []memory.Change) {
	m.lessons.refresh(turn, generation, changes)
	m.Build()
}

// Forgotten removes what was learned about deleted memories.
func (m *Model) Forgotten(ids ...string) {
	m.lessons.forget(ids)
	if m.opened.page != noPage && m.Form == nil && slices.Contains(ids, m.opened.Item.ID) {
		m.opened.page = noPage
	}
	m.Build()
}

func (m *Model) addLessons() {
	if l := m.lessons.learned; len(l) > 0 {
		m.Head(m.Words.Say("recall.learned", m.Words.Count(stored(l), "change")))
		m.addChanges(l)
	}
	r := m.lessons.run
	if r.Generation == "" {
		return
	}
	m.Head(m.Words.Say("recall.summed-up", m.Words.Count(stored(r.Changes), "change")))
	if r.Title != "" {
		m.Dim("“" + r.Title + "”")
	}
	m.addChanges(r.Changes)
}

func (m *Model) addChanges(changes []memory.Change) {
	for _, c := range changes {
		sign, style := mark(c.Action), m.Styles.Good
		if c.Action == memory.ActionSkipped || c.Action == memory.ActionDeleted || c.Undone {
			style = m.Styles.Dim
		}
		if c.Item == nil {
			m.Note(style, sign+" "+changed(m.Words.Words, string(c.Action), c.Reason))
			continue
		}
		right := ""
		switch {
		case c.Undone:
			right = m.Styles.Dim.Render(" " + m.Words.Say("change.undone") + " ")
		case m.Focused && len(m.Removed) == 0 && m.undoable(c):
			undo := m.Keys.List.Undo.Help()
			right = m.Styles.Dim.Render(" " + undo.Key + " " + undo.Desc + " ")
		}
		text := m.kinds.ofType(m.Styles, c.Item.Type) + " " + m.Styles.Text.Render(clean.Line(c.Item.Content))
		lines := []string{cells.Spread("   "+style.Render(sign)+" "+text, right, m.Width)}
		if c.Action != memory.ActionAdded {
			what, why := c.Words()
			lines = append(lines, m.Wrapped(m.Styles.Dim, changed(m.Words.Words, what, why), 6)...)
		}
		if c.Replaced != nil {
			lines = append(lines, m.Wrapped(m.Styles.Dim, m.Words.Say("recall.was", c.Replaced.Content), 6)...)
		}
		r := list.Row[entry]{Lines: lines, Of: entry{item: c.Item, change: &c}}
		if c.Action != memory.ActionSkipped && c.Action != memory.ActionDeleted {
			r.Key = "learned" + c.ID + c.ItemID
		}
		m.AddRow(r)
	}
	m.Say("")
}

// changed says what a change did, and why.
func changed(w words.Words, what, why string) string {
	said := w.Translate(w.Named("action", what))
	if why == "" {
		return said
	}
	return w.Say("recall.change", said, words.Sentence(why))
}

// stored is how many of these changed something.
func stored(changes []memory.Change) (n int) {
	for _, c := range changes {
		if c.Action != memory.ActionSkipped {
			n++
		}
	}
	return n
}

// mark is the sign of a change in lists.
func mark(a memory.Action) string {
	switch a {
	case memory.ActionAdded, memory.ActionRestored, memory.ActionRedone:
		return "+"
	case memory.ActionConfirmed:
		return "="
	case memory.ActionEdited, memory.ActionSuperseded, memory.ActionRelinked:
		return "~"
	case memory.ActionHeld:
		return "?"
	}
	return "-"
}
