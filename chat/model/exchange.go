package model

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptrace"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// finishWait bounds the wait for usage and closing mark once the answer is complete.
const finishWait = 5 * time.Second

// attempt sends the request once. begun reports whether any part of an answer arrived; if so, the request must
// not be retried.
func (c *OpenAI) attempt(
	ctx context.Context, req Request, d dialect, on func(Event), firstToken func(),
) (reply Reply, begun bool, e *Error) {
	p, err := params(req, c.modelName(req), d)
	if err != nil {
		return Reply{}, false, newError(KindRequest, err.Error())
	}
	actx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := &watchdog{cancel: cancel, now: c.now}
	defer watch.stop()
	state := &exchangeState{watch: watch, maxEvent: c.cfg.MaxEventBytes, maxAnswer: c.cfg.MaxAnswerBytes}
	actx = context.WithValue(actx, exchangeKey{}, state)
	actx = httptrace.WithClientTrace(actx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { watch.arm(c.cfg.FirstTokenTimeout, KindFirstTokenTimeout) },
	})

	watch.arm(c.cfg.ConnectTimeout, KindConnectTimeout)
	stream := c.chat.NewStreaming(actx, p)
	defer func() { _ = stream.Close() }()
	if state.answered && actx.Err() == nil {
		on(Connected{})
	}

	a := &assembly{emit: on, mask: c.guard.maskers(), muse: c.guard.maskers(), prose: prose{offered: inProse(req, p)}}
	for stream.Next() {
		if !begun {
			begun = true
			watch.begun(c.cfg.IdleTimeout)
			firstToken()
		}
		if e = a.add(stream.Current()); e != nil {
			break
		}
		if a.came {
			watch.fed()
		}
		if a.finish != "" {
			watch.finishing(min(finishWait, c.cfg.IdleTimeout))
		}
	}
	watch.stop()
	if e == nil && stream.Err() == nil && actx.Err() == nil {
		a.settle()
	}
	reply = a.reply()
	switch {
	case reply.FinishReason != "":
		e = reply.shortfall() // errors after the finish reason do not affect the answer
	case e == nil:
		e = c.explain(ctx, actx, stream.Err(), begun)
	}
	return reply, begun, e
}

// inProse returns the tools whose calls are searched for in the text: those sent, unless one must be called. A
// caller that asks for a form parses the text itself.
func inProse(req Request, p openai.ChatCompletionNewParams) (names []string) {
	if len(p.Tools) == 0 || req.ToolChoice != "" && req.ToolChoice != toolChoiceAuto {
		return nil
	}
	for _, t := range req.Tools {
		names = append(names, t.Name)
	}
	return names
}

// explain finds why an answer is not complete. It checks the contexts first, because everything below them
// fails in many ways once they have ended.
func (c *OpenAI) explain(ctx, actx context.Context, err error, begun bool) *Error {
	var own *Error
	var inStream *ssestream.StreamError
	switch {
	case ctx.Err() != nil:
		return cancelled(ctx)
	case errors.As(context.Cause(actx), &own), errors.As(err, &own):
		return own
	case errors.As(err, &inStream):
		return c.guard.refusal(200, nil, inStream.Event.Data)
	case err == nil && begun:
		return newError(KindIncomplete, "the answer stopped before its end")
	case err == nil:
		return newError(KindIncomplete, "the server closed the connection without an answer")
	case wrongJSON(err):
		return newError(KindBadResponse, "an event of the answer is not the JSON it should be")
	default:
		return networkError(err, c.guard.redact)
	}
}

// wrongJSON reports whether an answer is not JSON, or not of the expected shape.
func wrongJSON(err error) bool {
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &shape)
}
