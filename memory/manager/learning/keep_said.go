package learning

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/retrieve"
)

// KeepSaid keeps what a message of the user says, as "remember that" after it asks (U2). It returns what that changed, nothing
// for a question, a secret, or a message that is kept out of the memory. The changes belong to the turn of the message.
func KeepSaid(ctx context.Context, w *Writer, said memory.Record) (changes []memory.Change, err error) {
	a, err := w.Agent(said.AgentID)
	if err != nil {
		return nil, err
	}
	said = w.Recall().Fetch(said)
	if typed := said.Typed(); said.NotForMemory || strings.ContainsAny(typed, "?？") || retrieve.Asks(typed) {
		return nil, nil
	}
	found := asSaid(w, said, func(c *policy.Candidate) { c.Reason = "you asked to remember it" })
	if len(found) == 0 {
		return nil, nil
	}
	err = w.Update(ctx, a, func(t *write.Tx) error {
		changes = nil
		for _, p := range found {
			more, err := applyProposal(t, p, found)
			if err != nil {
				return err
			}
			changes = append(changes, more...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("remembering a message: %w", err)
	}
	return changes, nil
}

// asSaid proposes what a message says as if it had asked to be remembered. as changes the candidates.
func asSaid(w *Writer, said memory.Record, as func(*policy.Candidate)) (out []Proposal) {
	typed := strings.TrimSpace(said.Typed())
	ask := "remember that "
	if strings.ContainsFunc(typed, text.Han) {
		ask = "记住"
	}
	lead := strings.Index(said.Content, typed)
	for _, c := range w.Policy().Extract(ask + typed) {
		c.Offset += lead - len(ask)
		if lead < 0 || c.OnlyEnds() || c.Offset < lead || c.Offset+c.Length > len(said.Content) ||
			!utf8.ValidString(said.Content[c.Offset:c.Offset+c.Length]) {
			continue
		}
		as(&c)
		c = policy.Dated(c, said.Timestamp, w.Now().Location())
		out = append(out, Proposal{Candidate: c, From: said, Origin: memory.OriginTurn, Trust: memory.TrustUser})
	}
	return out
}
