package working

import (
	"time"

	"memoria/memory"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
)

// Do says what the user wants done.
type Do int

// What the part can ask for. Topic, Variable and Remove are answered by Saved or
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

// State is what is known of one session.
type State struct {
	memory.Working
	Title string // of the session
	// EndsAt is when the working memory ends unless something is said; zero for
	// not at all.
	EndsAt time.Time
	// Kept says that the session has ended and that this was kept of it.
	Kept bool
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
	state   State
	there   bool // state is of a session
	reading bool
	problem string

	rows   []row // while they are built
	list   *list.List[entry]
	form   *form
	busy   bool
	notice string
}

// New returns an empty part that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{keys: k, loc: loc, list: list.New[entry]()}
	m.list.Hold(true) // variables come and go while one of them is looked at
	return m
}

// SetStyles changes the looks.
func (m *Model) SetStyles(s theme.Styles) {
	m.styles = s
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
	if m.form != nil {
		m.form.setWidth(w)
	}
	m.build()
}

// SetFocus says whether the part has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// SetNow tells the time, for ages and for what has passed.
func (m *Model) SetNow(now time.Time) {
	old := m.now
	m.now = now
	if !old.Truncate(time.Minute).Equal(now.Truncate(time.Minute)) {
		m.build()
	}
}

// Capturing reports whether letters are text here.
func (m *Model) Capturing() bool { return m.mode == editing }

// Asking reports whether a question stands in the part, which takes every key.
func (m *Model) Asking() bool { return m.mode == confirming }

// Modal reports whether the part shows something that esc leaves.
func (m *Model) Modal() bool { return m.mode != listing }

// Reading says that the state is being read.
func (m *Model) Reading() {
	m.reading, m.problem = true, ""
	m.build()
}

// Show shows the state of a session. A form that is being written stays, with
// the session that it is about.
func (m *Model) Show(s State) {
	if s.SessionID != m.state.SessionID {
		m.leave()
	}
	m.state, m.there, m.reading, m.problem = s, true, false, ""
	m.build()
}

// None says that there is nothing to show: no session, or one without working
// memory.
func (m *Model) None() {
	m.leave()
	m.state, m.there, m.reading, m.problem = State{}, false, false, ""
	m.build()
}

// leave forgets where the cursor was and what was asked about it.
func (m *Model) leave() {
	m.list.Reset()
	if m.mode != editing {
		m.mode, m.busy, m.notice = listing, false, ""
	}
}

// Saved ends a form or deletion: the change is stored. Show tells the state with
// it.
func (m *Model) Saved() {
	if m.busy {
		m.form, m.mode, m.busy, m.notice = nil, listing, false, ""
	}
}

// ReadFailed says that the state could not be read.
func (m *Model) ReadFailed(text string) {
	m.reading, m.problem = false, text
	m.build()
}

// Failed says that what was asked for did not work. A form stays open, so that
// nothing written is lost.
func (m *Model) Failed(text string) { m.busy, m.notice = false, text }
