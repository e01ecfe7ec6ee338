package archive

import (
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do is the kind of an [Action].
type Do int

// The kinds of actions. Each names the fields it uses, and the methods that take its result.
const (
	Nothing  Do = iota
	Ask         // search for Question; answered by Found or NotFound. Typed reports that the user is still typing
	Open        // show SessionID for reading, at RecordID
	Learned     // read the items learned from RecordID; answered by ShowLearned or Failed
	OpenItem    // show Item
	Mark        // set or remove, by On, the bookmark of RecordID; answered by Marked or Failed
	Delete      // delete RecordID and, with Memories, the items learned from it alone; answered by Deleted or Failed
	Restore     // undo the deletion ID; answered by Restored or Failed
	Copy        // copy Text
	Leave       // give the focus back to the input
)

// Question is a search of the archive.
type Question struct {
	Words     string // including the time in words; empty for all messages
	Collected bool   // bookmarks only
	// Offset is the number of messages to skip, Limit the maximum to return; 0 is one
	// page.
	Offset, Limit int
}

// same reports whether two questions have the same results, apart from their pages.
func (q Question) same(o Question) bool { return q.Words == o.Words && q.Collected == o.Collected }

// Action is an effect that the pane requests; the zero value requests none.
type Action struct {
	Do        Do
	Question  Question
	Typed     bool
	SessionID string
	RecordID  string
	On        bool
	Memories  bool
	ID        string // of a deletion
	Text      string
	Item      memory.Item
}

// Page is one page of results.
type Page struct {
	Hits  []Hit
	Total int
	// Words are the question's words without its time. Time is the interpreted time, in
	// words; empty if the question named none.
	Words, Time string
	// Degraded says why the search was slow; empty if it was not.
	Degraded string
}

// Hit is a message.
type Hit struct {
	RecordID  string
	SessionID string
	Title     string // of the session
	Who       string // the author's name
	Time      time.Time
	Text      string
	Collected bool
}

// Model is the state of the pane. It is not safe for concurrent use.
type Model struct {
	list.Base[entry, Action]

	asked  Question // the question whose results are listed; Offset and Limit are unused
	page   Page     // the last page received, without its Hits
	hits   list.Paged[Hit]
	failed string // why the search failed; empty if it did not

	learning bool          // lessons are shown instead of hits
	subject  Hit           // the message to delete, or whose lessons are shown
	lessons  []memory.Item // items learned from subject
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{hits: list.NewPaged(func(a, b Hit) bool { return a.RecordID == b.RecordID })}
	m.Base = list.NewBase[entry](list.Config[Action]{
		Keys: k, Moves: k.Archive.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Height: 2,
		More: m.more, Near: 5,
		Ask: func(words string, typed bool) Action {
			a := m.ask(Question{Words: words, Collected: m.asked.Collected})
			a.Typed = typed
			return a
		},
		Placeholder: k.Words.Say("archive.words"),
		Asked:       func() bool { return m.asked.Words != "" },
		Failed:      func() bool { return m.failed != "" },
		Answered:    func() bool { return m.hits.Loaded },
	})
	return m
}

// Modal reports whether esc closes something inside the pane.
func (m *Model) Modal() bool {
	return m.Base.Modal() || m.learning || m.asked.Words != "" || m.asked.Collected
}

// Question returns the present question with as many messages as are shown, to be asked
// again after a change of the archive.
func (m *Model) Question() Question {
	q := m.asked
	q.Offset, q.Limit = 0, len(m.hits.Items)
	return q
}

// Found shows what a question found. An answer to an older question is dropped,
// and so is one that does not continue the list.
func (m *Model) Found(q Question, p Page) {
	if !q.same(m.asked) || q.Offset > 0 && (!m.hits.Loaded || q.Offset != len(m.hits.Items)) {
		return
	}
	if q.Offset > 0 {
		m.hits.Append(q.Offset, p.Hits, p.Total)
	} else {
		m.hits.Set(p.Hits, p.Total)
	}
	m.page, m.failed = p, ""
	m.Build()
}

// NotFound says that a question could not be answered.
func (m *Model) NotFound(q Question, text string) {
	switch {
	case !q.same(m.asked):
		return
	case q.Offset > 0:
		m.hits.Fail(text)
	default:
		m.hits.Set(nil, 0)
		m.page, m.failed = Page{}, text
	}
	m.Build()
}

// Marked says that a message is bookmarked, or not any more.
func (m *Model) Marked(recordID string, on bool) {
	m.Busy, m.Notice = false, ""
	for i := range m.hits.Items {
		if m.hits.Items[i].RecordID == recordID {
			m.hits.Items[i].Collected = on
		}
	}
	m.Build()
}

// ShowLearned shows what was learned from a message, unless the user went on.
func (m *Model) ShowLearned(recordID string, items []memory.Item) {
	m.Busy = false
	if !m.learning || m.subject.RecordID != recordID {
		return
	}
	m.lessons = items
	m.List.Reset()
	m.Build()
}

// Deleted removes the message from the list and offers to undo that.
func (m *Model) Deleted(r list.Removed) {
	m.hits.Drop(func(h Hit) bool { return h.RecordID == r.Of })
	m.Removed.Add(r)
	m.Done()
	m.Build()
}

// Failed shows why what was asked for did not work.
func (m *Model) Failed(text string) {
	m.Base.Failed(text)
	if m.learning {
		m.learning = false
		m.Build()
	}
}
