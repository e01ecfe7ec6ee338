package learning

import (
	"context"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/policy/subject"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// Reviewed is an active item that the current rules would not create (P9b).
type Reviewed struct {
	memory.Item
	// Rule created the item.
	Rule string `json:"rule"`
	// Said are its source words.
	Said string `json:"said"`
}

// MarshalJSON implements [json.Marshaler].
func (r Reviewed) MarshalJSON() ([]byte, error) {
	return r.JSONWith(struct {
		Rule string `json:"rule"`
		Said string `json:"said"`
	}{r.Rule, r.Said})
}

// Review reads again the source messages of active items made by rules, and returns the
// items that the current rules would not make from them, newest first. It changes
// nothing. Items written by a model or the user, and items without remaining messages,
// are skipped.
func (w *Writer) Review(ctx context.Context, agentID string) ([]Reviewed, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return nil, err
	}
	var made []memory.Item
	var people []subject.Person
	err = w.View(ctx, func(tx *store.Tx) error {
		for it, err := range tx.Items(a.ID) {
			if err != nil {
				return err
			}
			people = append(people, namedIn(it)...)
			rule := it.Metadata.Rule
			if it.State == memory.StateActive && it.Origin == memory.OriginTurn && rule != "" && rule != "model" {
				made = append(made, it)
			}
		}
		return nil
	})
	people = subject.Together(people)
	out := []Reviewed{}
	for _, it := range made {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("reviewing memories: %w", err)
		}
		var r Reviewed
		var doubtful bool
		if r, doubtful, err = w.review(ctx, a, it, people); doubtful {
			out = append(out, r)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reviewing memories: %w", err)
	}
	return out, nil
}

// review reports whether no source message of an item produces it under the current
// rules.
func (w *Writer) review(
	ctx context.Context, a *write.Agent, it memory.Item, people []subject.Person,
) (r Reviewed, doubtful bool, err error) {
	r = Reviewed{Item: it, Rule: it.Metadata.Rule}
	for _, ev := range it.Evidence {
		said, err := w.Lookup().Record(ctx, a.ID, ev.RecordID)
		if lookup.Lacking(err) {
			continue
		}
		if err != nil {
			return r, false, err
		}
		if makes(w.Policy(), said, it, people) {
			return r, false, nil
		}
		r.Said, doubtful = recall.Quoted(said, ev), true
	}
	return r, doubtful, nil
}

// makes reports whether the current rules make an item from a message, where people are known by name.
func makes(p *policy.Policy, said memory.Record, it memory.Item, people []subject.Person) bool {
	if said.Role != memory.RoleUser {
		return false
	}
	texts := []string{said.Typed()}
	for _, s := range said.Foreign() {
		lo := min(max(s.Offset, 0), len(said.Content))
		texts = append(texts, said.Content[lo:min(max(s.Offset+s.Length, lo), len(said.Content))])
	}
	for _, text := range texts {
		found := p.Extract(text)
		if len(people) > 0 {
			found = append(found, p.Teaches(text, people...)...)
		}
		if slices.ContainsFunc(found, func(c policy.Candidate) bool {
			st, _ := c.Statement()
			corrects := c.Corrects != "" && instruct.Holds(it, st.Value) // it has the item's key only once it is applied
			return policy.SameSlot(c.Key, it.Key) || !c.OnlyEnds() && c.Content == it.Content || corrects
		}) {
			return true
		}
	}
	return false
}
