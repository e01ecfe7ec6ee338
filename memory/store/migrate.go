package store

import (
	"encoding/json"
	"errors"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
)

// migrate updates a store from an older layout.
func migrate(ktx *kv.Tx, have uint64) error {
	tx := &Tx{kv: ktx}
	if have < 2 {
		if err := linkChanges(tx); err != nil {
			return err
		}
	}
	if have < 3 { // both were JSON
		if err := errors.Join(repack(tx, packages), repack(tx, records)); err != nil {
			return err
		}
	}
	if have < 4 {
		if err := errors.Join(dropIsActive(tx, items), dropIsActive(tx, itemVersions)); err != nil {
			return err
		}
	}
	return linkDerived(tx)
}

// linkDerived creates the index entries of derived records, which layout 4 lacked.
func linkDerived(tx *Tx) error {
	for e, err := range records.Scan(tx.kv, nil) {
		if Unreadable(err) {
			continue
		}
		if err == nil && Derived(e.Value) {
			err = derived.Put(tx.kv, kv.Key(e.Value.AgentID, e.Value.ID), none{})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dropIsActive rewrites items that hold is_active beside their state, as layout 3 did. An item
// that was active by its state alone becomes inactive. Unreadable ones are kept.
func dropIsActive(tx *Tx, bucket kv.Bucket[memory.Item]) error {
	keys, err := tx.keys(raw(bucket), nil)
	if err != nil {
		return err
	}
	for _, key := range keys {
		value, err := raw(bucket).Get(tx.kv, key)
		if Unreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		old := struct {
			IsActive bool `json:"is_active"`
		}{true}
		it, err := codec.Item{}.Decode(1, value)
		if err == nil {
			err = json.Unmarshal(value, &old)
		}
		if err != nil {
			continue // kept unchanged
		}
		if it.State == memory.StateActive && !old.IsActive {
			it.State = memory.StateInactive
			if bucket.Name() == items.Name() {
				err = itemHeads.Put(tx.kv, key, HeadOf(it))
			}
			if err != nil {
				return err
			}
		}
		if err := bucket.Put(tx.kv, key, it); err != nil {
			return err
		}
	}
	return nil
}

// linkChanges creates the index entries of changes, which layout 1 lacked.
func linkChanges(tx *Tx) error {
	keys, err := tx.keys(raw(itemChanges), nil)
	if err != nil {
		return err
	}
	for _, key := range keys {
		value, err := raw(itemChanges).Get(tx.kv, key)
		if err != nil {
			if Unreadable(err) {
				continue // kept unchanged
			}
			return err
		}
		at, err := placeOf(key, value)
		if err == nil {
			err = at.link(tx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// repack rewrites every value of a bucket with the current codec. Unreadable ones are
// kept.
func repack[T any](tx *Tx, bucket kv.Bucket[T]) error {
	keys, err := tx.keys(raw(bucket), nil)
	if err != nil {
		return err
	}
	for _, key := range keys {
		v, err := bucket.Get(tx.kv, key)
		if Unreadable(err) {
			continue
		}
		if err == nil {
			err = bucket.Put(tx.kv, key, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
