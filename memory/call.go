package memory

import "time"

// Call is what a model called and what it got for it (I2). It belongs to a
// record with role tool. The result is kept as references, like all that was
// sent: what the user deletes is gone from it as well (C5, D2).
type Call struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is a JSON object, as it went back to the model with the result.
	Arguments string `json:"arguments"`
	// Written is what the model wrote instead, or the beginning of it, where that
	// was no JSON object of a reasonable size.
	Written string `json:"written,omitempty"`
	Found   int    `json:"found"`
	// Failed says in a few words why there is no result; empty when there is.
	Failed string `json:"failed,omitempty"`
	// Parts and Nonce are the result as it stands in its message, as in a [Block].
	Parts  []Ref  `json:"parts"`
	Nonce  string `json:"nonce,omitempty"`
	Tokens int    `json:"tokens"` // an estimate, arguments and result
}

// ToolCall is a call as it goes back to the model.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Sent is the call as it goes back to the model.
func (c Call) Sent() ToolCall { return ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments} }

// Round is a further request of a turn: all that was sent before, and behind it
// what the model said and called, and what it got.
type Round struct {
	CreatedAt time.Time `json:"created_at"`
	// Said is the record of what the model said before it called; empty when it
	// said nothing. Calls are the records of what it called, in its order.
	Said  string   `json:"said,omitempty"`
	Calls []string `json:"calls"`
	// Tools says that it could call again.
	Tools  bool   `json:"tools"`
	Tokens int    `json:"tokens"` // an estimate of what was added
	Hash   string `json:"hash"`   // as of a package, of all messages of the request
}

// RenderedCall is a call with the text of its result.
type RenderedCall struct {
	RecordID string `json:"record_id"`
	Call
	Text string `json:"text"`
	// Forgotten counts the parts whose text was deleted since, the call itself
	// among them.
	Forgotten int `json:"forgotten,omitempty"`
}

// RenderedRound is a round with its references resolved again.
type RenderedRound struct {
	Round
	SaidText string         `json:"said_text,omitempty"`
	Called   []RenderedCall `json:"called"`
	Exact    bool           `json:"exact"` // as of a [Rendered]
}

// AllExact reports whether every request of the turn is what was sent.
func (r Rendered) AllExact() bool {
	for _, round := range r.Further {
		if !round.Exact {
			return false
		}
	}
	return r.Exact
}

// messages are what a round put behind the messages before it.
func (r RenderedRound) messages() []Message {
	asked := Message{Role: RoleAssistant, Content: r.SaidText}
	out := []Message{asked}
	for _, c := range r.Called {
		out[0].Calls = append(out[0].Calls, c.Sent())
		out = append(out, Message{Role: RoleTool, Content: c.Text, CallID: c.ID})
	}
	return out
}

// Request returns the messages of a turn's n-th further request, counted from 1;
// 0 is the first request, [Rendered.Messages].
func (r Rendered) Request(n int) []Message {
	out := r.Messages()
	for _, round := range r.Further[:min(n, len(r.Further))] {
		out = append(out, round.messages()...)
	}
	return out
}
