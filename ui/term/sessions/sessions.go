package sessions

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"memoria/memory"
	"memoria/ui/term/cells"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do is the kind of an [Action].
type Do int

// The kinds of actions. Each names the fields it uses, and the methods that take its result.
const (
	Nothing Do = iota
	Load       // read sessions from Offset on; answered by AddSessions or LoadFailed
	Open       // show SessionID for reading, at RecordID if not empty
	Rename     // set the title of SessionID to Title; answered by Renamed or Failed
	Delete     // delete the messages of SessionID and, with Memories, what was learned from them; answered by Deleted or Failed
	Restore    // undo the deletion ID; answered by Restored or Failed
	Begin      // start a new session
	Search     // search all messages for Query; answered by Found or SearchFailed. An empty Query ends the search
	Copy       // copy Text
	Export     // write SessionID to a file
	Leave      // give the focus back to the input
)

// Action is an effect that the pane requests; the zero value requests none.
type Action struct {
	Do        Do
	SessionID string
	RecordID  string
	Title     string
	Memories  bool
	ID        string // of a deletion
	Query     string
	Offset    int
	Text      string
}

// titleLines is the maximum height of the title field, in lines.
const titleLines = 3

// Model is the state of the pane. It is not safe for concurrent use.
type Model struct {
	list.Base[entry, Action]

	all     list.Paged[memory.Session]
	current string // id of the session in the conversation
	search  search
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{all: list.NewPaged(func(a, b memory.Session) bool { return a.ID == b.ID })}
	m.Base = list.NewBase[entry](list.Config[Action]{
		Keys: k, Moves: k.Sessions.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, More: m.more, Near: 10,
		Asks: list.AskOf(k.Sessions.New, k.Words.Say("sessions.ask.new")),
		Ask:  m.ask, Placeholder: k.Words.Say("sessions.words"),
		Asked:  func() bool { return m.search.query != "" },
		Failed: func() bool { return m.search.failed != "" }, Answered: func() bool { return m.search.answered },
	})
	return m
}

// Modal reports whether esc closes something inside the pane.
func (m *Model) Modal() bool { return m.Base.Modal() || m.search.query != "" }

// SetCurrent marks the session in the conversation by its id; "" for none.
func (m *Model) SetCurrent(id string) {
	if id != m.current {
		m.current = id
		m.Build()
	}
}

// SetSessions replaces the list with the first page of total sessions, most recently used
// first.
func (m *Model) SetSessions(all []memory.Session, total int) {
	m.all.Set(all, total)
	m.Build()
}

// AddSessions appends the page requested by [Load]. A page that does not continue the
// current list is dropped.
func (m *Model) AddSessions(offset int, more []memory.Session, total int) {
	m.all.Append(offset, more, total)
	m.Build()
}

// LoadFailed shows why the list could not be read.
func (m *Model) LoadFailed(text string) {
	m.all.Fail(text)
	m.Build()
}

// Loaded is the number of sessions in the list; more may exist.
func (m *Model) Loaded() int { return len(m.all.Items) }

// Update replaces a session in the list and in the search results. It is not Bubble Tea's
// Update.
func (m *Model) Update(s memory.Session) {
	for i := range m.all.Items {
		if m.all.Items[i].ID == s.ID {
			m.all.Items[i] = s
		}
	}
	m.search.update(s)
	m.Build()
}

// Renamed takes the result of [Rename]: it closes the title field and updates the session.
func (m *Model) Renamed(s memory.Session) {
	if m.Busy, m.Notice = false, ""; m.Form != nil {
		m.Done()
	}
	m.Update(s)
}

// Deleted takes the result of [Delete]: it removes the session from the list and offers undo.
func (m *Model) Deleted(r list.Removed) {
	if r.Of != "" {
		m.all.Drop(func(s memory.Session) bool { return s.ID == r.Of })
		m.search.drop(r.Of)
	}
	r.Title = m.Words.SessionTitle(memory.Session{Title: r.Title})
	m.Removed.Add(r)
	if m.Busy, m.Notice = false, ""; m.Question != nil {
		m.Done()
	}
	m.Build()
}

// OpenRename opens a field for the session's title.
func (m *Model) OpenRename(s memory.Session) {
	w := m.Words
	title := list.Text("", w.Say("sessions.title"), s.Title, titleLines)
	m.Open(&list.Form[Action]{
		ID:     "title " + s.ID,
		Title:  w.Say("sessions.rename", m.Named(w.SessionTitle(s), cells.Width(w.Say("sessions.rename", ""))+5)),
		Saving: w.Say("sessions.renaming"), Below: true, Inset: 4,
		Fields: []*list.Input{title}, Hints: []key.Binding{m.Keys.Form.Save, m.Keys.Form.Leave},
		Save: func() Action {
			name := strings.Join(strings.Fields(title.Written()), " ") // on one line
			switch {
			case name == "":
				m.Notice = w.Say("sessions.title.none")
			case !title.Touched():
				m.Done()
			default:
				return m.Once(Action{Do: Rename, SessionID: s.ID, Title: name})
			}
			return Action{}
		},
	})
	m.Build()
}

// OpenDelete asks whether to delete only the session's messages, or also the memories
// learned from them (D2).
func (m *Model) OpenDelete(s memory.Session) {
	erase := Action{Do: Delete, SessionID: s.ID, Title: s.Title}
	all := erase
	all.Memories = true
	title, messages := m.Words.SessionTitle(s), list.Count(m.Words.Words, s.Messages, "message")
	m.AskErase(m.Keys.Erase,
		func() string {
			return m.Words.Say("sessions.delete", m.Named(title, cells.Width(m.Words.Say("sessions.delete", "", messages))+4), messages)
		},
		func() string {
			return m.Words.Say("sessions.deleting", m.Named(title, cells.Width(m.Words.Say("sessions.deleting", ""))+4))
		},
		erase, all)
	m.Build()
}
