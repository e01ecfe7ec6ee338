package store

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
)

// HeadOf returns the head of an item with its content hash.
func HeadOf(it memory.Item) memory.Head {
	h := it.Head()
	h.ContentHash = codec.HashContent(it.Content)
	return h
}

func hashKey(agent string, h uint64, id ...any) []byte {
	return kv.Key(append([]any{agent, h}, id...)...)
}

// present reports whether an item is indexed by key and content.
func present(it memory.Item) bool {
	return it.State == memory.StateActive || it.State == memory.StateHeld || it.State == memory.StateMuted
}

// PutItem writes the item and keeps its previous version. The change is stored with the
// item, and indexed by its turn, generation or undo, if any. changeID must be new and
// time-ordered.
func (tx *Tx) PutItem(it memory.Item, changeID string, c memory.Change) error {
	if err := (&whereabouts{tx: tx, agent: it.AgentID}).ofItem(&it); err != nil {
		return err
	}
	added := 0
	switch old, err := items.Get(tx.kv, kv.Key(it.AgentID, it.ID)); {
	case errors.Is(err, ErrNotFound):
		added = 1
	case err != nil:
		return err
	default:
		if err := itemVersions.Put(tx.kv, kv.Key(old.AgentID, old.ID, uint64(old.Version)), old); err != nil {
			return err
		}
		if err := tx.unlink(old); err != nil {
			return err
		}
	}
	c.Item, c.Replaced, c.ItemID, c.Version = nil, nil, it.ID, it.Version
	return errors.Join(
		tx.addChange(it.AgentID, changeID, c), items.Put(tx.kv, kv.Key(it.AgentID, it.ID), it),
		tx.Add(it.AgentID, counter.Items, added), tx.link(it),
	)
}

// link writes an item's index entries and announces it.
func (tx *Tx) link(it memory.Item) error {
	head := HeadOf(it)
	if err := itemHeads.Put(tx.kv, kv.Key(it.AgentID, it.ID), head); err != nil {
		return err
	}
	if present(it) {
		if it.Key != "" {
			if err := itemKeys.Put(tx.kv, kv.Key(it.AgentID, it.Key, it.ID), none{}); err != nil {
				return err
			}
		}
		if err := itemHashes.Put(tx.kv, hashKey(it.AgentID, head.ContentHash, it.ID), none{}); err != nil {
			return err
		}
	}
	if it.State == memory.StateHeld {
		if err := tx.Add(it.AgentID, counter.Held, 1); err != nil {
			return err
		}
	}
	return errors.Join(linkSources(tx, it), tx.announce(it.AgentID, KindItem, it.ID, OpPut))
}

// linkSources writes an item's index entries by its sources, and as held.
func linkSources(tx *Tx, it memory.Item) error {
	from := sourcesOf(it.Evidence)
	for _, record := range from {
		if err := itemSources.Put(tx.kv, kv.Key(it.AgentID, record, it.ID), none{}); err != nil {
			return err
		}
	}
	if it.State != memory.StateHeld {
		return nil
	}
	return itemsHeld.Put(tx.kv, kv.Key(it.AgentID, it.ID), from)
}

// sourcesOf returns the records of some evidence.
func sourcesOf(evidence []memory.Evidence) []string {
	ids := make([]string, len(evidence))
	for i, ev := range evidence {
		ids[i] = ev.RecordID
	}
	return ids
}

// unlink removes the index entries of a version.
func (tx *Tx) unlink(it memory.Item) error {
	if it.State == memory.StateHeld {
		if err := tx.Add(it.AgentID, counter.Held, -1); err != nil {
			return err
		}
	}
	return tx.dropLookups(it.AgentID, it.ID, it.Key, it.Content, it.Evidence)
}

