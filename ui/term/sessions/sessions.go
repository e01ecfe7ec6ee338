package sessions

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"memoria/memory"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for.
const (
	Nothing  Do = iota
	Load        // list sessions from Offset on; answered by AddSessions or LoadFailed
	Open        // show SessionID to be read, at RecordID unless that is empty
	Rename      // call SessionID Title; answered by Renamed or Failed
	Delete      // delete the messages of SessionID and, with Memories, what was learned from them; answered by Deleted or Failed
	TakeBack    // undo the deletion ID; answered by TakenBack or Failed
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

// titleLines is how many lines a long title may take while it is written.
const titleLines = 3

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[entry, Action]

	all     list.Paged[memory.Session]
	current string // the session that the conversation shows
	search  search
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{all: list.NewPaged(func(a, b memory.Session) bool { return a.ID == b.ID })}
	m.Base = list.NewBase[entry](list.Config[Action]{
		Keys: k, Moves: k.Sessions.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, More: m.more, Near: 10,
		Ask: m.ask, Placeholder: "words that were said",
		Asked:  func() bool { return m.search.query != "" },
		Failed: func() bool { return m.search.failed != "" },
	})
	return m
}

// Modal reports whether esc closes something inside the pane.
func (m *Model) Modal() bool { return m.Base.Modal() || m.search.query != "" }

// SetCurrent marks the session that the conversation shows; "" for none.
func (m *Model) SetCurrent(id string) {
	if id != m.current {
		m.current = id
		m.Build()
	}
}

// SetSessions replaces the list: the first of total, the last used first.
func (m *Model) SetSessions(all []memory.Session, total int) {
	m.all.Set(all, total)
	m.Build()
}

// AddSessions adds what [Load] asked for. An answer that does not continue the
// list as it is now is dropped.
func (m *Model) AddSessions(offset int, more []memory.Session, total int) {
	m.all.Append(offset, more, total)
	m.Build()
}

// LoadFailed says that the list could not be read.
func (m *Model) LoadFailed(text string) {
	m.all.Fail(text)
	m.Build()
}

// Loaded is the number of sessions in the list; more may exist.
func (m *Model) Loaded() int { return len(m.all.Items) }

// Update brings one session up to date wherever it is shown.
func (m *Model) Update(s memory.Session) {
	for i := range m.all.Items {
		if m.all.Items[i].ID == s.ID {
			m.all.Items[i] = s
		}
	}
	m.search.update(s)
	m.Build()
}

// Renamed closes the field: the title is stored.
func (m *Model) Renamed(s memory.Session) {
	if m.Busy, m.Notice = false, ""; m.Form != nil {
		m.Done()
	}
	m.Update(s)
}

// Deleted removes the session from the list and offers to undo that.
func (m *Model) Deleted(r list.Removed) {
	if r.Of != "" {
		m.all.Drop(func(s memory.Session) bool { return s.ID == r.Of })
		m.search.drop(r.Of)
	}
	r.Title = words.SessionTitle(memory.Session{Title: r.Title})
	m.Removed.Add(r)
	if m.Busy, m.Notice = false, ""; m.Question != nil {
		m.Done()
	}
	m.Build()
}

// OpenRename lets the user write the session's title.
func (m *Model) OpenRename(s memory.Session) {
	title := list.Text("", "a title", s.Title, titleLines)
	m.Open(&list.Form[Action]{
		Title: "a title for " + m.Named(words.SessionTitle(s), 17), Saving: "saving the title …", Below: true, Inset: 4,
		Fields: []*list.Input{title}, Hints: []key.Binding{m.Keys.Form.Save, m.Keys.Form.Leave},
		Save: func() Action {
			called := strings.Join(strings.Fields(title.Written()), " ") // on one line
			switch {
			case called == "":
				m.Notice = "A title needs some words."
			case !title.Touched():
				m.Done()
			default:
				return m.Once(Action{Do: Rename, SessionID: s.ID, Title: called})
			}
			return Action{}
		},
	})
	m.Build()
}

// OpenDelete asks how far deleting the session shall go (D2).
func (m *Model) OpenDelete(s memory.Session) {
	erase := Action{Do: Delete, SessionID: s.ID, Title: s.Title}
	all := erase
	all.Memories = true
	tail := ", " + list.Plural(s.Messages, "message") + "?"
	m.AskErase(m.Keys.Erase,
		func() string {
			return "Delete " + m.Named(words.SessionTitle(s), 2+cells.Width("Delete “”"+tail)) + tail
		},
		func() string { return "deleting “" + words.SessionTitle(s) + "” …" },
		erase, all)
	m.Build()
}
