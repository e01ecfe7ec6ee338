package learning

import (
	"context"
	"slices"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/learn"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// denied returns the proposal to end the only item of the last messages that a message takes back: "no wait, im not veggie
// anymore" (U3).
func denied(ctx context.Context, w *Writer, a *write.Agent, said memory.Record) []Proposal {
	statement, ok := instruct.Denied(said.Content, said.Spans)
	if !ok || said.ID == "" || policy.Supposes(said.Typed()) {
		return nil
	}
	items, err := told(ctx, w, a, said)
	if err != nil {
		return nil // it changes nothing then
	}
	meant := instruct.Match(instruct.Instruction{Kind: instruct.Forget, Object: statement}, items.Recent)
	meant = slices.DeleteFunc(meant, func(it memory.Item) bool {
		return it.State != memory.StateActive || it.Type == memory.TypeRule || instruct.SaysMore(it)
	})
	if len(meant) != 1 {
		return nil
	}
	c := policy.Candidate{Type: meant[0].Type, Key: meant[0].Key, Content: meant[0].Content, Length: len(said.Content)}
	return []Proposal{{
		Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser, target: &learn.Shown{Item: meant[0]},
	}}
}

// endDenied ends what a message takes back, unless the rest of the message has changed it.
func endDenied(t *write.Tx, denied []Proposal) (out []memory.Change, err error) {
	for _, p := range denied {
		c, err := applyCorrection(t, p, learn.End)
		if err != nil {
			return nil, err
		}
		if c.Action == memory.ActionEnded {
			out = append(out, c)
		}
	}
	return out, nil
}