// dropLookups removes the index entries of a version by key, content and sources, and as held.
func (tx *Tx) dropLookups(agent, id, key, content string, from []memory.Evidence) error {
	if key != "" {
		if err := itemKeys.Delete(tx.kv, kv.Key(agent, key, id)); err != nil {
			return err
		}
	}
	for _, record := range sourcesOf(from) {
		if err := itemSources.Delete(tx.kv, kv.Key(agent, record, id)); err != nil {
			return err
		}
	}
	return errors.Join(
		itemHashes.Delete(tx.kv, hashKey(agent, codec.HashContent(content), id)), itemsHeld.Delete(tx.kv, kv.Key(agent, id)),
	)
}

// TouchItem records that the item reached a prompt (L4). Use is not a change, so it
// neither makes a version nor concerns the index.
func (tx *Tx) TouchItem(agent, id string) (memory.Head, error) {
	key := kv.Key(agent, id)
	it, err := items.Get(tx.kv, key)
	if err != nil {
		return memory.Head{}, err
	}
	it.LastAccessed = tx.Now()
	it.AccessCount++
	if err := items.Put(tx.kv, key, it); err != nil {
		return memory.Head{}, err
	}
	head := HeadOf(it)
	return head, itemHeads.Put(tx.kv, key, head)
}

// Item returns the newest version of an item.
func (tx *Tx) Item(agent, id string) (memory.Item, error) {
	return items.Get(tx.kv, kv.Key(agent, id))
}

// ItemVersion returns a version of an item.
func (tx *Tx) ItemVersion(agent, id string, version int) (memory.Item, error) {
	it, err := tx.Item(agent, id)
	if err != nil || it.Version == version {
		return it, err
	}
	return itemVersions.Get(tx.kv, kv.Key(agent, id, uint64(version)))
}

// HasItem reports whether an item exists, readable or not.
func (tx *Tx) HasItem(agent, id string) (bool, error) { return items.Has(tx.kv, kv.Key(agent, id)) }

// ItemIDs yields the ids of the agent's items, readable or not, oldest first.
func (tx *Tx) ItemIDs(agent string) iter.Seq2[string, error] { return tx.ids(raw(items), agent) }

// ids yields the last parts of an agent's keys of two parts.
func (tx *Tx) ids(bucket kv.Bucket[[]byte], agent string) iter.Seq2[string, error] {
	return mapped(bucket.Keys(tx.kv, kv.Prefix(agent)), idOf)
}

// ItemsOnlyFrom returns the items whose evidence is all in one session, ignoring
// deleted messages. It includes generated episodes with any evidence there, since they
// quote the session.
func (tx *Tx) ItemsOnlyFrom(agent, session string) ([]string, error) {
	var out []string
	for e, err := range readable(tx, raw(items).Scan(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return nil, err
		}
		if !bytes.Contains(e.Value, []byte(session)) {
			continue // searching bytes is much faster than decoding each item
		}
		it, err := codec.Item{}.Decode(1, e.Value)
		if err != nil {
			continue
		}
		from, elsewhere := false, false
		for _, ev := range it.Evidence {
			if ev.SessionID == session {
				from = true
			} else if there, err := tx.HasRecord(agent, ev.RecordID); err != nil {
				return nil, err
			} else if there {
				elsewhere = true
			}
		}
		if from && (!elsewhere || it.Type == memory.TypeEpisode && it.Generation != "") {
			out = append(out, it.ID)
		}
	}
	return out, nil
}

// Items yields the agent's items, newest first. It logs and skips unreadable records.
func (tx *Tx) Items(agent string) iter.Seq2[memory.Item, error] {
	return values(tx, items.ScanReverse(tx.kv, kv.Prefix(agent)))
}

// Heads yields the heads of the agent's items, oldest first.
func (tx *Tx) Heads(agent string) iter.Seq2[memory.Head, error] {
	return values(tx, itemHeads.Scan(tx.kv, kv.Prefix(agent)))
}

// KeyHolders returns the ids of the present items with the given key.
func (tx *Tx) KeyHolders(agent, key string) ([]string, error) {
	return first(0, mapped(itemKeys.Keys(tx.kv, kv.Prefix(agent, key)), lastOf))
}

