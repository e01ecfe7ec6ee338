package store

import (
	"encoding/json"
	"errors"
	"iter"

	"memoria/kv"
	"memoria/memory"
)

// place is the key of a change with its index entries.
type place struct {
	agent, item, id string
	turn            string
	groups          []string
}

// placeOf decodes the place of a change from its row. An undecodable row is indexed
// only by time.
func placeOf(key, value []byte) (at place, err error) {
	if err := kv.Unpack(key, &at.agent, &at.item, &at.id); err != nil {
		return at, err
	}
	var c memory.Change
	if json.Unmarshal(value, &c) == nil {
		at.of(c)
	}
	return at, nil
}

func (at *place) of(c memory.Change) {
	at.turn = c.TurnID
	for _, group := range []string{c.Generation, c.Undo} {
		if group != "" {
			at.groups = append(at.groups, group)
		}
	}
}

// link writes the index entries of a change by time and by group.
func (at place) link(tx *Tx) error {
	errs := []error{changeTimes.Put(tx.kv, kv.Key(at.agent, at.id, at.item), none{})}
	for _, group := range at.groups {
		errs = append(errs, changeGroups.Put(tx.kv, kv.Key(at.agent, group, at.id, at.item), none{}))
	}
	return errors.Join(errs...)
}

// unlink removes all index entries of a change.
func (at place) unlink(tx *Tx) error {
	errs := []error{changeTimes.Delete(tx.kv, kv.Key(at.agent, at.id, at.item))}
	for _, group := range at.groups {
		errs = append(errs, changeGroups.Delete(tx.kv, kv.Key(at.agent, group, at.id, at.item)))
	}
	if at.turn != "" {
		errs = append(errs, turnChanges.Delete(tx.kv, kv.Key(at.agent, at.turn, at.id)))
	}
	return errors.Join(errs...)
}

func (tx *Tx) addChange(agent, changeID string, c memory.Change) error {
	c.ID, c.Undone, c.Item, c.Replaced = changeID, false, nil, nil
	at := place{agent: agent, item: c.ItemID, id: changeID}
	at.of(c)
	if err := errors.Join(itemChanges.Put(tx.kv, kv.Key(agent, c.ItemID, changeID), c), at.link(tx)); err != nil {
		return err
	}
	if c.TurnID == "" {
		return nil
	}
	return turnChanges.Put(tx.kv, kv.Key(agent, c.TurnID, changeID), c)
}

// AddTurnChange stores a change that affects no item with its turn. It cannot be
// undone. changeID must be new and time-ordered.
func (tx *Tx) AddTurnChange(agent, changeID string, c memory.Change) error {
	c.ID, c.Item = changeID, nil
	return turnChanges.Put(tx.kv, kv.Key(agent, c.TurnID, changeID), c)
}

// Changes returns an item's changes, oldest first.
func (tx *Tx) Changes(agent, id string) ([]memory.Change, error) {
	return tx.changesUnder(itemChanges, kv.Prefix(agent, id))
}

// TurnChanges returns a turn's changes to the memory, oldest first.
func (tx *Tx) TurnChanges(agent, turn string) ([]memory.Change, error) {
	return tx.changesUnder(turnChanges, kv.Prefix(agent, turn))
}

// changesUnder reads changes and sets their ids, which layout 1 stored only in the key.
// It skips damaged records.
func (tx *Tx) changesUnder(b kv.Bucket[memory.Change], prefix []byte) ([]memory.Change, error) {
	return first(0, mapped(readable(tx, b.Scan(tx.kv, prefix)), func(e kv.Entry[memory.Change]) (memory.Change, error) {
		var agent, of string
		err := kv.Unpack(e.Key, &agent, &of, &e.Value.ID)
		return e.Value, err
	}))
}

// Change returns one change by its id, or ErrNotFound.
func (tx *Tx) Change(agent, id string) (memory.Change, error) {
	for key, err := range changeTimes.Keys(tx.kv, kv.Prefix(agent, id)) {
		if err != nil {
			return memory.Change{}, err
		}
		var owner, item string
		if err := kv.Unpack(key, &owner, &id, &item); err != nil {
			return memory.Change{}, err
		}
		return tx.change(agent, id, item)
	}
	return memory.Change{}, ErrNotFound
}

func (tx *Tx) change(agent, id, item string) (memory.Change, error) {
	c, err := itemChanges.Get(tx.kv, kv.Key(agent, item, id))
	c.ID = id
	return c, err
}

// ChangeIDs yields the ids of the agent's changes, oldest first.
func (tx *Tx) ChangeIDs(agent string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		last := ""
		for key, err := range changeTimes.Keys(tx.kv, kv.Prefix(agent)) {
			var owner, id, item string
			if err == nil {
				err = kv.Unpack(key, &owner, &id, &item)
			}
			if err == nil && id == last {
				continue // one note may belong to several items
			}
			last = id
			if !yield(id, err) || err != nil {
				return
			}
		}
	}
}

// ChangesBefore yields the agent's changes, newest first, starting before the one with
// the id before; "" starts with the newest. It logs and skips unreadable records.
func (tx *Tx) ChangesBefore(agent, before string) iter.Seq2[memory.Change, error] {
	scan := changeTimes.ScanReverse(tx.kv, kv.Prefix(agent))
	if before != "" {
		scan = changeTimes.ScanBefore(tx.kv, kv.Prefix(agent), kv.Key(agent, before))
	}
	return readable(tx, mapped(scan, func(e kv.Entry[none]) (memory.Change, error) {
		var owner, id, item string
		if err := kv.Unpack(e.Key, &owner, &id, &item); err != nil {
			return memory.Change{}, err
		}
		return tx.change(agent, id, item)
	}))
}

// GroupChanges returns the changes of a generation or an undo, oldest first.
func (tx *Tx) GroupChanges(agent, group string) ([]memory.Change, error) {
	keys := changeGroups.Keys(tx.kv, kv.Prefix(agent, group))
	return first(0, readable(tx, mapped(keys, func(key []byte) (memory.Change, error) {
		var owner, in, id, item string
		if err := kv.Unpack(key, &owner, &in, &id, &item); err != nil {
			return memory.Change{}, err
		}
		return tx.change(agent, id, item)
	})))
}
