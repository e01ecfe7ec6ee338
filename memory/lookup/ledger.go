package lookup

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/ledger"
	"memoria/memory/store"
)

// Ledger reads items with their history, each once, within one transaction.
type Ledger struct {
	tx      *store.Tx
	agent   string
	entries map[string]*ledger.Entry // nil if missing or unreadable
}

// NewLedger returns the ledger of an agent in a transaction.
func NewLedger(tx *store.Tx, agent string) *Ledger {
	return &Ledger{tx: tx, agent: agent, entries: map[string]*ledger.Entry{}}
}

// entry is [ledger.World.Entry].
func (l *Ledger) entry(id string) (ledger.Entry, bool, error) {
	e, ok := l.entries[id]
	if !ok {
		var err error
		if e, err = l.read(id); err != nil {
			return ledger.Entry{}, false, err
		}
		l.entries[id] = e
	}
	if e == nil {
		return ledger.Entry{}, false, nil
	}
	return *e, true, nil
}

func (l *Ledger) read(id string) (*ledger.Entry, error) {
	it, err := l.tx.Item(l.agent, id)
	if Lacking(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	changes, err := l.tx.Changes(l.agent, id)
	return &ledger.Entry{Item: it, Changes: changes, Version: func(n int) (memory.Item, bool) {
		old, err := l.tx.ItemVersion(l.agent, id, n)
		return old, err == nil
	}}, err
}

// Annotate fills in whether changes are undone, and the current states of their items.
func (l *Ledger) Annotate(changes []memory.Change) error {
	undone := map[string]map[string]bool{}
	for i := range changes {
		c := &changes[i]
		if c.ItemID == "" { // without effect
			continue
		}
		e, ok, err := l.entry(c.ItemID)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if undone[c.ItemID] == nil {
			undone[c.ItemID] = ledger.UndoneIn(e.Changes)
		}
		it := e.Item
		c.Undone, c.Item = undone[c.ItemID][c.ID], &it
		if c.Action != memory.ActionSuperseded || it.Supersedes == "" || c.Half() {
			continue
		}
		old, ok, err := l.entry(it.Supersedes)
		if err != nil {
			return err
		}
		if ok {
			c.Replaced = &old.Item
		}
	}
	return nil
}

// world returns the agent's memory as a [ledger.World].
func (l *Ledger) world() ledger.World {
	return ledger.World{Now: l.tx.Now(), Entry: l.entry, Active: l.active, Near: l.sameWrite}
}

// active returns the active items that fill a slot.
func (l *Ledger) active(key string) ([]string, error) {
	ids, err := SlotHolders(l.tx, l.agent, key)
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
}

// sameWrite returns the changes of the write that c belongs to: they share a time, and
// their ids a beginning.
func (l *Ledger) sameWrite(c memory.Change) ([]memory.Change, error) {
	made, err := memory.IDTime(c.ID)
	if err != nil {
		return []memory.Change{c}, nil //nolint:nilerr // an id of another kind stands alone
	}
	first, end := memory.IDAt(made), memory.IDAt(made.Add(time.Millisecond))
	var out []memory.Change
	for other, err := range l.tx.ChangesBefore(l.agent, end) {
		if err != nil || other.ID < first {
			return out, err
		}
		if other.Time.Equal(c.Time) {
			out = append(out, other)
		}
	}
	return out, nil
}

// Change returns the change with this id, or the only one whose id begins or ends with
// it.
func (l *Ledger) Change(id string) (memory.Change, error) {
	c, err := l.tx.Change(l.agent, id)
	if !errors.Is(err, ErrNotFound) {
		return c, err
	}
	if id, err = expand(id, l.tx.ChangeIDs(l.agent)); err != nil {
		return c, err
	}
	return l.tx.Change(l.agent, id)
}

// PlanOf plans the undo of one change with all that belongs to it.
func (l *Ledger) PlanOf(c memory.Change) (ledger.Plan, error) {
	w := l.world()
	if c.Undo != "" {
		all, err := l.tx.GroupChanges(l.agent, c.Undo)
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

// Last returns the newest change that can be undone, with its plan.
func (l *Ledger) Last() (memory.Change, ledger.Plan, error) {
	for c, err := range l.tx.ChangesBefore(l.agent, "") {
		if err != nil || l.tx.Now().Sub(c.Time) > UndoTime {
			return c, ledger.Plan{}, cmp.Or(err, ErrNotFound)
		}
		one := []memory.Change{c}
		if err := l.Annotate(one); err != nil {
			return c, ledger.Plan{}, err
		}
		if c.Undo != "" && c.Origin == memory.OriginUser || c.Origin == memory.OriginSystem || one[0].Undone || one[0].Item == nil {
			continue
		}
		if p, err := l.PlanOf(c); err != nil || len(p.Steps) > 0 {
			return one[0], p, err
		}
	}
	return memory.Change{}, ledger.Plan{}, ErrNotFound
}

// PlanTurn is planChanges for a turn.
func (l *Ledger) PlanTurn(turn string) (ledger.Plan, error) {
	all, err := l.tx.TurnChanges(l.agent, turn)
	if err != nil {
		return ledger.Plan{}, err
	}
	return l.PlanChanges(all)
}

// PlanGeneration is planChanges for a run of a background process.
func (l *Ledger) PlanGeneration(generation string) (ledger.Plan, error) {
	all, err := l.tx.GroupChanges(l.agent, generation)
	if err != nil {
		return ledger.Plan{}, err
	}
	return l.PlanChanges(all)
}

// PlanChanges plans the undo of changes, without those by the user's hand. The error is
// ErrNotFound if none is left.
func (l *Ledger) PlanChanges(all []memory.Change) (ledger.Plan, error) {
	all = slices.DeleteFunc(all, func(c memory.Change) bool {
		return c.ItemID == "" || c.Origin == memory.OriginUser || c.Undo != ""
	})
	if len(all) == 0 {
		return ledger.Plan{}, ErrNotFound
	}
	return ledger.Undo(l.world(), all)
}

// LastChange returns the change that UndoLast would undo, with its item.
func (r *Reader) LastChange(ctx context.Context, agentID string) (memory.Change, error) {
	var c memory.Change
	err := r.read(ctx, agentID, "the last change", func(tx *store.Tx) (err error) {
		c, _, err = NewLedger(tx, agentID).Last()
		return err
	})
	return c, err
}

// Undoable returns the ids of those of some changes whose undo would do something now.
func (r *Reader) Undoable(ctx context.Context, agentID string, changes []memory.Change) (map[string]bool, error) {
	can := map[string]bool{}
	err := r.read(ctx, agentID, "undoable changes", func(tx *store.Tx) error {
		l := NewLedger(tx, agentID)
		for _, c := range changes {
			if c.ID == "" {
				continue
			}
			p, err := l.PlanOf(c)
			if err != nil {
				return err
			}
			if len(p.Steps) > 0 {
				can[c.ID] = true
			}
		}
		return nil
	})
	return can, err
}

// UndoTime is how long a change can be undone (P9).
const UndoTime = ledger.Keep
