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
	for _, step := range []struct {
		to uint64
		do func() error
	}{
		{2, func() error { return linkChanges(tx) }},
		{3, func() error { return errors.Join(repack(tx, packages), repack(tx, records)) }}, // both were JSON
		{4, func() error { return errors.Join(dropIsActive(tx, items), dropIsActive(tx, itemVersions)) }},
		{5, func() error { return linkDerived(tx) }},
		{6, func() error { return linkAllSources(tx, nil) }},
	} {
		if have < step.to {
			if err := step.do(); err != nil {
				return err
			}
		}
	}
	return nil
}

// linkAllSources creates the index entries of items by sources and as held, which layout 5 lacked.
func linkAllSources(tx *Tx, prefix []byte) error {
	return eachRow(tx, items, prefix, func(_ []byte, it memory.Item) error { return linkSources(tx, it) })
}

// linkDerived creates the index entries of derived records, which layout 4 lacked.
func linkDerived(tx *Tx) error {
	return eachRow(tx, records, nil, func(_ []byte, r memory.Record) error {
		if !Derived(r) {
			return nil
		}
		return derived.Put(tx.kv, kv.Key(r.AgentID, r.ID), none{})
	})
}

// dropIsActive rewrites items that hold is_active beside their state, as layout 3 did. An item
// that was active by its state alone becomes inactive.
func dropIsActive(tx *Tx, bucket kv.Bucket[memory.Item]) error {
	return eachRow(tx, raw(bucket), nil, func(key, value []byte) error {
		old := struct {
			IsActive bool `json:"is_active"`
		}{true}
		it, err := codec.Item{}.Decode(1, value)
		if err == nil {
			err = json.Unmarshal(value, &old)
		}
		if err != nil {
			return nil //nolint:nilerr // kept unchanged
		}
		if it.State == memory.StateActive && !old.IsActive {
			it.State = memory.StateInactive
			if bucket.Name() == items.Name() {
				err = itemHeads.Put(tx.kv, key, HeadOf(it))
			}
		}
		return errors.Join(err, bucket.Put(tx.kv, key, it))
	})
}

// linkChanges creates the index entries of changes, which layout 1 lacked.
func linkChanges(tx *Tx) error {
	return eachRow(tx, raw(itemChanges), nil, func(key, value []byte) error {
		at, err := placeOf(key, value)
		if err != nil {
			return err
		}
		return at.link(tx)
	})
}

// repack rewrites every value of a bucket with the current codec.
func repack[T any](tx *Tx, bucket kv.Bucket[T]) error {
	return eachRow(tx, bucket, nil, func(key []byte, v T) error { return bucket.Put(tx.kv, key, v) })
}
