package inbox

import (
	"slices"
	"time"

	"memoria/memory"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

// Do says what the user wants done.
type Do int

// What the part can ask for. Accept, Edit, Reject and TakeBack are answered by
// Done, Rejected or Failed.
const (
	Nothing  Do = iota
	Accept      // accept Items
	Edit        // accept the only one of Items with Text as its words
	Reject      // reject Items
	TakeBack    // take the rejection ID back
	Undo        // let the accepted memory ID wait again
	Source      // show the words that Evidence points to
	Copy        // copy Text
	More        // list more
	Leave       // back to the input
)

// Shown names an entry as the user saw it.
type Shown struct {
	ID      string
	Version int
}

// Action is what a key asked for.
type Action struct {
	Do       Do
	ID       string
	Items    []Shown
	Text     string
	Evidence memory.Evidence
}

// Entry is a memory that waits.
type Entry struct {
	Item     memory.Item
	Reason   string // why it waits
	Since    time.Time
	Replaces string // what it would end says; "" for nothing
	Said     string // the words it came from
	Session  string // title of the session they stand in
	SaidAt   time.Time
	Gone     bool // these words were deleted
}

type mode int

const (
	listing mode = iota
	editing
	confirming
)

// Model is the part. It is used by one goroutine.
type Model struct {
	keys          keys.Map
	styles        theme.Styles
	width, height int
	focused       bool
	now           time.Time
	loc           *time.Location

	mode    mode
	entries []Entry
	total   int
	loaded  bool
	problem string

	list   *list.List[Entry]
	form   *field.Model
	about  Entry // what the form is about
	busy   bool
	notice string

	removed  list.Removals
	accepted []string // ids of what was accepted here, newest last
	back     string   // the id of what waits again and is to be under the cursor
}

// New returns an empty part that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{keys: k, loc: loc, list: list.New[Entry]()}
	m.list.Hold(true) // the next decision must not be about another one
	return m
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
	if m.form != nil {
		m.form.SetStyles(s)
	}
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	m.width, m.height = w, h
	if m.form != nil {
		m.form.SetWidth(max(8, w-3))
	}
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// SetNow tells the time, for ages and the take-back line.
func (m *Model) SetNow(now time.Time) {
	minute := !m.now.Truncate(time.Minute).Equal(now.Truncate(time.Minute))
	m.now = now
	if minute {
		m.build()
	}
	m.removed.Expire(now)
}

// Counting reports whether something on the part changes with time alone.
func (m *Model) Counting() bool { return len(m.removed) > 0 }

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == editing }

// Asking reports whether a question stands in the part, which takes every key.
func (m *Model) Asking() bool { return m.mode == confirming }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing }

// SetEntries replaces the list: the newest of total. The cursor stays on its
// entry, or where it was. What is being edited stays as it was shown.
func (m *Model) SetEntries(entries []Entry, total int) {
	m.entries, m.total, m.loaded, m.problem = entries, total, true, ""
	m.build()
	if m.back != "" {
		m.list.Seek(m.back)
		m.back = ""
	}
	if m.mode == confirming {
		m.mode = listing // the question was about another list
	}
}

// Point lets the cursor be at an entry once it is in the list.
func (m *Model) Point(id string) {
	m.back = id
	m.list.Seek(id)
}

// Loaded is the number of entries in the list; more may exist.
func (m *Model) Loaded() int { return len(m.entries) }

// ReadFailed says that the list could not be read.
func (m *Model) ReadFailed(text string) { m.problem = text }

// Done says that what was asked for is done.
func (m *Model) Done() { m.form, m.mode, m.busy, m.notice = nil, listing, false, "" }

// Accepted says that these memories are recalled from now on.
func (m *Model) Accepted(ids ...string) {
	m.Done()
	m.accepted = append(m.accepted, ids...)
}

// Undone says that an accepted memory waits again.
func (m *Model) Undone(id string) {
	m.Done()
	m.back = id
	m.accepted = slices.DeleteFunc(m.accepted, func(other string) bool { return other == id })
}

// Failed says that what was asked for did not work. A form stays open, so that
// nothing written is lost.
func (m *Model) Failed(text string) { m.busy, m.notice = false, text }

// Rejected offers to take a rejection back.
func (m *Model) Rejected(r list.Removed) {
	m.Done()
	m.removed.Add(r)
}

// TakenBack removes a rejection from the offer.
func (m *Model) TakenBack(id string) {
	m.busy = false
	m.removed.Drop(id)
}

// current is the entry under the cursor.
func (m *Model) current() (Entry, bool) {
	r, ok := m.list.Selected()
	return r.Of, ok
}

func shown(entries ...Entry) (out []Shown) {
	for _, e := range entries {
		out = append(out, Shown{ID: e.Item.ID, Version: e.Item.Version})
	}
	return out
}
