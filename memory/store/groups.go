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

// RecordAt returns the record at a place, with its words.
func (tx *Tx) RecordAt(agent string, at Place) (memory.Record, error) {
	r, err := records.Get(tx.kv, kv.Key(agent, at.Session, at.Position))
	if err != nil {
		return r, err
	}
	return tx.resolve(r)
}

// resolve returns a record with its words: those of a reference are the group's. A
// dangling reference is an unreadable record.
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

// saidIn returns the words of a stored record, or aside if they are in a file or
// unknown.
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

// Groups returns all groups, in order of id.
func (tx *Tx) Groups() ([]memory.Group, error) { return collect(tx, groups, nil) }

// Hearers returns the agents with references to the group id, in order of id; none if
// id is not a group. It includes those of deletions that can be undone.
func (tx *Tx) Hearers(id string) ([]string, error) {
	g, err := groups.Get(tx.kv, kv.Key(id))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	out := g.Hearers()
	for e, err := range readable(tx, deletions.Scan(tx.kv, kv.Prefix(id))) {
		if err != nil {
			return nil, err
		}
		out = append(out, e.Value.Heard...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// NoteHeard adds to a group's deletion the agents from which it deleted references.
func (tx *Tx) NoteHeard(group, deletionID string, agents []string) error {
	key := kv.Key(group, deletionID)
	d, err := deletions.Get(tx.kv, key)
	if err != nil {
		return err
	}
	d.Heard = agents
	return deletions.Put(tx.kv, key, d)
}

// HasDeletion reports whether a deletion of the agent can be undone.
func (tx *Tx) HasDeletion(agent, deletionID string) (bool, error) {
	return deletions.Has(tx.kv, kv.Key(agent, deletionID))
}

// TrashGroup adds the group itself to a deletion, with drafts and texts outside
// sessions. [Tx.Trash] deletes its sessions.
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

// forgottenGroup reports whether id was a group in an older state and was deleted
// permanently since, before the given time.
func (tx *Tx) forgottenGroup(id string, old *Tx, before time.Time) (bool, error) {
	at, err := tx.ForgottenAt(id, memory.KindGroup, id)
	if err != nil || at.IsZero() || !tx.since(at, before) {
		return false, err
	}
	is, err := lost(groups, tx, old, kv.Key(id))
	if errors.Is(err, kv.ErrNoBucket) { // an older program wrote it
		return false, nil
	}
	return is, err
}
