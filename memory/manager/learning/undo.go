package learning

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/ledger"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// Undone is the result of an undo.
type Undone struct {
	// ID undoes the undo, once; empty if nothing was done.
	ID string `json:"id,omitempty"`
	// Did are the changes written, with the items' current states.
	Did []memory.Change `json:"did"`
	// Left are the changes that were not undone, with reasons.
	Left []ledger.Left `json:"left"`
}

// Lines describes what was done and what was left, one line per item. They contain words
// of the items.
func (u Undone) Lines() []string {
	var out []string
	for _, c := range u.Did {
		what := "as before"
		switch {
		case c.Action == memory.ActionRelinked && c.Item.SupersededBy != "":
			what = "now replaced by another"
		case c.Action == memory.ActionRelinked && c.Item.Supersedes != "":
			what = "now replaces another"
		case c.Action == memory.ActionRelinked:
			what = "stands alone now"
		case c.Item.State == memory.StateInactive:
			what = "no longer remembered"
		case c.Item.State == memory.StateHeld:
			what = "waits in the inbox"
		case c.Action == memory.ActionRedone:
			what = "again"
		}
		out = append(out, what+": "+c.Item.Content)
	}
	for _, l := range u.Left {
		line := "left alone, " + l.Why
		if l.Change.Item != nil {
			line += ": " + l.Change.Item.Content
		}
		out = append(out, line)
	}
	return out
}

// Undo undoes one change. id may be an unambiguous beginning or end. A replacement is
// undone as a whole: the new item and the end of the old one. A change of an undo is
// undone with the whole undo, once. What was changed since, or is older than [UndoTime],
// stays; Undone reports it.
func (w *Writer) Undo(ctx context.Context, agentID, id string) (Undone, error) {
	return w.undo(ctx, agentID, "change "+id, func(v *lookup.Ledger) (ledger.Plan, error) {
		c, err := v.Change(id)
		if err != nil {
			return ledger.Plan{}, err
		}
		return v.PlanOf(c)
	})
}

// UndoLast undoes the newest change that can be undone, is not itself an undo, and was
// not made by forgetting. Repeated calls go back in time. The error is ErrNotFound if
// there is none within [UndoTime].
func (w *Writer) UndoLast(ctx context.Context, agentID string) (Undone, error) {
	return w.undo(ctx, agentID, "the last change", func(v *lookup.Ledger) (ledger.Plan, error) {
		_, p, err := v.Last()
		return p, err
	})
}

// UndoTurn undoes the changes of a turn, except what was changed since. Changes by the
// user's hand stay (P9).
func (w *Writer) UndoTurn(ctx context.Context, agentID, turnID string) (Undone, error) {
	return w.undo(ctx, agentID, "turn "+turnID, func(v *lookup.Ledger) (ledger.Plan, error) {
		return v.PlanTurn(turnID)
	})
}

// UndoGeneration is UndoTurn for one run of a background process.
func (w *Writer) UndoGeneration(ctx context.Context, agentID, generation string) (Undone, error) {
	return w.undo(ctx, agentID, "generation "+generation, func(v *lookup.Ledger) (ledger.Plan, error) {
		return v.PlanGeneration(generation)
	})
}

// undo plans and applies an undo in one transaction.
func (w *Writer) undo(ctx context.Context, agentID, what string, plan func(*lookup.Ledger) (ledger.Plan, error)) (Undone, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return Undone{}, err
	}
	var out Undone
	err = w.Update(ctx, a, func(t *write.Tx) error {
		p, err := plan(lookup.NewLedger(t.Tx, a.ID))
		if err != nil {
			return err
		}
		out, err = ApplyPlan(t, p, memory.OriginUser)
		return err
	})
	if err != nil {
		return Undone{}, fmt.Errorf("undoing %s: %w", what, err)
	}
	return out, nil
}

// ApplyPlan writes a plan's changes under one id.
func ApplyPlan(t *write.Tx, p ledger.Plan, by memory.Origin) (Undone, error) {
	out := Undone{ID: p.Undo, Did: []memory.Change{}, Left: p.Left}
	if out.Left == nil {
		out.Left = []ledger.Left{}
	}
	for i := range out.Left {
		if it, err := t.Item(t.Owner.ID, out.Left[i].Change.ItemID); err == nil {
			out.Left[i].Change.Item = &it
		}
	}
	for _, s := range p.Steps {
		it := s.Item
		it.Version++
		it.UpdatedAt = t.Now()
		c := memory.Change{
			ID: t.NewID(), ItemID: it.ID, Action: s.Action, Reason: s.Reason, Origin: by, Time: t.Now(), Version: it.Version,
			Undoes: s.Undoes, Restores: s.Restores, Item: &it,
		}
		if out.ID == "" {
			out.ID = c.ID
		}
		c.Undo = out.ID
		if err := t.Put(it, c); err != nil {
			return Undone{}, err
		}
		out.Did = append(out.Did, c)
	}
	return out, nil
}