// lastOf returns the id at the end of a key.
func lastOf(key []byte) (id string, err error) {
	parts, err := kv.ParseKey(key)
	if err == nil {
		id, _ = parts[len(parts)-1].(string)
	}
	return id, err
}

// ItemsWithKey returns the present items with a wanted key among those that begin with a prefix, oldest first
// within each key.
func (tx *Tx) ItemsWithKey(agent, prefix string, wanted func(key string) bool) ([]memory.Item, error) {
	var ids []string
	for k, err := range itemKeys.Keys(tx.kv, kv.Beginning(agent, prefix)) {
		if err != nil {
			return nil, fmt.Errorf("looking through the keys of items: %w", err)
		}
		var owner, slot, id string
		if err := kv.Unpack(k, &owner, &slot, &id); err != nil {
			return nil, err
		}
		if wanted(slot) {
			ids = append(ids, id)
		}
	}
	return tx.itemsOf(agent, ids)
}

// itemsOf returns the readable ones of some items.
func (tx *Tx) itemsOf(agent string, ids []string) ([]memory.Item, error) {
	out := make([]memory.Item, 0, len(ids))
	for _, id := range ids {
		it, err := tx.Item(agent, id)
		if err == nil {
			out = append(out, it)
		} else if !tx.skip(err) {
			return nil, err
		}
	}
	return out, nil
}

// ItemsLike returns the present items with the given key or equal content, against
// which a candidate is planned (P4).
func (tx *Tx) ItemsLike(agent, key, content string) ([]memory.Item, error) {
	var ids []string
	lookUp := func(b kv.Bucket[none], prefix []byte) error {
		for id, err := range mapped(b.Keys(tx.kv, prefix), lastOf) {
			if err != nil {
				return err
			}
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		return nil
	}
	if key != "" {
		if err := lookUp(itemKeys, kv.Prefix(agent, key)); err != nil {
			return nil, fmt.Errorf("looking up items by key: %w", err)
		}
	}
	if err := lookUp(itemHashes, hashKey(agent, codec.HashContent(content))); err != nil {
		return nil, fmt.Errorf("looking up items by content: %w", err)
	}
	return tx.itemsOf(agent, ids)
}

// ItemsAfter returns at most n of the agent's items with ids after the given one, in
// order of ids.
func (tx *Tx) ItemsAfter(agent, after string, n int) ([]memory.Item, error) {
	return first(n, values(tx, items.ScanFrom(tx.kv, kv.Prefix(agent), kv.After(kv.Key(agent, after)))))
}

// HeldItems returns at most limit of the items in the inbox, newest first, after
// skipping offset of them. limit 0 means all.
func (tx *Tx) HeldItems(agent string, limit, offset int) (out []memory.Item, err error) {
	ids, err := first(0, tx.idsIn(raw(itemsHeld), agent, Span{}, ""))
	if errors.Is(err, kv.ErrNoBucket) { // an older program wrote it
		ids, err = nil, nil
		for h, herr := range tx.Heads(agent) {
			if err = herr; err == nil && h.State == memory.StateHeld {
				ids = append(ids, h.ID)
			}
		}
		slices.Reverse(ids)
	}
	for i := 0; i < len(ids) && err == nil && (limit <= 0 || len(out) < offset+limit); i++ {
		var it []memory.Item // empty if it is unreadable
		it, err = tx.itemsOf(agent, ids[i:i+1])
		out = append(out, it...)
	}
	return out[min(offset, len(out)):], err
}

// HeldSources returns the records that the items in the inbox were made from.
func HeldSources(tx *Tx, agent string) (map[string]bool, error) {
	held, err := collect(tx, itemsHeld, kv.Prefix(agent))
	if errors.Is(err, kv.ErrNoBucket) { // an older program wrote it
		var all []memory.Item
		all, err = tx.HeldItems(agent, 0, 0)
		for _, it := range all {
			held = append(held, sourcesOf(it.Evidence))
		}
	}
	out := map[string]bool{}
	for _, id := range slices.Concat(held...) {
		out[id] = true
	}
	return out, err
}
