package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/ledger"
	"memoria/memory/store"
)

// UndoTime is how long a change can be undone (P9).
const UndoTime = ledger.Keep

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
func (m *Manager) Undo(ctx context.Context, agentID, id string) (Undone, error) {
	return m.undo(ctx, agentID, "change "+id, func(v *ledgerView) (ledger.Plan, error) {
		c, err := v.change(id)
		if err != nil {
			return ledger.Plan{}, err
		}
		return v.planOf(c)
	})
}

// planOf plans the undo of one change with all that belongs to it.
func (v *ledgerView) planOf(c memory.Change) (ledger.Plan, error) {
	w := v.world()
	if c.Undo != "" {
		all, err := v.tx.GroupChanges(v.agent, c.Undo)
		if err != nil {
			return ledger.Plan{}, err
		}
		return ledger.Redo(w, all)
	}
	whole, err := ledger.With(w, c)
	if err != nil {
		return ledger.Plan{}, err
	}
	return ledger.Undo(w, whole)
}

// UndoLast undoes the newest change that can be undone, is not itself an undo, and was
// not made by forgetting. Repeated calls go back in time. The error is ErrNotFound if
// there is none within [UndoTime].
func (m *Manager) UndoLast(ctx context.Context, agentID string) (Undone, error) {
	return m.undo(ctx, agentID, "the last change", func(v *ledgerView) (ledger.Plan, error) {
		_, p, err := v.last()
		return p, err
	})
}

// LastChange returns the change that UndoLast would undo, with its item.
func (m *Manager) LastChange(ctx context.Context, agentID string) (memory.Change, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Change{}, err
	}
	var c memory.Change
	err = m.view(ctx, func(tx *store.Tx) error {
		c, _, err = newLedger(tx, a.id).last()
		return err
	})
	if err != nil {
		return memory.Change{}, fmt.Errorf("the last change: %w", err)
	}
	return c, nil
}

// last returns the newest change that can be undone, with its plan.
func (v *ledgerView) last() (memory.Change, ledger.Plan, error) {
	for c, err := range v.tx.ChangesBefore(v.agent, "") {
		if err != nil || v.tx.Now().Sub(c.Time) > UndoTime {
			return c, ledger.Plan{}, cmp.Or(err, ErrNotFound)
		}
		one := []memory.Change{c}
		if err := v.annotate(one); err != nil {
			return c, ledger.Plan{}, err
		}
		if c.Undo != "" && c.Origin == memory.OriginUser || c.Origin == memory.OriginSystem || one[0].Undone || one[0].Item == nil {
			continue
		}
		if p, err := v.planOf(c); err != nil || len(p.Steps) > 0 {
			return one[0], p, err
		}
	}
	return memory.Change{}, ledger.Plan{}, ErrNotFound
}

// UndoTurn undoes the changes of a turn, except what was changed since. Changes by the
// user's hand stay (P9).
func (m *Manager) UndoTurn(ctx context.Context, agentID, turnID string) (Undone, error) {
	return m.undo(ctx, agentID, "turn "+turnID, func(v *ledgerView) (ledger.Plan, error) {
		all, err := v.tx.TurnChanges(v.agent, turnID)
		return v.planGroup(all, err)
	})
}

// UndoGeneration is UndoTurn for one run of a background process.
func (m *Manager) UndoGeneration(ctx context.Context, agentID, generation string) (Undone, error) {
	return m.undo(ctx, agentID, "generation "+generation, func(v *ledgerView) (ledger.Plan, error) {
		all, err := v.tx.GroupChanges(v.agent, generation)
		return v.planGroup(all, err)
	})
}

func (v *ledgerView) planGroup(all []memory.Change, err error) (ledger.Plan, error) {
	all = slices.DeleteFunc(all, func(c memory.Change) bool {
		return c.ItemID == "" || c.Origin == memory.OriginUser || c.Undo != ""
	})
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return ledger.Plan{}, err
	}
	return ledger.Undo(v.world(), all)
}

// undo plans and applies an undo in one transaction.
func (m *Manager) undo(ctx context.Context, agentID, what string, plan func(*ledgerView) (ledger.Plan, error)) (Undone, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Undone{}, err
	}
	var out Undone
	err = m.update(ctx, a, func(t *tx) error {
		p, err := plan(newLedger(t.Tx, a.id))
		if err != nil {
			return err
		}
		out, err = t.applyPlan(p, memory.OriginUser)
		return err
	})
	if err != nil {
		return Undone{}, fmt.Errorf("undoing %s: %w", what, err)
	}
	return out, nil
}

// applyPlan writes a plan's changes under one id.
func (t *tx) applyPlan(p ledger.Plan, by memory.Origin) (Undone, error) {
	out := Undone{Did: []memory.Change{}, Left: p.Left}
	if out.Left == nil {
		out.Left = []ledger.Left{}
	}
	for i := range out.Left {
		if it, err := t.Item(t.a.id, out.Left[i].Change.ItemID); err == nil {
			out.Left[i].Change.Item = &it
		}
	}
	for _, s := range p.Steps {
		it := s.Item
		it.Version++
		it.UpdatedAt = t.Now()
		c := memory.Change{
			ID: t.newID(), ItemID: it.ID, Action: s.Action, Reason: s.Reason, Origin: by, Time: t.Now(), Version: it.Version,
			Undoes: s.Undoes, Restores: s.Restores, Item: &it,
		}
		if out.ID == "" {
			out.ID = c.ID
		}
		c.Undo = out.ID
		if err := t.put(it, c); err != nil {
			return Undone{}, err
		}
		out.Did = append(out.Did, c)
	}
	return out, nil
}

// lacking reports whether err means missing or damaged data.
func lacking(err error) bool { return errors.Is(err, ErrNotFound) || store.Unreadable(err) }
