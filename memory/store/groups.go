package store

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/kv"
	"memoria/memory"
)

var errNotThere = errors.New("the message it refers to is not there")

// recordAt returns the record at a place, with its words.
func (tx *Tx) recordAt(agent string, at location) (memory.Record, error) {
	r, err := records.Get(tx.kv, kv.Key(agent, at.Session, at.Position))
	if err != nil {
		return r, err
	}
	return tx.resolve(r)
}

// resolve returns a record with its words: those of a reference are the group's. A
// reference that leads nowhere is a record that cannot be read.
func (tx *Tx) resolve(r memory.Record) (memory.Record, error) {
	if r.Heard == "" {
		return r, nil
	}
	key := kv.Key(r.Heard, r.ID)
	at, err := recordPlaces.Get(tx.kv, key)
	var said memory.Record
	if err == nil {
		said, err = records.Get(tx.kv, kv.Key(r.Heard, at.Session, at.Position))
	}
	if errors.Is(err, ErrNotFound) {
		err = &kv.RecordError{Bucket: records.Name(), Key: key, Err: errNotThere}
	}
	if err != nil {
		return memory.Record{}, err
	}
	return r.Resolved(said), nil
}

// saidIn returns the words of a record as it lies in its bucket; aside, when they
// lie in a file or are not known.
func (tx *Tx) saidIn(r memory.Record) string {
	r, err := tx.resolve(r)
	if err != nil || r.ContentRef != "" {
		return aside
	}
	return r.Content
}

// PutGroup writes a group.
func (tx *Tx) PutGroup(g memory.Group) error { return groups.Put(tx.kv, kv.Key(g.ID), g) }

// Group returns one group.
func (tx *Tx) Group(id string) (memory.Group, error) { return groups.Get(tx.kv, kv.Key(id)) }

// Groups returns all groups, in the order of their ids.
func (tx *Tx) Groups() ([]memory.Group, error) { return collect(tx, groups, nil) }

// Hearers are the agents that have references to what lies under id, in the order of
// their ids; none when id is no group. Those of what can still be taken back are
// among them.
func (tx *Tx) Hearers(id string) ([]string, error) {
	g, err := groups.Get(tx.kv, kv.Key(id))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	out := g.Hearers()
	for e, err := range deletions.Scan(tx.kv, kv.Prefix(id)) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
			return nil, err
		}
		out = append(out, e.Value.Heard...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// NoteHeard adds to a deletion of a group the agents of which it took what they had
// heard.
func (tx *Tx) NoteHeard(group, deletionID string, agents []string) error {
	key := kv.Key(group, deletionID)
	d, err := deletions.Get(tx.kv, key)
	if err != nil {
		return err
	}
	d.Heard = agents
	return deletions.Put(tx.kv, key, d)
}

// HasDeletion reports whether a deletion of the agent can still be taken back.
func (tx *Tx) HasDeletion(agent, deletionID string) (bool, error) {
	return deletions.Has(tx.kv, kv.Key(agent, deletionID))
}

// TrashGroup adds to a deletion the group itself, with what was typed and sent there
// and has no session. Its sessions go by [Tx.Trash].
func (tx *Tx) TrashGroup(id, deletionID string) error {
	b := &bin{tx: tx, agent: id, deletion: deletionID}
	n, err := trash.Count(tx.kv, kv.Prefix(id, deletionID))
	if err != nil {
		return err
	}
	b.count = uint64(n)
	if _, err := b.take(raw(groups), kv.Key(id)); err != nil && !Unreadable(err) {
		return fmt.Errorf("group %s: %w", id, err)
	}
	for _, r := range [...]kv.Bucket[[]byte]{raw(incoming), raw(drafts)} {
		if _, err := b.takeAll(r, kv.Prefix(id), nil); err != nil {
			return err
		}
	}
	return errors.Join(b.flush(), tx.forget(id, memory.KindGroup, id))
}

// ForgottenGroup reports whether id was a group in an older state and was deleted
// for good since, before the given time.
func (tx *Tx) ForgottenGroup(id string, old *Tx, before time.Time) (bool, error) {
	at, err := tx.ForgottenAt(id, memory.KindGroup, id)
	if err != nil || at.IsZero() || !tx.since(at, before) {
		return false, err
	}
	if now, err := groups.Has(tx.kv, kv.Key(id)); now || err != nil {
		return false, err
	}
	then, err := groups.Has(old.kv, kv.Key(id))
	if errors.Is(err, kv.ErrNoBucket) {
		return false, nil
	}
	return then, err
}
