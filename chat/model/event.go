package model

import "time"

// Event is something that happens while a request is answered: one of the types below.
type Event interface{ event() }

type (
	// Throttled says that the configured rate limit makes the request wait.
	Throttled struct{ Wait time.Duration }

	// Retrying says that an attempt failed and another one starts after Wait. Attempt is the number of the
	// coming attempt, 2 to Of. Reason is short, redacted and meant for people.
	Retrying struct {
		Attempt, Of int
		Wait        time.Duration
		Kind        Kind
		Reason      string
	}

	// Connected says that the server accepted the request and an answer is on its way.
	Connected struct{}

	// FirstToken says that the answer has begun. After counts from the call of Stream.
	FirstToken struct{ After time.Duration }

	// Delta is the next piece of the answer's text, never empty and never half a character.
	Delta struct{ Text string }

	// Reasoning is a piece of what the model thinks aloud. It is no part of the answer.
	Reasoning struct{ Text string }

	// Reconsidered takes every Delta so far back: it was reasoning, and comes once more as such. The answer only
	// begins now.
	Reconsidered struct{}

	// ToolCallDelta is a piece of a tool call. Index is its place in [Reply.ToolCalls]; ID comes whole, with the first
	// piece; Name and Arguments are pieces to be joined.
	ToolCallDelta struct {
		Index               int
		ID, Name, Arguments string
	}
)

func (Throttled) event()     {}
func (Retrying) event()      {}
func (Connected) event()     {}
func (FirstToken) event()    {}
func (Delta) event()         {}
func (Reasoning) event()     {}
func (Reconsidered) event()  {}
func (ToolCallDelta) event() {}
