package manager

import (
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

// Undone is what became of an undo.
type Undone struct {
	// ID undoes the undo, once; empty when nothing was done.
	ID string `json:"id,omitempty"`
	// Did is what was written, with the items as they are now.
	Did []memory.Change `json:"did"`
	// Left is what was to be undone and stays, and why.
	Left []ledger.Left `json:"left"`
}

// Undo takes one change back; id may be its beginning or end when that fits no
// other. Where the change is half of one thing, the whole goes: an item that
// replaced another, and the end of that other. The change may also be part of an
// undo, which is then taken back as a whole, once. What was changed since is left
// alone, and so is what is older than [UndoTime]; Undone says so.
func (m *Manager) Undo(_ context.Context, agentID, id string) (Undone, error) {
	return m.undo(agentID, "change "+id, func(t *tx, w ledger.World) (ledger.Plan, error) {
		full, err := findChange(t.Tx, t.a.id, id)
		if err != nil {
			return ledger.Plan{}, err
		}
		c, err := t.Change(t.a.id, full)
		if err != nil {
			return ledger.Plan{}, err
		}
		return t.planOf(w, c)
	})
}

// planOf plans to take back one change with all that belongs to it.
func (t *tx) planOf(w ledger.World, c memory.Change) (ledger.Plan, error) {
	if c.Undo != "" {
		all, err := t.GroupChanges(t.a.id, c.Undo)
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

// UndoLast takes back the newest change that is not undone and is no undo, so
// that again and again it goes back in time. The error is ErrNotFound when there
// is none within [UndoTime].
func (m *Manager) UndoLast(_ context.Context, agentID string) (Undone, error) {
	return m.undo(agentID, "the last change", func(t *tx, w ledger.World) (ledger.Plan, error) {
		c, err := lastChange(t.Tx, t.a.id, newLedger(t.Tx, t.a.id))
		if err != nil {
			return ledger.Plan{}, err
		}
		return t.planOf(w, c)
	})
}

// LastChange is what UndoLast would take back, with its item.
func (m *Manager) LastChange(_ context.Context, agentID string) (memory.Change, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Change{}, err
	}
	var c memory.Change
	err = m.store.View(func(tx *store.Tx) error {
		c, err = lastChange(tx, a.id, newLedger(tx, a.id))
		return err
	})
	if err != nil {
		return memory.Change{}, fmt.Errorf("the last change: %w", err)
	}
	return c, nil
}

func lastChange(tx *store.Tx, agent string, l *ledgerView) (memory.Change, error) {
	for c, err := range tx.ChangesBefore(agent, "") {
		if err != nil {
			return c, err
		}
		if tx.Now().Sub(c.Time) > UndoTime {
			break
		}
		if c.Undo != "" || c.Action == memory.ActionRestored {
			continue
		}
		one := []memory.Change{c}
		if err := l.complete(one); err != nil {
			return c, err
		}
		if one[0].Item != nil && !one[0].Undone {
			return one[0], nil
		}
	}
	return memory.Change{}, ErrNotFound
}

// UndoTurn takes back what a turn did, as far as nobody has touched it since. What
// the user did by hand stays (P9).
func (m *Manager) UndoTurn(_ context.Context, agentID, turnID string) (Undone, error) {
	return m.undo(agentID, "turn "+turnID, func(t *tx, w ledger.World) (ledger.Plan, error) {
		all, err := t.TurnChanges(t.a.id, turnID)
		return t.planGroup(w, all, err)
	})
}

// UndoGeneration is UndoTurn for what one run of a background process did.
func (m *Manager) UndoGeneration(_ context.Context, agentID, generation string) (Undone, error) {
	return m.undo(agentID, "generation "+generation, func(t *tx, w ledger.World) (ledger.Plan, error) {
		all, err := t.GroupChanges(t.a.id, generation)
		return t.planGroup(w, all, err)
	})
}

func (t *tx) planGroup(w ledger.World, all []memory.Change, err error) (ledger.Plan, error) {
	all = slices.DeleteFunc(all, func(c memory.Change) bool { return c.Origin == memory.OriginUser || c.Undo != "" })
	if err == nil && len(all) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return ledger.Plan{}, err
	}
	return ledger.Undo(w, all)
}

// undo carries a plan out in one transaction.
func (m *Manager) undo(agentID, what string, plan func(*tx, ledger.World) (ledger.Plan, error)) (Undone, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Undone{}, err
	}
	var out Undone
	err = m.update(a, func(t *tx) error {
		p, err := plan(t, t.world())
		if err != nil {
			return err
		}
		out, err = t.carryOut(p, memory.OriginUser)
		return err
	})
	if err != nil {
		return Undone{}, fmt.Errorf("undoing %s: %w", what, err)
	}
	return out, nil
}

// world is the agent's memory as a plan sees it.
func (t *tx) world() ledger.World {
	l := newLedger(t.Tx, t.a.id)
	return ledger.World{Now: t.Now(), Entry: l.entry, Active: func(key string) ([]string, error) {
		ids, err := t.KeyHolders(t.a.id, key)
		if err != nil {
			return nil, err
		}
		active := ids[:0]
		for _, id := range ids {
			if e, ok, err := l.entry(id); err != nil {
				return nil, err
			} else if ok && e.Item.State == memory.StateActive {
				active = append(active, id)
			}
		}
		return active, nil
	}}
}

// carryOut writes a plan for a process, and its changes under one id.
func (t *tx) carryOut(p ledger.Plan, by memory.Origin) (Undone, error) {
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

// findChange returns the whole id of a change.
func findChange(tx *store.Tx, agent, id string) (string, error) {
	if _, err := tx.Change(agent, id); !errors.Is(err, ErrNotFound) {
		return id, err
	}
	return expand(id, tx.ChangeIDs(agent))
}

// lacking reports whether something is not there, or is damaged: nobody can do
// anything with it.
func lacking(err error) bool { return errors.Is(err, ErrNotFound) || store.Unreadable(err) }
