package memory

import "time"

// Call is a model's tool call and its result (I2). It belongs to a record with role
// tool. The result is stored as references, like all sent content: what the user
// deletes disappears from it too (C5, D2).
type Call struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is a JSON object, as sent back to the model with the result.
	Arguments string `json:"arguments"`
	// Written is the model's original text, or its beginning, if that was not a JSON
	// object of a reasonable size.
	Written string `json:"written,omitempty"`
	Found   int    `json:"found"`
	// Failed says in a few words why there is no result; empty if there is one.
	Failed string `json:"failed,omitempty"`
	// Parts and Nonce are the result as in its message, as in a [Block].
	Parts  []Ref  `json:"parts"`
	Nonce  string `json:"nonce,omitempty"`
	Tokens int    `json:"tokens"` // an estimate, for arguments and result
}

// ToolCall is a call as sent back to the model.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Sent returns the call as sent back to the model.
func (c Call) Sent() ToolCall { return ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments} }

// Round is a further request of a turn: everything sent before, then the model's words
// and calls, then their results.
type Round struct {
	CreatedAt time.Time `json:"created_at"`
	// Said is the record of the model's words before its calls; empty if there are
	// none. Calls are the records of the calls, in order.
	Said  string   `json:"said,omitempty"`
	Calls []string `json:"calls"`
	// Tools says that the model could call again.
	Tools  bool   `json:"tools"`
	Tokens int    `json:"tokens"` // an estimate for the added messages
	Hash   string `json:"hash"`   // as of a package, over all messages of the request
}

// RenderedCall is a call with the text of its result.
type RenderedCall struct {
	RecordID string `json:"record_id"`
	Call
	Text string `json:"text"`
	// Forgotten counts the parts whose text was deleted since, including the call
	// itself.
	Forgotten int `json:"forgotten,omitempty"`
}

// RenderedRound is a round with its references resolved.
type RenderedRound struct {
	Round
	SaidText string         `json:"said_text,omitempty"`
	Called   []RenderedCall `json:"called"`
	Exact    bool           `json:"exact"` // as of a [Rendered]
}

// AllExact reports whether every request of the turn is exact.
func (r Rendered) AllExact() bool {
	for _, round := range r.Further {
		if !round.Exact {
			return false
		}
	}
	return r.Exact
}

// messages returns the messages that the round added.
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
