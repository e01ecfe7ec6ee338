package demo

import (
	"context"
	"sync"
	"time"

	"memoria/chat/model"
)

// clock is a clock that stands still until it is moved. It is safe for
// concurrent use.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// script is a model that answers what the history says, for one session. Its
// answers come in one piece and take no time but on the demo's clock.
type script struct {
	model string
	clock *clock

	mu   sync.Mutex
	turn turn
}

const (
	endpoint      = "demo" // where the packages of the history say that they went
	contextTokens = 32_000 // of the models in the history
	firstToken    = 700 * time.Millisecond
	tokenTime     = 24 * time.Millisecond // for each token of an answer
	messageTokens = 4                     // that a message costs beside its words
)

// says sets the next answer.
func (s *script) says(t turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = t
}

func (s *script) Info() model.Info {
	return model.Info{Name: "demo", Endpoint: endpoint, Model: s.model, ContextTokens: contextTokens}
}

// Stream gives the answer that says set. It answers nothing but the person: the
// rules learn from a turn.
func (s *script) Stream(ctx context.Context, req model.Request, _ func(model.Event)) (model.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if req.Purpose != model.PurposeReply {
		return model.Reply{}, &model.Error{Kind: model.KindOffline, Message: "the demo's model only answers", Host: endpoint}
	}
	if ctx.Err() != nil {
		return model.Reply{}, &model.Error{Kind: model.KindCancelled, Message: "the request was cancelled", Host: endpoint}
	}
	out := tokens(s.turn.answer)
	r := model.Reply{
		Text: s.turn.answer, Model: s.model, FirstToken: firstToken, Took: firstToken + time.Duration(out)*tokenTime,
	}
	s.clock.add(r.Took)
	if s.turn.cut {
		return r, &model.Error{Kind: model.KindNetwork, Message: "the connection broke", Host: endpoint}
	}
	r.FinishReason = model.FinishStop
	r.Usage.CompletionTokens = out
	for _, m := range req.Messages {
		r.Usage.PromptTokens += tokens(m.Content) + messageTokens
	}
	r.Usage.TotalTokens = r.Usage.PromptTokens + r.Usage.CompletionTokens
	return r, nil
}

// tokens is about what a model would count: four letters, or three Chinese
// tokens is about what a model would count: one for four letters, two for three
// Chinese characters.
func tokens(s string) int {
	thirds := 0
	for _, r := range s {
		if r < 0x2e80 {
			thirds += 3
		} else {
			thirds += 8
		}
	}
	return (thirds + 11) / 12
}
