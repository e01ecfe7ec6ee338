package store

import (
	"errors"

	"memoria/kv"
)

// migrate updates a store from an older layout.
func migrate(ktx *kv.Tx, have uint64) error {
	tx := &Tx{kv: ktx}
	if have < 2 {
		if err := linkChanges(tx); err != nil {
			return err
		}
	}
	// Layout 2 had both as JSON.
	return errors.Join(repack(tx, packages), repack(tx, records))
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
