package archive

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

// What the part can ask for.
const (
	Nothing  Do = iota
	Ask         // look for Question; answered by Found or NotFound. Typed says that the user may go on typing
	Open        // show SessionID to be read, at RecordID
	Learned     // what was learned from RecordID; answered by ShowLearned or Failed
	OpenItem    // show Item
	Mark        // bookmark RecordID, or take that away, as On says; answered by Marked or Failed
	Delete      // delete RecordID and, with Memories, what was learned from it alone; answered by Deleted or Failed
	TakeBack    // take the deletion ID back; answered by TakenBack or Failed
	Copy        // copy Text
	Leave       // back to the input
)

// Question is what the user looks for.
type Question struct {
	Words     string // with the time in words; empty is everything
	Collected bool   // bookmarks only
	// Offset is how many messages are there already, Limit how many more are
	// wanted; 0 is a page.
	Offset, Limit int
}

// same reports whether two questions are about the same messages.
func (q Question) same(o Question) bool { return q.Words == o.Words && q.Collected == o.Collected }

// Action is what a key asked for.
type Action struct {
	Do        Do
	Question  Question
	Typed     bool
	SessionID string
	RecordID  string
	On        bool
	Memories  bool
	ID        string // of the deletion
	Text      string
	Item      memory.Item
}

// Page is a part of what was found.
type Page struct {
	Hits  []Hit
	Total int
	// Words are those of the question without the time, and Time is how that was
	// understood, in words; empty when none was named.
	Words, Time string
	// Degraded says why the answer took its time; empty when it did not.
	Degraded string
}

// Hit is a message.
type Hit struct {
	RecordID  string
	SessionID string
	Title     string // of the session
	Who       string // who said it, in a word
	Time      time.Time
	Text      string
	Collected bool
}

type mode int

const (
	listing mode = iota
	searching
	learning // what was learned from a message
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

	mode     mode
	search   *field.Model
	asked    Question // what the list is about; its Offset and Limit do not count
	page     Page     // Hits are all that came
	answered bool     // page belongs to asked
	reading  bool     // more was asked for and did not come yet
	ended    bool     // there is no more, whatever was counted
	failed   string   // why there is no answer
	problem  string   // why there is no more of it

	rows []row
	list *list.List[entry]

	subject Hit           // what is deleted, or was learned from
	lessons []memory.Item // what was learned
	busy    bool          // something was asked for and not answered
	notice  string
	removed list.Removals
}

// New returns an empty part that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{keys: k, loc: loc, search: field.New(1), list: list.New[entry]()}
	m.search.SetPlaceholder("words and a time: pottery last week")
	return m
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
	m.search.SetStyles(s)
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	if w == m.width && h == m.height {
		return
	}
	m.width, m.height = w, h
	m.search.SetWidth(max(2, w-4))
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) {
	if on == m.focused {
		return
	}
	m.focused = on
	if !on && m.mode == searching {
		m.stopTyping()
	}
	m.build()
}

// SetNow tells the time, for the take-back line.
func (m *Model) SetNow(now time.Time) {
	m.now = now
	m.removed.Expire(now)
}

// Counting reports whether something on the part changes with time alone.
func (m *Model) Counting() bool { return len(m.removed) > 0 }

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == searching }

// Asking reports whether a question stands in the part, which takes every key.
func (m *Model) Asking() bool { return m.mode == confirming }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing || m.asked.Words != "" || m.asked.Collected }

// Question is what is shown, as much of it as there is: to be asked again when
// the archive is not what it was.
func (m *Model) Question() Question {
	q := m.asked
	q.Offset, q.Limit = 0, len(m.page.Hits)
	return q
}

// Found shows what a question found. An answer to an older question is dropped,
// and so is one that does not go on where the list ends.
func (m *Model) Found(q Question, p Page) {
	if !q.same(m.asked) || q.Offset > 0 && (!m.answered || q.Offset != len(m.page.Hits)) {
		return
	}
	if q.Offset > 0 {
		m.ended = len(p.Hits) == 0
		p.Hits = slices.Concat(m.page.Hits, slices.DeleteFunc(slices.Clone(p.Hits), m.has))
	} else {
		m.ended = false
	}
	p.Total = max(p.Total, len(p.Hits))
	m.page, m.answered, m.reading, m.failed, m.problem = p, true, false, "", ""
	m.build()
}

func (m *Model) has(h Hit) bool {
	return slices.ContainsFunc(m.page.Hits, func(o Hit) bool { return o.RecordID == h.RecordID })
}

// NotFound says that a question could not be answered.
func (m *Model) NotFound(q Question, text string) {
	switch {
	case !q.same(m.asked):
		return
	case q.Offset > 0:
		m.problem = text
	default:
		m.page, m.answered, m.failed = Page{}, true, text
	}
	m.reading = false
	m.build()
}

// Marked says that a message is bookmarked, or not any more.
func (m *Model) Marked(recordID string, on bool) {
	m.busy, m.notice = false, ""
	for i := range m.page.Hits {
		if m.page.Hits[i].RecordID == recordID {
			m.page.Hits[i].Collected = on
		}
	}
	m.build()
}

// ShowLearned shows what was learned from a message, unless the user went on.
func (m *Model) ShowLearned(recordID string, items []memory.Item) {
	m.busy = false
	if m.mode != learning || m.subject.RecordID != recordID {
		return
	}
	m.lessons = items
	m.list.Reset()
	m.build()
}

// Deleted takes the message out of the list and offers to take that back.
func (m *Model) Deleted(r list.Removed) {
	n := len(m.page.Hits)
	m.page.Hits = slices.DeleteFunc(slices.Clone(m.page.Hits), func(h Hit) bool { return h.RecordID == r.Of })
	m.page.Total -= n - len(m.page.Hits)
	m.removed.Add(r)
	m.busy, m.notice = false, ""
	if m.mode == confirming {
		m.mode = listing
	}
	m.build()
}

// TakenBack removes a deletion from the offer. The message comes back with the
// next answer.
func (m *Model) TakenBack(id string) {
	m.removed.Drop(id)
	m.busy = false
	m.build()
}

// Failed says that what was asked for did not work.
func (m *Model) Failed(text string) {
	m.busy, m.notice = false, text
	if m.mode == learning {
		m.mode = listing
		m.build()
	}
}
