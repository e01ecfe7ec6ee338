package manager

import (
	"errors"
	"time"

	"memoria/memory"
	"memoria/memory/ledger"
	"memoria/memory/store"
)

// ledgerView reads items with their history, each once, within one transaction.
type ledgerView struct {
	tx      *store.Tx
	agent   string
	entries map[string]*ledger.Entry // nil if missing or unreadable
}

func newLedger(tx *store.Tx, agent string) *ledgerView {
	return &ledgerView{tx: tx, agent: agent, entries: map[string]*ledger.Entry{}}
}

// entry is [ledger.World.Entry].
func (l *ledgerView) entry(id string) (ledger.Entry, bool, error) {
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

func (l *ledgerView) read(id string) (*ledger.Entry, error) {
	it, err := l.tx.Item(l.agent, id)
	if lacking(err) {
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

// annotate fills in whether changes are undone, and the current states of their items.
func (l *ledgerView) annotate(changes []memory.Change) error {
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
func (l *ledgerView) world() ledger.World {
	return ledger.World{Now: l.tx.Now(), Entry: l.entry, Active: l.active, Near: l.sameWrite}
}

// active returns the active items that fill a slot.
func (l *ledgerView) active(key string) ([]string, error) {
	ids, err := slotHolders(l.tx, l.agent, key)
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
func (l *ledgerView) sameWrite(c memory.Change) ([]memory.Change, error) {
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

// change returns the change with this id, or the only one whose id begins or ends with
// it.
func (l *ledgerView) change(id string) (memory.Change, error) {
	c, err := l.tx.Change(l.agent, id)
	if !errors.Is(err, ErrNotFound) {
		return c, err
	}
	if id, err = expand(id, l.tx.ChangeIDs(l.agent)); err != nil {
		return c, err
	}
	return l.tx.Change(l.agent, id)
}
