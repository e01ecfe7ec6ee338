package store

import (
	"encoding/json"
	"errors"
	"iter"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/counter"
)

// Portable is a bucket whose rows an export of an agent contains, as JSON (D1). All other
// buckets are derived from these, or belong to a deletion.
type Portable struct {
	// Rows yields the agent's rows whose keys continue with the given parts, in the order of
	// their keys, without unreadable ones.
	Rows func(tx *Tx, agent string, parts ...any) iter.Seq2[kv.Entry[json.RawMessage], error]
	// Get returns a row, or ErrNotFound.
	Get func(tx *Tx, key []byte) (json.RawMessage, error)
	// Check returns an error that wraps memory.ErrInvalid if a value does not belong into
	// this bucket.
	Check func(value json.RawMessage) error
	// Put writes a valid row with its index entries and announces it. A record is only added.
	Put func(tx *Tx, key []byte, value json.RawMessage) error
}

// Portables returns the buckets that an export contains, by name.
func Portables() map[string]Portable {
	out := map[string]Portable{}
	carried(out, agents, nil)
	carried(out, seals, nil)
	carried(out, refused, nil)
	carried(out, forgotten, nil)
	carried(out, texts, nil)
	carried(out, passages, nil)
	carried(out, gaps, nil)
	carried(out, sessions, putSessionTime)
	carried(out, records, putPlace)
	carried(out, summaries, nil)
	carried(out, working, nil)
	carried(out, workingVersions, nil)
	carried(out, packages, putTurn)
	carried(out, items, putLinks)
	carried(out, itemVersions, nil)
	carried(out, itemChanges, putTimes)
	carried(out, turnChanges, nil)
	carried(out, incoming, nil)
	carried(out, partials, nil)
	carried(out, drafts, nil)
	carried(out, jobs, nil)
	carried(out, profiles, putLines)
	carried(out, counts, nil)
	carried(out, history, nil)
	carried(out, journalFiles, nil)
	carried(out, journalIDs, nil)
	carried(out, journalStates, nil)
	return out
}

// carried adds a bucket. link writes the index entries of a value, whose predecessor is nil
// if there was none.
func carried[T any](to map[string]Portable, b kv.Bucket[T], link func(tx *Tx, key []byte, v T, old *T) error) {
	to[b.Name()] = Portable{
		Rows: func(tx *Tx, agent string, parts ...any) iter.Seq2[kv.Entry[json.RawMessage], error] {
			scan := readable(tx, b.Scan(tx.kv, kv.Prefix(append([]any{agent}, parts...)...)))
			return mapped(scan, func(e kv.Entry[T]) (kv.Entry[json.RawMessage], error) {
				value, err := json.Marshal(e.Value)
				return kv.Entry[json.RawMessage]{Key: e.Key, Value: value}, err
			})
		},
		Get: func(tx *Tx, key []byte) (json.RawMessage, error) {
			v, err := b.Get(tx.kv, key)
			if err != nil {
				return nil, err
			}
			return json.Marshal(v)
		},
		Check: func(value json.RawMessage) error {
			var v T
			if err := json.Unmarshal(value, &v); err != nil {
				return errors.Join(memory.ErrInvalid, err)
			}
			_, err := b.Codec().Encode(v)
			return err
		},
		Put: func(tx *Tx, key []byte, value json.RawMessage) error {
			var v T
			if err := json.Unmarshal(value, &v); err != nil {
				return errors.Join(memory.ErrInvalid, err)
			}
			old, err := b.Get(tx.kv, key)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			was := &old
			if err != nil {
				was = nil
			}
			if err := b.Put(tx.kv, key, v); err != nil || link == nil {
				return err
			}
			return link(tx, key, v, was)
		},
	}
}

func putSessionTime(tx *Tx, _ []byte, s memory.Session, old *memory.Session) error {
	err := error(nil)
	if old == nil {
		err = tx.Add(s.AgentID, counter.Sessions, 1)
	} else {
		err = sessionTimes.Delete(tx.kv, kv.Key(s.AgentID, old.LastMessageAt, s.ID))
	}
	return errors.Join(err, sessionTimes.Put(tx.kv, kv.Key(s.AgentID, s.LastMessageAt, s.ID), none{}))
}

func putPlace(tx *Tx, key []byte, r memory.Record, _ *memory.Record) error {
	var agent string
	var at Place
	if err := kv.Unpack(key, &agent, &at.Session, &at.Position); err != nil {
		return err
	}
	err := errors.Join(recordPlaces.Put(tx.kv, kv.Key(agent, r.ID), at), tx.Add(agent, counter.Records, 1))
	return errors.Join(err, putMarks(tx, agent, r), tx.announce(agent, KindRecord, r.ID, OpPut))
}

func putTurn(tx *Tx, key []byte, _ memory.Package, _ *memory.Package) error {
	var agent, session, turn string
	if err := kv.Unpack(key, &agent, &session, &turn); err != nil {
		return err
	}
	return turnSessions.Put(tx.kv, kv.Key(agent, turn), session)
}

func putLinks(tx *Tx, _ []byte, it memory.Item, old *memory.Item) error {
	err := error(nil)
	if old == nil {
		err = tx.Add(it.AgentID, counter.Items, 1)
	} else {
		err = tx.unlink(*old)
	}
	return errors.Join(err, tx.link(it))
}

func putTimes(tx *Tx, key []byte, c memory.Change, _ *memory.Change) error {
	at, err := placeOf(key, nil)
	at.of(c)
	return errors.Join(err, at.link(tx))
}

func putLines(tx *Tx, _ []byte, p memory.Profile, _ *memory.Profile) error {
	for _, l := range p.Lines {
		if l.Derived() {
			if err := tx.keepVersion(p.AgentID, l); err != nil {
				return err
			}
		}
	}
	have, err := tx.Count(p.AgentID, counter.Profiles)
	return errors.Join(err, tx.Add(p.AgentID, counter.Profiles, max(0, p.Version-have)))
}
