package store

import (
	"errors"
	"time"

	"memoria/kv"
	"memoria/memory"
)

// TrashItem takes the item with its versions and history out of every view and
// keeps them under a deletion, from which they can be taken back until purged.
func (tx *Tx) TrashItem(agent, id, deletionID string) error {
	it, err := tx.Item(agent, id)
	if err != nil {
		return err
	}
	t := Trashed{DeletionID: deletionID, DeletedAt: tx.Now(), Item: it}
	if t.Versions, err = collect(tx, itemVersions, kv.Prefix(agent, id)); err != nil {
		return err
	}
	if t.ChangeIDs, t.Changes, err = tx.changesWithIDs(agent, id); err != nil {
		return err
	}
	if err := trash.Put(tx.kv, kv.Key(agent, deletionID, id), t); err != nil {
		return err
	}
	return tx.removeItem(it)
}

// removeItem deletes an item with its versions, history and look-ups, and
// leaves word of when it was forgotten.
func (tx *Tx) removeItem(it memory.Item) error {
	agent, id := it.AgentID, it.ID
	if err := tx.unlink(it); err != nil {
		return err
	}
	key := kv.Key(agent, id)
	if err := items.Delete(tx.kv, key); err != nil {
		return err
	}
	if err := itemHeads.Delete(tx.kv, key); err != nil {
		return err
	}
	if _, err := itemVersions.DeletePrefix(tx.kv, kv.Prefix(agent, id)); err != nil {
		return err
	}
	if err := tx.dropTurnChanges(agent, id); err != nil {
		return err
	}
	if _, err := itemChanges.DeletePrefix(tx.kv, kv.Prefix(agent, id)); err != nil {
		return err
	}
	if err := tx.forget(agent, memory.KindItem, id); err != nil {
		return err
	}
	if err := tx.bump(agent, "items", -1); err != nil {
		return err
	}
	return tx.announce(agent, KindItem, id, OpDelete)
}

// changesWithIDs returns an item's history, oldest first.
func (tx *Tx) changesWithIDs(agent, id string) (ids []string, changes []memory.Change, err error) {
	for e, err := range itemChanges.Scan(tx.kv, kv.Prefix(agent, id)) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
			return nil, nil, err
		}
		var owner, item, changeID string
		if err := kv.Unpack(e.Key, &owner, &item, &changeID); err != nil {
			return nil, nil, err
		}
		ids, changes = append(ids, changeID), append(changes, e.Value)
	}
	return ids, changes, nil
}

// dropTurnChanges removes the turn's copies of an item's history.
func (tx *Tx) dropTurnChanges(agent, id string) error {
	ids, changes, err := tx.changesWithIDs(agent, id)
	if err != nil {
		return err
	}
	for i, c := range changes {
		if c.TurnID == "" {
			continue
		}
		if err := turnChanges.Delete(tx.kv, kv.Key(agent, c.TurnID, ids[i])); err != nil {
			return err
		}
	}
	return nil
}

// RestoreTrash brings back what a deletion took, as it was, and returns it. The
// note of it gets changeID in each item's history. It returns ErrNotFound when
// the deletion was purged.
func (tx *Tx) RestoreTrash(agent, deletionID, changeID string) ([]memory.Item, error) {
	all, err := collect(tx, trash, kv.Prefix(agent, deletionID))
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, ErrNotFound
	}
	out := make([]memory.Item, 0, len(all))
	for _, t := range all {
		if err := tx.restore(t, changeID); err != nil {
			return nil, err
		}
		out = append(out, t.Item)
	}
	_, err = trash.DeletePrefix(tx.kv, kv.Prefix(agent, deletionID))
	return out, err
}

func (tx *Tx) restore(t Trashed, changeID string) error {
	agent, id := t.Item.AgentID, t.Item.ID
	for _, v := range t.Versions {
		if err := itemVersions.Put(tx.kv, kv.Key(agent, id, uint64(v.Version)), v); err != nil {
			return err
		}
	}
	for i, c := range t.Changes {
		if err := tx.addChange(agent, t.ChangeIDs[i], c); err != nil {
			return err
		}
	}
	back := memory.Change{
		ItemID: id, Action: memory.ActionRestored, Reason: "the deletion was taken back",
		Origin: memory.OriginUser, Time: tx.Now(), Version: t.Item.Version,
	}
	if err := tx.addChange(agent, changeID, back); err != nil {
		return err
	}
	if err := forgotten.Delete(tx.kv, kv.Key(agent, string(memory.KindItem), id)); err != nil {
		return err
	}
	return tx.writeItem(t.Item, true)
}

// PurgeTrash destroys what was deleted before the given time, for every agent,
// and returns how many items that were.
func (tx *Tx) PurgeTrash(before time.Time) (int, error) {
	var keys [][]byte
	for e, err := range trash.Scan(tx.kv, nil) {
		if err != nil && !tx.skip(err) {
			return 0, err
		}
		if err != nil || e.Value.DeletedAt.Before(before) {
			keys = append(keys, e.Key)
		}
	}
	for _, k := range keys {
		if err := trash.Delete(tx.kv, k); err != nil {
			return 0, err
		}
	}
	return len(keys), nil
}

// OldestTrash returns the time of the oldest deletion that can still be taken
// back; zero when there is none.
func (tx *Tx) OldestTrash() (time.Time, error) {
	var oldest time.Time
	for e, err := range trash.Scan(tx.kv, nil) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
			return oldest, err
		}
		if oldest.IsZero() || e.Value.DeletedAt.Before(oldest) {
			oldest = e.Value.DeletedAt
		}
	}
	return oldest, nil
}

func (tx *Tx) forget(agent string, kind memory.Kind, id string) error {
	return forgotten.Put(tx.kv, kv.Key(agent, string(kind), id), tx.Now())
}

// ForgottenAt returns when something was deleted; zero when it was not.
func (tx *Tx) ForgottenAt(agent string, kind memory.Kind, id string) (time.Time, error) {
	t, err := forgotten.Get(tx.kv, kv.Key(agent, string(kind), id))
	if errors.Is(err, ErrNotFound) {
		return time.Time{}, nil
	}
	return t, err
}
