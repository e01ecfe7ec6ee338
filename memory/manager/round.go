package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// ToolRound holds the tool calls of one model answer, and their results (I2).
type ToolRound struct {
	SessionID, TurnID string
	// Said is the text of the model before its calls, or nil. Each of Calls has its Call
	// set. All records have ids.
	Said  *memory.Record
	Calls []memory.Record
	Texts map[string]string // the program's own texts in the results
	// Used are the found items. Dropped are the unanswered calls.
	Used    []memory.Used
	Dropped []memory.Dropped
	Tools   bool // further calls are allowed
	Tokens  int  // estimate of the added tokens
}

// SaveRound stores a model's tool calls and results after the user's message, and the
// next request in the turn's package, in one write. It returns what to send, with this
// round last (C5). Items newly shown to the model count as accessed (L4).
func (m *Manager) SaveRound(ctx context.Context, agentID string, r ToolRound) (memory.Rendered, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Rendered{}, err
	}
	if r, err = m.storeLongRound(ctx, r); err != nil {
		return memory.Rendered{}, fmt.Errorf("storing what was called: %w", err)
	}
	var out memory.Rendered
	err = m.Update(ctx, a, func(t *write.Tx) error {
		out, err = saveRound(t, r)
		return err
	})
	if err != nil {
		return memory.Rendered{}, fmt.Errorf("storing what was called: %w", err)
	}
	return out, nil
}

// storeLongRound stores the long contents of a round as files.
func (m *Manager) storeLongRound(ctx context.Context, r ToolRound) (ToolRound, error) {
	if r.Said == nil {
		return r, nil
	}
	said, err := m.StoreLongContent(ctx, *r.Said)
	r.Said = &said
	return r, err
}

func saveRound(t *write.Tx, r ToolRound) (out memory.Rendered, err error) {
	p, err := t.Package(t.Owner.ID, r.TurnID)
	if err != nil {
		return out, err
	}
	if err := appendRound(t, r); err != nil {
		return out, err
	}
	for id, s := range r.Texts {
		if got, err := t.PutText(t.Owner.ID, s); err != nil {
			return out, err
		} else if got != id {
			return out, fmt.Errorf("text %s is not what its id says", id)
		}
	}
	round := memory.Round{CreatedAt: t.Now(), Tools: r.Tools, Tokens: r.Tokens}
	if r.Said != nil {
		round.Said = r.Said.ID
	}
	for _, c := range r.Calls {
		round.Calls = append(round.Calls, c.ID)
	}
	p.Rounds = append(p.Rounds, round)
	p.Dropped = append(p.Dropped, r.Dropped...)
	for _, u := range r.Used {
		if err := addUsed(t, &p, u); err != nil {
			return out, err
		}
	}
	if out, err = t.Core.Lookup().Render(t.Tx, p); err != nil {
		return out, err
	}
	n := len(p.Rounds)
	p.Rounds[n-1].Hash = lookup.HashOf(out, n)
	out.Package, out.Exact = p, p.Hash == lookup.HashOf(out, 0)
	out.Further[n-1].Hash, out.Further[n-1].Exact = p.Rounds[n-1].Hash, true
	return out, t.PutPackage(p)
}

// appendRound appends the records of a round to their session.
func appendRound(t *write.Tx, r ToolRound) error {
	s, err := t.Session(t.Owner.ID, r.SessionID)
	if err != nil {
		return err
	}
	records := slices.Clone(r.Calls)
	if r.Said != nil {
		records = slices.Insert(records, 0, *r.Said)
	}
	for _, one := range records {
		if one.ParentID = s.LastRecordID; one.Timestamp.IsZero() {
			one.Timestamp = t.Now()
		}
		s.LastRecordID = one.ID
		if one.Timestamp.After(s.LastMessageAt) {
			s.LastMessageAt = one.Timestamp
		}
		s.Messages++
		if err := t.AppendRecord(one); err != nil {
			return err
		}
	}
	// The partial answer is stored as a record now; recovery must not store it twice.
	partial, err := t.Partial(t.Owner.ID, r.TurnID)
	if err == nil {
		partial.Content = ""
		err = t.PutPartial(partial)
	}
	if err != nil && !errors.Is(err, lookup.ErrNotFound) {
		return err
	}
	return t.PutSession(s)
}

// addUsed adds an item that reached the model later in a turn.
func addUsed(t *write.Tx, p *memory.Package, u memory.Used) error {
	i := slices.IndexFunc(p.Used, func(o memory.Used) bool { return o.ItemID == u.ItemID })
	switch {
	case i >= 0 && p.Used[i].Chosen:
		return nil
	case i >= 0:
		p.Used[i] = u
	default:
		p.Used = append(p.Used, u)
	}
	return t.MarkAccessed(u.ItemID)
}
