package working

import (
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
)

// Do says what the user wants done.
type Do int

// What the pane can ask for. Topic, Variable and Remove are answered by Saved or
// by Failed, whatever session is shown by then.
const (
	Nothing  Do = iota
	Topic       // the topic of SessionID is Value; empty: it has none
	Variable    // the variable Key of SessionID is Value, whether it is new or not
	Remove      // the variable Key of SessionID goes
	Copy        // copy Value
	Leave       // back to the input
)

// Action is what a key asked for.
type Action struct {
	Do        Do
	SessionID string
	Key       string
	Value     string
}

// State is the working memory of a session.
type State struct {
	memory.Working
	Title string // of the session
	// EndsAt is when the working memory ends unless something is said; zero for
	// not at all.
	EndsAt time.Time
	// Kept says that the session has ended and its working memory was kept.
	Kept bool
}

// Model is the pane. It is used by one goroutine.
type Model struct {
	list.Base[entry, Action]

	state   State
	there   bool // state is of a session
	reading bool
	problem string
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{}
	m.Base = list.NewBase[entry](list.Config[Action]{
		Keys: k, Moves: k.Working.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Height: 2,
		Waiting: k.Words.Say("working.saving"),
	})
	m.List.Hold(true) // variables come and go while one of them is looked at
	return m
}

// Reading says that the state is being read.
func (m *Model) Reading() {
	m.reading, m.problem = true, ""
	m.Build()
}

// Show shows the state of a session. A form that is being written stays, with
// the session that it is about.
func (m *Model) Show(s State) {
	if s.SessionID != m.state.SessionID {
		m.leave()
	}
	m.state, m.there, m.reading, m.problem = s, true, false, ""
	was, _ := m.List.Selected()
	m.Build()
	if is, _ := m.List.Selected(); is.Key != was.Key && m.Question != nil { // what was asked about is gone
		m.Done()
	}
}

// None says that there is nothing to show: no session, or one without working
// memory.
func (m *Model) None() {
	m.leave()
	m.state, m.there, m.reading, m.problem = State{}, false, false, ""
	m.Build()
}

// leave forgets where the cursor was and what was asked about it.
func (m *Model) leave() {
	m.List.Reset()
	if m.Form == nil {
		m.Done()
	}
}

// Saved ends a form or deletion: the change is stored. Show tells the state with
// it.
func (m *Model) Saved() {
	if m.Busy {
		m.Done()
	}
}

// ReadFailed says that the state could not be read.
func (m *Model) ReadFailed(text string) {
	m.reading, m.problem = false, text
	m.Build()
}
