package model

import (
	"context"
	"errors"
	"fmt"

	"memoria/memory"
	"memoria/memory/learn"
)

// maxComplete is how many bytes of an answer in the background are waited for. A model that goes on and on for
// nobody is stopped.
const maxComplete = 128 << 10

var errRunsOn = errors.New("the answer does not end")

// completer asks a client for answers in a form.
type completer struct{ client Client }

// NewCompleter returns the way in which memory asks c in the background. The tool must be called; a server that
// refuses tools, or whose model answers in prose, is asked for its schema instead, and one that refuses that too for text. Errors wrap
// [learn.ErrUnavailable] when another request would fail as well, and [learn.ErrNoAnswer] when that is not sure.
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
	out := learn.Answer{Text: reply.Text, Usage: memory.Usage(reply.Usage)}
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

// answered reports whether the model has ended its answer, in whatever way: the reader finds whether there is
// anything in it.
func (e *Error) answered() bool {
	return e.Kind == KindLength || e.Kind == KindFiltered || e.Kind == KindEmpty
}

// unavailable reports whether any other request would fail in the same way now.
func (e *Error) unavailable() bool {
	switch e.Kind {
	case KindAuth, KindQuota, KindRate, KindConnectTimeout, KindFirstTokenTimeout, KindNetwork, KindServer, KindModelNotFound, KindOffline:
		return true
	}
	return false
}
