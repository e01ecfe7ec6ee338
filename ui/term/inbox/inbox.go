package inbox

import (
	"cmp"
	"slices"
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for. Accept, Edit, Reject and Restore are answered by
// Done, Rejected or Failed.
const (
	Nothing Do = iota
	Accept     // accept Items
	Edit       // accept the only one of Items with Text as its words
	Reject     // reject Items
	Restore    // undo the rejection ID
	Undo       // let the accepted memories Items wait again
	Source     // show the words that Evidence points to
	Copy       // copy Text
	More       // list more
	Leave      // back to the input
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

// Entry is a memory that waits for an approval.
type Entry struct {
	Item     memory.Item
	Reason   string // why it waits
	Since    time.Time
	Replaces string // what it would end says; "" for nothing
	Said     string // the words it came from
	Session  string // title of the session of these words
	SaidAt   time.Time
	Gone     bool // these words were deleted
}

// group names the group of imported entries that an entry belongs to; "" for none. Imports
// come after all others, by type.
func (e Entry) group() string {
	if e.Item.Origin != memory.OriginImport {
		return ""
	}
	return string(e.Item.Type)
}

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[Entry, Action]

	entries []Entry
	total   int
	loaded  bool
	problem string

	decisions []decision // what was decided here, newest last
	back      string     // the id of what waits again and is to be under the cursor
}

// decision is what was accepted or rejected at once.
type decision struct {
	accepted []memory.Item
	rejected string // the id of the deletion; "" for an acceptance
}

// last is the newest decision that can be undone.
func (m *Model) last() (d decision, ok bool) {
	for _, d := range slices.Backward(m.decisions) {
		if d.rejected == "" || m.Removed.Has(d.rejected) {
			return d, true
		}
	}
	return d, false
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{}
	m.Base = list.NewBase[Entry](list.Config[Action]{
		Keys: k, Moves: k.Inbox.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Asks: m.asks,
		Page: func() int { return pageRows },
		More: m.more, Near: pageRows, Did: k.Words.Say("inbox.did"),
	})
	m.List.Hold(true) // the next decision must not be about another one
	return m
}

// SetEntries replaces the list: the newest of total, imports last and by type. The cursor stays on its
// entry, or where it was. An item being edited stays as it was shown.
func (m *Model) SetEntries(entries []Entry, total int) {
	was, _ := m.current()
	slices.SortStableFunc(entries, func(x, y Entry) int { return cmp.Compare(x.group(), y.group()) })
	m.entries, m.total, m.loaded, m.problem = entries, total, true, ""
	m.Build()
	if m.back != "" {
		m.List.Seek(m.back)
		m.back = ""
	}
	now, _ := m.current()
	if q := m.Question; q != nil && (len(q.Answers) > 0 || !slices.Equal(shown(was), shown(now))) {
		m.Question = nil // it was about another list, or another version
	}
}

// Point lets the cursor be at an entry once it is in the list.
func (m *Model) Point(id string) {
	m.back = id
	m.List.Seek(id)
}

// Loaded is the number of entries in the list; more may exist.
func (m *Model) Loaded() int { return len(m.entries) }

// ReadFailed says that the list could not be read.
func (m *Model) ReadFailed(text string) {
	m.problem = text
	m.Build()
}

// Accepted says that these memories are recalled from now on.
func (m *Model) Accepted(items ...memory.Item) {
	m.Done()
	m.decisions = append(m.decisions, decision{accepted: items})
}

// Undone says that accepted memories wait again, of which one is id.
func (m *Model) Undone(id string) {
	m.Done()
	m.back = id
	m.decisions = slices.DeleteFunc(m.decisions, func(d decision) bool {
		return slices.ContainsFunc(d.accepted, func(it memory.Item) bool { return it.ID == id })
	})
}

// Rejected offers to undo a rejection.
func (m *Model) Rejected(r list.Removed) {
	m.Done()
	m.Removed.Add(r)
	m.decisions = append(m.decisions, decision{rejected: r.ID})
}

// current is the entry under the cursor.
func (m *Model) current() (Entry, bool) {
	r, ok := m.List.Selected()
	return r.Of, ok
}

func shown(entries ...Entry) (out []Shown) {
	for _, e := range entries {
		out = append(out, Shown{ID: e.Item.ID, Version: e.Item.Version})
	}
	return out
}
