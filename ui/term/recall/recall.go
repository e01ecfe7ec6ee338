package recall

import (
	"cmp"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/retrieve"
	"memoria/ui/term/field"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Do says what the user wants done.
type Do int

// What the part can ask for.
const (
	Nothing  Do = iota
	Open        // show the item ID: load it with its evidence and history
	Save        // change the item ID as in Draft
	Add         // add Draft
	Delete      // delete the item ID; Text is what it says
	TakeBack    // take the deletion ID back
	Undo        // take the change ID back
	UndoTurn    // take back what the turn ID did
	UndoRun     // take back what the generation ID did
	Source      // show the words that Evidence points to
	Browse      // open the session that Evidence points into
	Copy        // copy Text
	Filter      // list the items that match Text
	More        // list more items
	File        // show the file Text of the journal
	Leave       // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do       Do
	ID       string
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

// Detail is everything about one item.
type Detail struct {
	Item    memory.Item
	Quotes  []words.Quote
	History []memory.Change
}

type mode int

const (
	listing mode = iota
	filtering
	detailing
	editing
	confirming
	sourcing
	asking // whether to undo a turn
	past   // the open item, with a cursor on its history
)

// Model is the part. It is used by one goroutine.
type Model struct {
	keys          keys.Map
	styles        theme.Styles
	width, height int
	focused       bool
	now           time.Time
	loc           *time.Location
	nobody        string // why no memory can be here; empty when they can
	drawn         map[drawing]string

	mode mode
	back mode // where esc leads from confirming

	// list
	typed     bool // there is a text to preview
	preview   retrieve.Result
	passages  []journal.Hit // of the journal, that would go with the text
	previewd  bool          // preview holds an answer
	unused    bool          // candidates that were not chosen are shown
	learned   []memory.Change
	learnedOf string // the turn that taught it
	run       Run
	asked     string // the generation that is to be undone; empty: the turn
	items     []memory.Item
	total     int
	loaded    bool
	filter    string
	search    *field.Model
	rows      []row
	list      *list.List[entry]

	detail Detail
	scroll int
	at     string // id of the change under the cursor of past
	turn   string // the turn that asking is about
	source words.Quote
	form   *form
	busy   bool // a form or deletion was sent and not answered
	notice string

	removed list.Removals
}

// New returns an empty part that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{keys: k, loc: loc, search: field.New(1), list: list.New[entry]()}
	m.search.SetPlaceholder("filter by words")
	return m
}

// SetNobody says, where nobody remembers anything, what to say about that.
func (m *Model) SetNobody(why string) { m.nobody = why }

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles, m.drawn = s, nil
	m.search.SetStyles(s)
	if m.form != nil {
		m.form.setStyles(s)
	}
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	if w == m.width && h == m.height {
		return
	}
	m.width, m.height = w, h
	m.search.SetWidth(max(4, w-5))
	if m.form != nil {
		m.form.setWidth(w)
	}
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) {
	if on == m.focused {
		return
	}
	m.focused = on
	if !on && m.mode == filtering {
		m.mode = listing
		m.search.Blur()
	}
	m.build()
}

// SetNow tells the time, for ages and the take-back line.
func (m *Model) SetNow(now time.Time) {
	m.now = now
	if m.removed.Expire(now) {
		m.build()
	}
}

// Counting reports whether something on the part changes with time alone.
func (m *Model) Counting() bool { return len(m.removed) > 0 }

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == filtering || m.mode == editing }

// Asking reports whether a question stands in the part, which takes every key.
func (m *Model) Asking() bool { return m.mode == confirming || m.mode == asking }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing }

// SetItems replaces the list of all memories: the newest of total.
func (m *Model) SetItems(items []memory.Item, total int) {
	m.items, m.total, m.loaded = items, total, true
	m.build()
}

// Loaded is the number of items in the list; more may exist.
func (m *Model) Loaded() int { return len(m.items) }

// FilterText is the filter in force.
func (m *Model) FilterText() string { return m.filter }

