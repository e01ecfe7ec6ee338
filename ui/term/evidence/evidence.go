package evidence

import (
	"time"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/term/keys"
	"memoria/ui/term/list"
	"memoria/ui/term/sent"
)

// Do is the kind of an [Action].
type Do int

// The kinds of actions.
const (
	Nothing Do = iota
	Turn       // show the turn Step turns after this one
	Open       // show the message of Evidence in its session
	Item       // open Memory
	Copy       // copy Text
	Leave      // give the focus back to the input
)

// Action is an effect that the pane requests; the zero value requests none.
type Action struct {
	Do       Do
	Step     sent.Step
	Evidence memory.Evidence
	Memory   memory.Item
	Text     string
}

// Model is the state of the pane. It is not safe for concurrent use.
type Model struct {
	list.Base[recall.Source, Action]

	shown sent.Shown
}

// New returns an empty pane that shows times in loc.
func New(k keys.Map, loc *time.Location) *Model {
	m := &Model{}
	m.Base = list.NewBase[recall.Source](list.Config[Action]{
		Keys: k, Moves: k.Evidence.Moves, Loc: loc, Rows: m.addRows, Key: m.key, Hints: m.hints, Acts: m.acts, Height: 3,
	})
	m.List.Hold(true) // a turn is read again while one of its sources is looked at
	return m
}

// Show shows a turn, or the same one as it is now.
func (m *Model) Show(s sent.Shown) {
	if s.Answer != m.shown.Answer {
		m.List.Reset()
		m.Notice = ""
	}
	m.shown = s
	m.Build()
}

// item returns the memory that was made from a source. ok is false where there is none, or none
// any more.
func (m *Model) item(s recall.Source) (it memory.Item, ok bool) {
	it, ok = m.shown.Items[s.ItemID]
	return it, ok
}
