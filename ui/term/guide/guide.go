package guide

import (
	"memoria/ui/term/cells"
	"memoria/ui/words"
)

// Step is a step of the first minute.
type Step int

// The steps. The zero value is [Off].
const (
	Off    Step = iota // there is no guide
	Say                // say something about yourself
	See                // it is remembered: look at the panel
	Ask                // ask for it
	Why                // open the memory that was used
	Delete             // delete it
	Done               // the guide says goodbye
)

// Steps is the number of steps between [Off] and [Done].
const Steps = int(Done) - 1

// Event is something that the user saw or did.
type Event int

// The events.
const (
	Said     Event = iota // a message was sent
	Learned               // a memory was made of a message
	Looked                // the panel got the keyboard
	Answered              // a message was answered
	Opened                // a memory was opened
	Deleted               // a memory was deleted
	Settled               // the deletion was undone, or can be undone no more
)

// State is the state of the guide. The zero value is off.
type State struct {
	step  Step
	asked bool // a message was sent since [Ask]
	past  bool // a message was sent since [Delete]
	plain bool // the last message taught nothing, which the first step asks for
	other bool // something else than a name was told
}

// Begin returns a guide at its first step.
func Begin() State { return State{step: Say} }

// Step returns the present step.
func (g *State) Step() Step { return g.step }

// On reports whether the guide has something to say.
func (g *State) On() bool { return g.step != Off }

// Message is the id of the message that the guide says now; empty if it is off.
func (g *State) Message() string {
	if g.step == Say && g.plain {
		return "first.say-plain" // the last message taught nothing
	}
	return [...]string{"", "first.say", "first.see", "first.ask", "first.why", "first.delete", "first.done"}[g.step]
}

// Short is the id of a shorter form of [State.Message], for one line.
func (g *State) Short() string {
	return map[string]string{
		"first.say": "first.say.short", "first.say-plain": "first.say-plain.short", "first.see": "first.see.short",
		"first.ask": "first.ask.short", "first.why": "first.why.short", "first.delete": "first.delete.short",
		"first.done": "first.done.short",
	}[g.Message()]
}

// SetNamed notes whether what the user said, and was remembered, is their name.
func (g *State) SetNamed(named bool) { g.other = !named }

// Text is what the guide says, in one sentence or two.
func (g *State) Text(w words.Words) string {
	if g.step == Say {
		return g.say(w, g.Message(), "first.step.first")
	}
	return g.say(w, g.Message(), "first.step")
}

// Line is what the guide says, in a line of width cells.
func (g *State) Line(w words.Words, width int) string {
	id := g.Message()
	if cells.Width(g.say(w, id, "first.step.short")) > width {
		id = g.Short()
	}
	return g.say(w, id, "first.step.short")
}

// say says a message after the number of its step. A message about the name of the user has other
// words where something else was told.
func (g *State) say(w words.Words, id, step string) string {
	if g.other && words.Has(id+".long") {
		id += ".long"
	}
	text := w.Say(id)
	if g.step == Done {
		return text
	}
	return w.Say(step, int(g.step), Steps, text)
}

// Skip ends the guide.
func (g *State) Skip() { *g = State{} }

// Note takes an event and reports whether the guide ended with it: it is then never shown
// again. It ends with a deletion, and with the answer to a message that is sent instead.
func (g *State) Note(e Event) (ended bool) {
	switch g.step {
	case Off:
		return false
	case Done:
		if e == Said || e == Settled {
			g.Skip()
		}
		return false
	}
	switch e {
	case Said:
		if g.step == See {
			g.step = Ask // the question is sent already
		}
		g.asked = g.step == Ask
		g.past = g.step == Delete
	case Learned:
		g.advance(See)
	case Looked:
		if g.step == See {
			g.step = Ask
		}
	case Answered:
		g.plain = g.step == Say
		switch {
		case g.step == Ask && g.asked:
			g.step = Why
		case g.past: // the last step was said, and is not repeated
			g.Skip()
			return true
		}
	case Opened:
		if g.step > Say {
			g.advance(Delete)
		}
	case Deleted:
		g.step = Done
		return true
	}
	return false
}

// advance goes on to a step, never back.
func (g *State) advance(to Step) { g.step = max(g.step, to) }