// SetTyping says whether there is a text whose memories could be previewed.
func (m *Model) SetTyping(on bool) {
	if on == m.typed {
		return
	}
	m.typed = on
	m.list.Loose()
	if !on {
		m.preview, m.passages, m.previewd, m.unused = retrieve.Result{}, nil, false, false
	}
	m.build()
}

// SetPreview shows what the typed text would recall, and which passages of the journal would
// go with it.
func (m *Model) SetPreview(r retrieve.Result, passages ...journal.Hit) {
	m.preview, m.passages, m.previewd = r, passages, true
	m.build()
}

// Recalls is the number of memories that the text being typed would recall.
func (m *Model) Recalls() int { return len(m.preview.Chosen) }

// SetLearned shows what was learned from the last turn.
func (m *Model) SetLearned(changes []memory.Change) {
	m.learned, m.learnedOf = changes, ""
	for _, c := range changes {
		m.learnedOf = cmp.Or(m.learnedOf, c.TurnID)
	}
	if !m.focused {
		m.list.Loose()
	}
	m.build()
}

// AddLearned adds to what was learned from the last turn.
func (m *Model) AddLearned(changes []memory.Change) { m.SetLearned(append(m.learned, changes...)) }

// Run is what the consolidation of a session did (P7).
type Run struct {
	Generation string
	Title      string // of the session
	Changes    []memory.Change
}

// SetRun shows what a consolidation did, below what the last turn taught.
func (m *Model) SetRun(r Run) {
	m.run = r
	if !m.focused {
		m.list.Loose()
	}
	m.build()
}

// Show opens an item with what is known about it. What is known of the item
// that is open already is brought up to date, whatever is done to it just now.
func (m *Model) Show(d Detail) {
	if m.Opened() == d.Item.ID && d.Item.ID != "" {
		m.detail = d
		return
	}
	m.detail, m.busy, m.notice = d, false, ""
	m.mode, m.scroll, m.at = detailing, 0, ""
}

// ShowSource opens the message that a memory came from.
func (m *Model) ShowSource(q words.Quote) { m.source, m.mode, m.scroll = q, sourcing, 0 }

// Opened is the id of the item that is open, "" for none.
func (m *Model) Opened() string {
	if m.mode == listing || m.mode == filtering || m.mode == asking {
		return ""
	}
	return m.detail.Item.ID
}

// Saved leaves the form: the change is stored.
func (m *Model) Saved(it memory.Item) {
	added := m.form != nil && m.form.id == ""
	m.form, m.busy, m.notice = nil, false, ""
	m.mode = detailing
	if added || m.detail.Item.ID != it.ID {
		m.detail, m.scroll = Detail{Item: it}, 0
		return
	}
	m.detail.Item = it
}

// Deleted leaves what was deleted and offers to take it back.
func (m *Model) Deleted(r list.Removed) {
	m.removed.Add(r)
	m.mode, m.busy, m.notice = listing, false, ""
	m.Forgotten(m.detail.Item.ID)
}

// TakenBack removes a deletion from the offer.
func (m *Model) TakenBack(id string) {
	m.removed.Drop(id)
	m.busy = false
	m.build()
}

// Failed says that what was asked for did not work. A form stays open, so that
// nothing written is lost.
func (m *Model) Failed(text string) { m.busy, m.notice = false, text }

// New opens the form for a new memory.
func (m *Model) New() {
	if m.nobody != "" {
		m.notice = m.nobody
		return
	}
	m.openForm(memory.Item{Type: memory.TypeFact})
}

// AskDelete asks whether to delete a memory.
func (m *Model) AskDelete(it memory.Item) {
	m.detail, m.back, m.mode, m.notice = Detail{Item: it}, listing, confirming, ""
}

// LeaveFilter goes from typing a filter to the list of what has its words.
func (m *Model) LeaveFilter() {
	if m.mode == filtering {
		m.mode = listing
		m.search.Blur()
		m.build()
	}
}

// OpenFilter lets the user type a filter.
func (m *Model) OpenFilter() {
	m.mode = filtering
	m.search.Focus()
	m.build()
}
