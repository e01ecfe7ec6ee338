package store

import (
	"errors"
	"log/slog"
	"strconv"
	"time"

	"memoria/kv"
	"memoria/memory"
)

// ViewFile runs fn over a closed store file, such as a backup. It writes nothing to the
// file or beside it. The Tx's time is zero.
func ViewFile(path string, log *slog.Logger, fn func(*Tx) error) error {
	return kv.ViewFile(path, func(tx *kv.Tx) error { return fn(&Tx{kv: tx, log: log}) })
}

// ForgottenItems returns the agent's items in an older state that were deleted later
// but before the given time.
func (tx *Tx) ForgottenItems(agent string, old *Tx, before time.Time) (ids []string, err error) {
	err = tx.eachForgotten(agent, memory.KindItem, before, func(id string) error {
		key := kv.Key(agent, id)
		if now, err := items.Has(tx.kv, key); now || err != nil {
			return err
		}
		then, err := items.Has(old.kv, key)
		if then {
			ids = append(ids, id)
		}
		return err
	})
	return ids, err
}

// ForgottenIncoming is ForgottenItems for messages that were waiting for a session in
// the older state: they are in none of its sessions.
func (tx *Tx) ForgottenIncoming(agent string, old *Tx, before time.Time) (ids []string, err error) {
	err = tx.eachForgotten(agent, memory.KindRecord, before, func(id string) error {
		then, err := incoming.Has(old.kv, kv.Key(agent, id))
		if then {
			ids = append(ids, id)
		}
		return err
	})
	return ids, err
}

// ForgottenProfiles is ForgottenItems for versions of the profile.
func (tx *Tx) ForgottenProfiles(agent string, old *Tx, before time.Time) (versions []int, err error) {
	err = tx.eachForgotten(agent, memory.KindProfile, before, func(id string) error {
		n, err := strconv.Atoi(id)
		if err != nil {
			return nil //nolint:nilerr // not one of ours
		}
		then, err := profiles.Has(old.kv, kv.Key(agent, uint64(max(n, 0))))
		if then {
			versions = append(versions, n)
		}
		return err
	})
	return versions, err
}

// DropIncoming deletes messages that wait for a session, readable or not.
func (tx *Tx) DropIncoming(agent string, ids []string) error {
	for _, id := range ids {
		if err := incoming.Delete(tx.kv, kv.Key(agent, id)); err != nil {
			return err
		}
	}
	return nil
}

// ForgottenSessions is ForgottenItems for sessions with a deleted record.
func (tx *Tx) ForgottenSessions(agent string, old *Tx, before time.Time) (ids []string, err error) {
	seen := map[string]bool{}
	err = tx.eachForgotten(agent, memory.KindRecord, before, func(id string) error {
		at, err := recordPlaces.Get(old.kv, kv.Key(agent, id))
		if errors.Is(err, ErrNotFound) || Unreadable(err) || err == nil && seen[at.Session] {
			return nil
		}
		if err != nil {
			return err
		}
		seen[at.Session] = true
		key := kv.Key(agent, at.Session)
		if now, err := sessions.Has(tx.kv, key); now || err != nil {
			return err
		}
		then, err := sessions.Has(old.kv, key)
		if then {
			ids = append(ids, at.Session)
		}
		return err
	})
	return ids, err
}

// ForgottenRecords is ForgottenItems for single records, whose session exists in both
// states.
func (tx *Tx) ForgottenRecords(agent string, old *Tx, before time.Time) (ids []string, err error) {
	err = tx.eachForgotten(agent, memory.KindRecord, before, func(id string) error {
		at, err := recordPlaces.Get(old.kv, kv.Key(agent, id))
		if errors.Is(err, ErrNotFound) || Unreadable(err) {
			return nil
		}
		if err != nil {
			return err
		}
		key := kv.Key(agent, at.Session)
		if now, err := sessions.Has(tx.kv, key); !now || err != nil {
			return err
		}
		then, err := sessions.Has(old.kv, key)
		if then {
			ids = append(ids, id)
		}
		return err
	})
	return ids, err
}

// eachForgotten calls fn for every deletion of a kind before the given time.
func (tx *Tx) eachForgotten(agent string, kind memory.Kind, before time.Time, fn func(id string) error) error {
	for e, err := range readable(tx, forgotten.Scan(tx.kv, kv.Prefix(agent, string(kind)))) {
		if err != nil {
			return err
		}
		if !tx.since(e.Value, before) {
			continue
		}
		var owner, of, id string
		if err := kv.Unpack(e.Key, &owner, &of, &id); err != nil {
			return err
		}
		if err := fn(id); err != nil {
			return err
		}
	}
	return nil
}
