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

// lost reports whether a row of an older state is missing now.
func lost[T any](b kv.Bucket[T], now, old *Tx, key []byte) (bool, error) {
	if there, err := b.Has(now.kv, key); there || err != nil {
		return false, err
	}
	return b.Has(old.kv, key)
}

// ForgottenItems returns the agent's items in an older state that were deleted later
// but before the given time.
func (tx *Tx) ForgottenItems(agent string, old *Tx, before time.Time) ([]string, error) {
	return tx.forgottenWhere(agent, memory.KindItem, before, func(id string) (bool, error) {
		return lost(items, tx, old, kv.Key(agent, id))
	})
}

// ForgottenIncoming is ForgottenItems for messages that were waiting for a session in
// the older state: they are in none of its sessions.
func (tx *Tx) ForgottenIncoming(agent string, old *Tx, before time.Time) ([]string, error) {
	return tx.forgottenWhere(agent, memory.KindRecord, before, func(id string) (bool, error) {
		return incoming.Has(old.kv, kv.Key(agent, id))
	})
}

// ForgottenProfiles is ForgottenItems for versions of the profile.
func (tx *Tx) ForgottenProfiles(agent string, old *Tx, before time.Time) (versions []int, err error) {
	_, err = tx.forgottenWhere(agent, memory.KindProfile, before, func(id string) (bool, error) {
		n, err := strconv.Atoi(id)
		if err != nil {
			return false, nil //nolint:nilerr // not one of ours
		}
		then, err := profiles.Has(old.kv, kv.Key(agent, uint64(max(n, 0))))
		if then {
			versions = append(versions, n)
		}
		return then, err
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
	_, err = tx.forgottenWhere(agent, memory.KindRecord, before, func(id string) (bool, error) {
		at, err := old.PlaceOf(agent, id)
		if errors.Is(err, ErrNotFound) || Unreadable(err) || err == nil && seen[at.Session] {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		seen[at.Session] = true
		is, err := lost(sessions, tx, old, kv.Key(agent, at.Session))
		if is {
			ids = append(ids, at.Session)
		}
		return is, err
	})
	return ids, err
}

// ForgottenRecords is ForgottenItems for single records, whose session exists in both
// states.
func (tx *Tx) ForgottenRecords(agent string, old *Tx, before time.Time) ([]string, error) {
	return tx.forgottenWhere(agent, memory.KindRecord, before, func(id string) (bool, error) {
		at, err := old.PlaceOf(agent, id)
		if errors.Is(err, ErrNotFound) || Unreadable(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if now, err := tx.HasSession(agent, at.Session); !now || err != nil {
			return false, err
		}
		return old.HasSession(agent, at.Session)
	})
}

// forgottenWhere returns the ids of a kind that were deleted before the given time and
// that ok accepts.
func (tx *Tx) forgottenWhere(agent string, kind memory.Kind, before time.Time, ok func(id string) (bool, error)) (ids []string, err error) {
	for e, err := range readable(tx, forgotten.Scan(tx.kv, kv.Prefix(agent, string(kind)))) {
		if err != nil {
			return nil, err
		}
		if !tx.since(e.Value, before) {
			continue
		}
		var owner, of, id string
		if err := kv.Unpack(e.Key, &owner, &of, &id); err != nil {
			return nil, err
		}
		if fits, err := ok(id); err != nil {
			return nil, err
		} else if fits {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
