package sessions

import (
	"slices"
	"time"

	"memoria/memory"
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
	Load        // list sessions from Offset on; answered by AddSessions or LoadFailed
	Open        // show SessionID to be read, at RecordID unless that is empty
	Rename      // call SessionID Title; answered by Renamed or Failed
	Delete      // delete the messages of SessionID and, with Memories, what was learned from them; answered by Deleted or Failed
	TakeBack    // take the deletion ID back; answered by TakenBack or Failed
	Begin       // begin a new session
	Search      // look for Query in all words; answered by Found or SearchFailed. Empty ends the search
	Copy        // copy Text
	Export      // write SessionID to a file
	Leave       // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do        Do
	SessionID string
	RecordID  string
	Title     string
	Memories  bool
	ID        string // of the deletion
	Query     string
	Offset    int
	Text      string
}

// Results is what a search found, the best session first.
type Results struct {
	Sessions []Group
	// Messages is how many messages have the words, in all sessions. It may be
	// more than the groups hold; less counts as what they hold.
	Messages int
	// Degraded says why the answer may be slow or not whole; empty when it is.
	Degraded string
}

// Group is a session with what was found in it.
type Group struct {
	Session memory.Session
	Hits    []Hit // best first; the first three are shown
	// Messages is how many of its messages have the words.
	Messages int
}

// Hit is a message that was found.
type Hit struct {
	RecordID string
	Who      string // who said it, in a word
	Time     time.Time
	// Text is the message, or for a long one the part where the words stand: no
	// more than its first 4 KB are looked at.
	Text string
}

type mode int

const (
	listing mode = iota
	searching
	renaming
	confirming
)

// titleLines is how many lines a long title may take while it is written.
const titleLines = 3

// Model is the part. It is used by one goroutine.
type Model struct {
	keys          keys.Map
	styles        theme.Styles
	width, height int
	focused       bool
	now           time.Time
	loc           *time.Location

	mode    mode
	list    []memory.Session
	total   int
	loaded  bool   // list is an answer
	reading bool   // more was asked for and did not come yet
	problem string // why the list could not be read
	current string // the session that the conversation shows

	search     *field.Model
	query      string // what is looked for; empty shows the list
	results    Results
	answered   bool // results belong to query
	failed     string
	done, upTo int // how far the search is

	rows []row
	view *list.List[entry]

	subject memory.Session // what is renamed or deleted
	title   *field.Model
	before  string // what title held
	busy    bool   // something was asked for and not answered
	notice  string
	removed list.Removals
}

// New returns an empty part that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{keys: k, loc: loc, search: field.New(1), title: field.New(titleLines), view: list.New[entry]()}
	m.search.SetPlaceholder("words that were said")
	m.title.SetPlaceholder("a title")
	return m
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
	m.search.SetStyles(s)
	m.title.SetStyles(s)
	m.build()
}

// SetSize sets the size in cells.
func (m *Model) SetSize(w, h int) {
	if w == m.width && h == m.height {
		return
	}
	m.width, m.height = w, h
	m.search.SetWidth(max(2, w-4))
	m.title.SetWidth(max(2, w-4))
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

// SetNow tells the time, for ages and the take-back line.
func (m *Model) SetNow(now time.Time) {
	old := m.now
	m.now = now
	m.removed.Expire(now)
	if !old.Truncate(time.Minute).Equal(now.Truncate(time.Minute)) {
		m.build()
	}
}

// Counting reports whether something on the part changes with time alone.
func (m *Model) Counting() bool { return len(m.removed) > 0 }

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == searching || m.mode == renaming }

// Asking reports whether a question stands in the part, which takes every key.
func (m *Model) Asking() bool { return m.mode == confirming }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing || m.query != "" }

// SetCurrent marks the session that the conversation shows; "" for none.
func (m *Model) SetCurrent(id string) {
	if id != m.current {
		m.current = id
		m.build()
	}
}

// SetSessions replaces the list: the first of total, the last used first.
func (m *Model) SetSessions(list []memory.Session, total int) {
	m.list, m.total = slices.Clone(list), max(total, len(list))
	m.loaded, m.reading, m.problem = true, false, ""
	m.build()
}

// AddSessions adds what [Load] asked for. An answer that does not continue the
// list as it is now is dropped.
func (m *Model) AddSessions(offset int, list []memory.Session, total int) {
	m.reading, m.problem = false, ""
	if offset == len(m.list) {
		for _, s := range list {
			if !slices.ContainsFunc(m.list[:offset], func(o memory.Session) bool { return o.ID == s.ID }) {
				m.list = append(m.list, s)
			}
		}
		m.loaded, m.total = true, max(total, len(m.list))
		if len(list) == 0 { // there is no more, whatever was counted
			m.total = len(m.list)
		}
	}
	m.build()
}

// LoadFailed says that the list could not be read.
func (m *Model) LoadFailed(text string) {
	m.reading, m.problem = false, text
	m.build()
}

// Loaded is the number of sessions in the list; more may exist.
func (m *Model) Loaded() int { return len(m.list) }

// Update brings one session up to date wherever it is shown.
func (m *Model) Update(s memory.Session) {
	for i := range m.list {
		if m.list[i].ID == s.ID {
			m.list[i] = s
		}
	}
	for i := range m.results.Sessions {
		if m.results.Sessions[i].Session.ID == s.ID {
			m.results.Sessions[i].Session = s
		}
	}
	m.build()
}

// Renamed leaves the field: the title is stored.
func (m *Model) Renamed(s memory.Session) {
	m.busy, m.notice = false, ""
	if m.mode == renaming {
		m.leaveField()
	}
	m.Update(s)
}

// Deleted takes the session out of the list and offers to take that back.
func (m *Model) Deleted(r list.Removed) {
	gone := func(s memory.Session) bool { return s.ID == r.Of }
	if n := len(m.list); r.Of != "" {
		m.list = slices.DeleteFunc(m.list, gone)
		m.total -= n - len(m.list)
		m.results.Sessions = slices.DeleteFunc(m.results.Sessions, func(g Group) bool {
			if gone(g.Session) {
				m.results.Messages -= max(g.Messages, len(g.Hits))
				return true
			}
			return false
		})
	}
	r.Title = words.SessionTitle(memory.Session{Title: r.Title})
	m.removed.Add(r)
	m.busy, m.notice = false, ""
	if m.mode == confirming {
		m.mode = listing
	}
	m.build()
}

// TakenBack removes a deletion from the offer. The session comes back with the
// next list.
func (m *Model) TakenBack(id string) {
	m.removed.Drop(id)
	m.busy = false
	m.build()
}

// Failed says that what was asked for did not work. A title that is being
// written stays.
func (m *Model) Failed(text string) { m.busy, m.notice = false, text }

// OpenRename lets the user write the session's title.
func (m *Model) OpenRename(s memory.Session) {
	m.stopTyping()
	m.subject, m.mode, m.notice, m.busy = s, renaming, "", false
	m.title.Set(s.Title)
	m.before = m.title.Value()
	m.title.Focus()
	m.build()
}

// OpenDelete asks how far deleting the session shall go (D2).
func (m *Model) OpenDelete(s memory.Session) {
	m.stopTyping()
	m.subject, m.mode, m.notice, m.busy = s, confirming, "", false
	m.build()
}

func (m *Model) leaveField() {
	m.title.Blur()
	m.mode = listing
}
