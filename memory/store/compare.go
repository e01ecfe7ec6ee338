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

// Leftovers is what an older state of an agent has of the data that was deleted since.
type Leftovers struct {
	Sessions, Items, Records, Incoming []string
	Profiles                           []int
	// Quoted are messages that stay, but not what was made of their words.
	Quoted []string
	// Redactions are those of messages that stay.
	Redactions []Redaction
	Group      bool
}

// Any reports whether there is anything.
func (l Leftovers) Any() bool {
	return len(l.Sessions)+len(l.Items)+len(l.Records)+len(l.Incoming)+len(l.Profiles)+len(l.Quoted)+len(l.Redactions) > 0 || l.Group
}

// Leftovers compares the agent's data with an older state: it returns what was deleted later
// but before the given time. Of messages, Records has those whose session exists in both
// states, Sessions the lost sessions of the others, and Incoming those that were waiting for a
// session.
func (tx *Tx) Leftovers(agent string, old *Tx, before time.Time) (l Leftovers, err error) {
	find := func(kind memory.Kind, ok func(id string) (bool, error)) (ids []string) {
		if err == nil {
			ids, err = tx.forgottenWhere(agent, kind, before, ok)
		}
		return ids
	}
	l.Items = find(memory.KindItem, func(id string) (bool, error) { return lost(items, tx, old, kv.Key(agent, id)) })
	seen := map[string]bool{}
	l.Records = find(memory.KindRecord, func(id string) (bool, error) {
		session, err := old.placed(agent, id)
		if session == "" || err != nil {
			return false, err
		}
		then, err := old.HasSession(agent, session)
		now, nerr := tx.HasSession(agent, session)
		if then && !now && !seen[session] {
			seen[session], l.Sessions = true, append(l.Sessions, session)
		}
		return then && now, errors.Join(err, nerr)
	})
	l.Incoming = find(memory.KindRecord, func(id string) (bool, error) { return incoming.Has(old.kv, kv.Key(agent, id)) })
	l.Quoted = find(kindQuoted, func(id string) (bool, error) {
		at, err := tx.ForgottenAt(agent, kindQuoted, id)
		then, oerr := old.ForgottenAt(agent, kindQuoted, id)
		session, perr := old.placed(agent, id)
		return session != "" && at.After(then), errors.Join(err, oerr, perr)
	})
	find(memory.KindProfile, func(id string) (bool, error) {
		n, err := strconv.Atoi(id)
		if err != nil {
			return false, nil //nolint:nilerr // not one of ours
		}
		then, err := profiles.Has(old.kv, kv.Key(agent, uint64(max(n, 0))))
		if then {
			l.Profiles = append(l.Profiles, n)
		}
		return then, err
	})
	if err == nil {
		l.Redactions, err = redactedSince(tx, agent, old, before)
	}
	if err == nil {
		l.Group, err = tx.forgottenGroup(agent, old, before)
	}
	return l, err
}

// placed returns the session of a message; empty if there is none or it cannot be read.
func (tx *Tx) placed(agent, id string) (session string, err error) {
	at, err := tx.PlaceOf(agent, id)
	if errors.Is(err, ErrNotFound) || Unreadable(err) {
		return "", nil
	}
	return at.Session, err
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
