package store

import (
	"errors"
	"time"

	"memoria/kv"
	"memoria/memory"
)

// StaleVersions looks for versions of items that nobody can ask for any more:
// they were replaced before the given time, were never sent to a model, no version
// of the profile names them, and the item is in force. Of one that is not, the version that undoing its end would
// bring back is still needed. It looks at so many versions at most, beginning
// behind the key after, and returns where to go on; nil at the end.
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
		return false, nil // it was sent as it was then, and is shown so (C5)
	}
	if shown, err := tx.shownInProfile(old); shown || err != nil {
		return false, err
	}
	now, err := tx.Item(old.AgentID, old.ID)
	if err != nil || !now.IsActive {
		return false, err
	}
	newer, err := tx.ItemVersion(old.AgentID, old.ID, old.Version+1)
	if errors.Is(err, ErrNotFound) {
		return true, nil // even the one that replaced it is gone
	}
	return err == nil && newer.UpdatedAt.Before(before), err
}

// DropVersions destroys versions by the keys of [Tx.StaleVersions].
func (tx *Tx) DropVersions(keys [][]byte) error {
	for _, key := range keys {
		if err := itemVersions.Delete(tx.kv, key); err != nil {
			return err
		}
	}
	return nil
}
