package model

import (
	"context"
	"errors"
	"fmt"

	"memoria/memory/learn"
)

// maxComplete bounds a background answer, in bytes. It stops a model that never ends.
const maxComplete = 128 << 10

var errRunsOn = errors.New("the answer does not end")

// completer implements [learn.Completer] with a client.
type completer struct{ client Client }

// NewCompleter returns the [learn.Completer] with which memory asks c in the background. The tool must be
// called. If the server refuses tools, or its model answers in prose, NewCompleter falls back to the schema,
// and then to text. Errors wrap [learn.ErrUnavailable] when another request would fail too, and
// [learn.ErrNoAnswer] when that is uncertain.
func NewCompleter(c Client) learn.Completer { return completer{c} }

// Complete implements [learn.Completer].
func (c completer) Complete(ctx context.Context, req learn.Request) (learn.Answer, error) {
	asking, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	size := 0
	exact := 0.0
	reply, err := c.client.Stream(asking, Request{
		Messages:    []Message{{Role: RoleUser, Content: req.Prompt}},
		Tools:       []Tool{{Name: req.Tool.Name, Description: req.Tool.Description, Parameters: req.Tool.Schema}},
		ToolChoice:  req.Tool.Name,
		Toolless:    &Schema{Name: req.Tool.Name, Schema: req.Tool.Schema, Strict: true},
		MaxTokens:   req.MaxTokens,
		Temperature: &exact,
		Purpose:     PurposeAnalysis,
	}, func(e Event) {
		switch e := e.(type) {
		case Delta:
			size += len(e.Text)
		case Reasoning:
			size += len(e.Text)
		case ToolCallDelta:
			size += len(e.Arguments)
		}
		if size > maxComplete {
			stop(errRunsOn)
		}
	})
	out := learn.Answer{Text: reply.Text, Usage: reply.Usage}
	for _, call := range reply.ToolCalls {
		if call.Name == req.Tool.Name && out.Arguments == "" {
			out.Arguments = call.Arguments
		}
	}
	var e *Error
	switch {
	case !errors.As(err, &e):
	case e.answered():
		err = nil
	case e.unavailable():
		why := learn.ErrUnavailable
		if e.Kind == KindServer || e.Kind == KindFirstTokenTimeout {
			why = learn.ErrNoAnswer
		}
		err = fmt.Errorf("%w: %w", why, err)
	}
	return out, err
}

// answered reports whether the model ended its answer in any way; the reader decides whether it is usable.
func (e *Error) answered() bool {
	return e.Kind == KindLength || e.Kind == KindFiltered || e.Kind == KindEmpty
}

// unavailable reports whether any other request would fail the same way now.
func (e *Error) unavailable() bool {
	switch e.Kind {
	case KindAuth, KindQuota, KindRate, KindConnectTimeout, KindFirstTokenTimeout, KindNetwork, KindServer, KindModelNotFound, KindOffline:
		return true
	}
	return false
}
