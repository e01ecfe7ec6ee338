package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
)

// item moves an item with its versions and history into the bin and records the time of
// deletion. An unreadable one is deleted permanently.
func (b *bin) item(id string) (title string, held bool, err error) {
	tx, agent := b.tx, b.agent
	key := kv.Key(agent, id)
	// For many items, decoding unused fields takes most of the time.
	var it struct {
		Title    string            `json:"title"`
		Content  string            `json:"content"`
		Key      string            `json:"key"`
		State    memory.State      `json:"state"`
		Evidence []memory.Evidence `json:"evidence"`
	}
	v, err := b.take(raw(items), key)
	if err == nil && json.Unmarshal(v, &it) == nil {
		held, err = it.State == memory.StateHeld, tx.dropLookups(agent, id, it.Key, it.Content, it.Evidence)
	} else if err == nil || Unreadable(err) {
		held, err = tx.unlinkUnreadable(agent, id)
	}
	if err != nil {
		return "", false, err
	}
	if _, err := b.takeAll(raw(itemVersions), kv.Prefix(agent, id), nil); err != nil {
		return "", false, err
	}
	if _, err := b.takeAll(raw(profileItems), kv.Prefix(agent, id), nil); err != nil {
		return "", false, err
	}
	if err := b.itemChanges(id); err != nil {
		return "", false, err
	}
	for _, ev := range it.Evidence {
		b.quoted = append(b.quoted, quotation{ev, it.Title + "\n" + it.Content})
	}
	if title = it.Title; title == "" {
		title = it.Content
	}
	return title, held, errors.Join(
		itemHeads.Delete(tx.kv, key),
		tx.DropVector(agent, id),
		tx.forget(agent, memory.KindItem, id),
		tx.announce(agent, KindItem, id, opDelete),
	)
}

// itemChanges moves an item's history and removes its index entries.
func (b *bin) itemChanges(id string) error {
	_, err := b.takeAll(raw(itemChanges), kv.Prefix(b.agent, id), func(key, value []byte) error {
		at, err := placeOf(key, value)
		if err != nil {
			return err
		}
		return at.unlink(b.tx)
	})
	return err
}

// unlinkUnreadable removes the index entries of an unreadable item by scanning all of
// them.
func (tx *Tx) unlinkUnreadable(agent, id string) (held bool, err error) {
	head, err := itemHeads.Get(tx.kv, kv.Key(agent, id))
	if err != nil && !errors.Is(err, ErrNotFound) && !tx.skip(err) {
		return false, err
	}
	for _, b := range []kv.Bucket[[]byte]{raw(itemKeys), raw(itemHashes), raw(itemsHeld), raw(itemSources)} {
		keys, err := tx.keys(b, kv.Prefix(agent))
		if err != nil {
			return false, err
		}
		for _, key := range keys {
			last, err := lastOf(key)
			if err == nil && last == id {
				err = b.Delete(tx.kv, key)
			}
			if err != nil {
				return false, err
			}
		}
	}
	return head.State == memory.StateHeld, nil
}

// restoreItem writes the index entries of a restored item, and records its restoration.
func (tx *Tx) restoreItem(key []byte, changeID string, out *Restored) error {
	it, err := items.Get(tx.kv, key)
	if err != nil {
		return err
	}
	out.Items = append(out.Items, it)
	back := memory.Change{
		ItemID: it.ID, Action: memory.ActionRestored, Reason: "the deletion was taken back",
		Origin: memory.OriginUser, Time: tx.Now(), Version: it.Version,
	}
	return errors.Join(
		tx.addChange(it.AgentID, changeID, back),
		tx.remember(it.AgentID, memory.KindItem, it.ID),
		tx.link(it),
	)
}

// restoreChange writes the index entries of a restored change.
func (tx *Tx) restoreChange(key, value []byte) error {
	at, err := placeOf(key, value)
	if err != nil {
		return err
	}
	if err := at.link(tx); err != nil || at.turn == "" {
		return err
	}
	return raw(turnChanges).Put(tx.kv, kv.Key(at.agent, at.turn, at.id), value)
}

// restoreTurnChange removes a restored change again if its item was deleted meanwhile.
// A change without an item, or of an item known as deleted, describes the fate of a
// proposal, and stays.
func (tx *Tx) restoreTurnChange(key []byte) error {
	c, err := turnChanges.Get(tx.kv, key)
	if err != nil {
		return err
	}
	var agent, turn, changeID string
	if err := kv.Unpack(key, &agent, &turn, &changeID); err != nil {
		return err
	}
	if c.ItemID == "" {
		return nil
	}
	if there, err := itemChanges.Has(tx.kv, kv.Key(agent, c.ItemID, changeID)); there || err != nil {
		return err
	}
	return turnChanges.Delete(tx.kv, key)
}

// TrashedItemsFrom returns the items in the trash with evidence in a session.
func (tx *Tx) TrashedItemsFrom(agent, session string) (out []memory.Item, err error) {
	all, err := collect(tx, trash, kv.Prefix(agent))
	for _, rows := range all {
		for _, r := range rows {
			if r.Bucket != items.Name() || !bytes.Contains(r.Value, []byte(session)) {
				continue
			}
			it, derr := codec.Item{}.Decode(1, r.Value)
			if derr == nil && slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.SessionID == session }) {
				out = append(out, it)
			}
		}
	}
	return out, err
}
