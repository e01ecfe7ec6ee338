package model

import "time"

// Event is something that happens during a request: one of the types below.
type Event interface{ event() }

type (
	// Throttled says that the configured rate limit delays the request.
	Throttled struct{ Wait time.Duration }

	// Retrying says that an attempt failed and the next one starts after Wait. Attempt is its number, 2 to Of.
	// Reason is short, redacted and meant for people.
	Retrying struct {
		Attempt, Of int
		Wait        time.Duration
		Kind        Kind
		Reason      string
	}

	// Connected says that the server accepted the request and will answer.
	Connected struct{}

	// FirstToken says that the answer has begun. After counts from the call of Stream.
	FirstToken struct{ After time.Duration }

	// Delta is the next piece of the answer's text, never empty and never half a character.
	Delta struct{ Text string }

	// Reasoning is a piece of the model's reasoning. It is not part of the answer.
	Reasoning struct{ Text string }

	// Reconsidered withdraws every Delta so far: it was reasoning and is sent again as such. The answer begins
	// only now.
	Reconsidered struct{}

	// ToolCallDelta is a piece of a tool call. Index is its place in [Reply.ToolCalls]. ID comes whole, with
	// the first piece; Name and Arguments come in pieces to be joined.
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
