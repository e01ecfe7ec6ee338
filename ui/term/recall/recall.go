package recall

import (
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for.
const (
	Nothing   Do = iota
	Open         // show the item ID: load it with its evidence and history
	Save         // change the item ID as in Draft
	Add          // add Draft
	Delete       // delete the item ID; Text is what it says
	Match        // ask whether to delete the items that match Text
	DeleteAll    // delete the items IDs; Text is their filter
	Restore      // undo the deletion ID
	BringBack    // undo the end of the inactive item ID
	Undo         // undo the change ID
	UndoTurn     // undo the changes of the turn ID
	UndoRun      // undo the changes of the generation ID
	Source       // show the words that Evidence points to
	Browse       // open the session that Evidence points into
	Copy         // copy Text
	Filter       // list the items that match the filter and the day
	Find         // open the filter of the list of all memories
	Days         // open the calendar of all memories
	More         // list more items
	File         // show the file Text of the journal
	ReadLife     // count what happened on each day
	Leave        // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do       Do
	ID       string
	IDs      []string
	Text     string
	Evidence memory.Evidence
	Draft    Draft
}

// Draft is what the user may write of an item.
type Draft struct {
	Content string
	Type    memory.Type
	Tags    []string
}

// section is a part of what a [Model] can show.
type section int

// The sections. The zero value stands for both.
const (
	partRecall section = iota + 1 // what a text recalls, and what was learned
	partAll                       // all memories
)

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[entry, Action]
	only        section
	unavailable string // why no memory can be here; empty when they can

	preview  preview
	answered Answered
	lessons  lessons
	cited    func(id string) bool // whether an answer that is shown names a memory; nil for none
	final    map[string]bool      // whether a change cannot be undone, by its id, where that is known
	items    []memory.Item
	total    int
	inactive int  // how many memories are inactive
	ended    bool // inactive memories are asked for, too
	all      bool // the list has them
	loaded   bool
	filter   string
	day      time.Time // of the listed items; zero for all
	dated    dated
	numbers  bool // the numbers of bars are shown
	kinds    kinds
	life     calendar

	opened  opened
	undoing *list.Question[Action] // about a turn or a run; nil for none
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{}
	m.Base = list.NewBase[entry](list.Config[Action]{
		Keys: k, Moves: k.List.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, More: m.more, Near: 20,
		Ask: m.filterBy, Placeholder: k.Words.Say("memories.filter"), Asked: func() bool { return m.filter != "" },
		Top: true, Text: m.text,
	})
	m.kinds = newKinds(k.Words.Words)
	m.Draw(listing{m}.line)
	return m
}

// SetUnavailable says why no memory can be here, where that is so.
func (m *Model) SetUnavailable(why string) { m.unavailable = why }

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.dated.rows = nil
	m.Base.SetStyles(s)
}

// SetItems replaces the list of all memories: the newest of total.
func (m *Model) SetItems(items []memory.Item, total int) {
	m.items, m.total, m.loaded, m.dated.rows = items, total, true, nil
	m.Build()
}

// Loaded is the number of items in the list; more may exist.
func (m *Model) Loaded() int { return len(m.items) }

// FilterText returns the current filter.
func (m *Model) FilterText() string { return m.filter }

// Saved closes the form: the change is stored.
func (m *Model) Saved(it memory.Item) {
	m.Done()
	if m.opened.Item.ID == it.ID {
		m.opened.Item, m.opened.page = it, detailPage
		return
	}
	m.open(Detail{Item: it})
}

// Deleted closes what was deleted and offers to undo that.
func (m *Model) Deleted(r list.Removed) {
	m.Removed.Add(r)
	m.Done()
	m.opened.page = noPage
	m.Forgotten(m.opened.Item.ID)
}

// DeletedElsewhere adds a deletion that was not made in this pane to the undo notice. It
// leaves what the user does here alone.
func (m *Model) DeletedElsewhere(r list.Removed) {
	m.Removed.Add(r)
	m.Build()
}

// New opens the form for a new memory.
func (m *Model) New() {
	if m.unavailable != "" {
		m.Notice = m.unavailable
		return
	}
	m.opened.page = noPage
	m.openForm(memory.Item{Type: memory.TypeFact})
}

// AskDelete asks whether to delete a memory of the list.
func (m *Model) AskDelete(it memory.Item) {
	m.opened.Detail, m.opened.page = Detail{Item: it}, noPage
	m.askDelete(it)
}

// LeaveFilter goes from typing a filter to the list of what has its words.
func (m *Model) LeaveFilter() {
	m.StopTyping()
	m.Build()
}

// filterBy asks for the memories with some words.
func (m *Model) filterBy(words string, _ bool) Action {
	m.filter, m.day = words, time.Time{}
	m.dated.rows = nil
	m.List.Reset()
	m.Build()
	return Action{Do: Filter, Text: words}
}
