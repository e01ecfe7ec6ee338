package chat

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
)

// errOnlyCalls says that a model asked for tools when it had none left, and for
// nothing else.
var errOnlyCalls = errors.New("the model went on searching and gave no answer")

// converse asks the model, does what it calls, and asks again until it answers: at
// most the limit's calls, and then without tools. The reply is the last one, with
// the usage of all requests (C7).
func (a *answer) converse(ctx context.Context, req model.Request) (model.Reply, error) {
	var before model.Reply
	for calls := 0; ; {
		reply, err := a.client.Stream(ctx, req, func(e model.Event) { a.event(ctx, e) })
		if calls == 0 {
			a.firstUsage, before.FirstToken = reply.Usage, reply.FirstToken
		}
		before.Usage, before.Took = sumUsage(before.Usage, reply.Usage), before.Took+reply.Took
		reply.Usage, reply.Took, reply.FirstToken = before.Usage, before.Took, before.FirstToken
		if err != nil || len(reply.ToolCalls) == 0 {
			return reply, err
		}
		if len(req.Tools) == 0 {
			if blank(reply.Text) {
				err = errOnlyCalls
			}
			return reply, err
		}
		sent, err := a.round(ctx, reply, a.turn.set.memory.SearchLimit-calls)
		if err != nil {
			return reply, err
		}
		n := len(sent.Further)
		calls += len(sent.Further[n-1].Calls)
		req.Messages = messages(sent.Request(n))
		if !sent.Further[n-1].Tools {
			req.Tools = nil
		}
	}
}

// round does what a reply calls, at most left calls, and stores it with the request
// that follows.
func (a *answer) round(ctx context.Context, reply model.Reply, left int) (memory.Rendered, error) {
	r := manager.ToolRound{
		SessionID: a.turn.begun.Session.ID, TurnID: a.turn.begun.Record.TurnID, Texts: map[string]string{},
		Tools: len(reply.ToolCalls) < left,
	}
	if over := len(reply.ToolCalls) - left; over > 0 {
		reply.ToolCalls = reply.ToolCalls[:left]
		r.Dropped = []memory.Dropped{{
			Layer: memory.LayerEvidence, What: fmt.Sprintf("%d more calls of the model", over), Reason: "agentic_search_limit",
		}}
	}
	if !blank(reply.Text) {
		said := a.record(reply)
		said.ID, said.FinishReason = a.memory.NewID(), memory.FinishCalls
		r.Said = &said
		r.Tokens = a.composer.Tokens(a.pkg.Model, reply.Text)
	}
	for _, call := range reply.ToolCalls {
		done, err := a.call(ctx, call, a.pkg.Limit-a.pkg.Tokens-a.added-r.Tokens)
		if err != nil {
			return memory.Rendered{}, err
		}
		r.Calls = append(r.Calls, done.record)
		r.Used = append(r.Used, done.used...)
		maps.Copy(r.Texts, done.texts)
		r.Tokens += done.record.Call.Tokens
	}
	sent, err := a.packRound(ctx, r)
	if err != nil {
		return sent, err
	}
	a.text.Reset()
	a.savedLen = 0
	unsaid := a.thought.of(reply)
	if a.thought = (thought{}); r.Said == nil {
		a.thought.before = unsaid
	}
	a.added += r.Tokens
	now := a.now()
	if r.Said != nil {
		r.Said.Timestamp = now
	}
	for i := range r.Calls {
		r.Calls[i].Timestamp = now
	}
	a.emit(func(h Head) Event { return Searched{Head: h, Said: r.Said, Calls: r.Calls} })
	if len(a.late.Rounds) == 0 {
		a.emit(func(h Head) Event { return PackageStored{Head: h, Package: sent.Package} })
	}
	return sent, nil
}

func messages(in []memory.Message) (out []model.Message) {
	for _, m := range in {
		one := model.Message{Role: string(m.Role), Content: m.Content, ToolCallID: m.CallID}
		for _, c := range m.Calls {
			one.ToolCalls = append(one.ToolCalls, model.ToolCall(c))
		}
		out = append(out, one)
	}
	return out
}

func sumUsage(a, b memory.Usage) memory.Usage {
	return memory.Usage{
		PromptTokens: a.PromptTokens + b.PromptTokens, CompletionTokens: a.CompletionTokens + b.CompletionTokens,
		TotalTokens: a.TotalTokens + b.TotalTokens, CachedTokens: a.CachedTokens + b.CachedTokens,
	}
}
