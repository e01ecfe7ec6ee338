package store

import (
	"errors"
	"time"

	"memoria/kv"
	"memoria/memory"
)

// StaleVersions finds versions of items that are no longer needed: replaced before the given time, never sent
// to a model, in no version of the profile, and of an active item. For an inactive item, undo still needs the
// version before its end. It reads at most most versions, starting after the key after, and returns where to
// continue; nil at the end.
func (tx *Tx) StaleVersions(agent string, after []byte, before time.Time, most int) (due [][]byte, next []byte, err error) {
	from := kv.Prefix(agent)
	if after != nil {
		from = kv.After(after)
	}
	seen := 0
	for e, err := range itemVersions.ScanFrom(tx.kv, kv.Prefix(agent), from) {
		stale := false
		if err == nil {
			stale, err = tx.stale(e.Value, before)
		}
		if err != nil && !tx.skip(err) {
			return nil, nil, err
		}
		if stale {
			due = append(due, e.Key)
		}
		if seen++; seen == most {
			return due, e.Key, nil
		}
	}
	return due, nil, nil
}

func (tx *Tx) stale(old memory.Item, before time.Time) (bool, error) {
	if !old.LastAccessed.IsZero() && !old.LastAccessed.Before(old.UpdatedAt) {
		return false, nil // the sent version is shown as sent (C5)
	}
	if shown, err := tx.shownInProfile(old); shown || err != nil {
		return false, err
	}
	now, err := tx.Item(old.AgentID, old.ID)
	if err != nil || !now.IsActive() {
		return false, err
	}
	newer, err := tx.ItemVersion(old.AgentID, old.ID, old.Version+1)
	if errors.Is(err, ErrNotFound) {
		return true, nil // even its replacement is gone
	}
	return err == nil && newer.UpdatedAt.Before(before), err
}

// DropVersions deletes versions by the keys of [Tx.StaleVersions].
func (tx *Tx) DropVersions(keys [][]byte) error {
	for _, key := range keys {
		if err := itemVersions.Delete(tx.kv, key); err != nil {
			return err
		}
	}
	return nil
}
