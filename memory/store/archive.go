package store

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store/codec"
)

// Span is a time span of records: From is included, To is not, and a zero side is open.
// A record's time is that of its id.
type Span struct{ From, To time.Time }

// All reports whether the span is open on both sides.
func (s Span) All() bool { return s.From.IsZero() && s.To.IsZero() }

// Has reports whether the record with this id is in the span.
func (s Span) Has(id string) bool {
	from, to := s.bounds()
	return id >= from && (to == "" || id < to)
}

// bounds returns prefixes of the first id in the span and of the first id after it; ""
// is open.
func (s Span) bounds() (from, to string) {
	if s.From.UnixMilli() > 0 && !s.From.IsZero() {
		from = memory.IDAt(s.From)
	}
	switch {
	case s.To.IsZero():
	case s.To.UnixMilli() <= 0:
		to = memory.IDAt(time.Unix(0, 0)) // no id is earlier
	case s.To.Year() < 9999:
		to = memory.IDAt(s.To)
	}
	return from, to
}

// RecordIDs yields the ids of the agent's records in a span, readable or not, newest
// first, without reading the records. before, if not empty, is the last id of an
// earlier walk, where this one continues.
func (tx *Tx) RecordIDs(agent string, s Span, before string) iter.Seq2[string, error] {
	return tx.idsIn(raw(recordPlaces), agent, s, before)
}

// Bookmarks is RecordIDs for bookmarked records.
func (tx *Tx) Bookmarks(agent string, s Span, before string) iter.Seq2[string, error] {
	return tx.idsIn(raw(bookmarks), agent, s, before)
}

// Derived reports whether a record's words may repeat the memory: the program's own, and the
// result of a tool. They are never searched or quoted.
func Derived(r memory.Record) bool { return r.Own() || r.Role == memory.RoleTool }

// DerivedIDs is RecordIDs for the [Derived] records since a time.
func (tx *Tx) DerivedIDs(agent string, from time.Time) iter.Seq2[string, error] {
	return tx.idsIn(raw(derived), agent, Span{From: from}, "")
}

// putMarks writes the index entries that only some records have.
func putMarks(tx *Tx, agent string, r memory.Record) (err error) {
	if r.Collected {
		err = bookmarks.Put(tx.kv, kv.Key(agent, r.ID), none{})
	}
	if Derived(r) {
		err = errors.Join(err, derived.Put(tx.kv, kv.Key(agent, r.ID), none{}))
	}
	return err
}

// idsIn walks a bucket with keys (agent, record) backwards through a span.
func (tx *Tx) idsIn(bucket kv.Bucket[[]byte], agent string, s Span, before string) iter.Seq2[string, error] {
	from, to := s.bounds()
	prefix, first := kv.Prefix(agent), beginning(agent, from)
	walk := bucket.ScanReverse(tx.kv, prefix)
	switch {
	case before != "" && (to == "" || before < to):
		walk = bucket.ScanBefore(tx.kv, prefix, kv.Key(agent, before))
	case to != "":
		walk = bucket.ScanBefore(tx.kv, prefix, beginning(agent, to))
	}
	return func(yield func(string, error) bool) {
		for e, err := range walk {
			if err != nil && !Unreadable(err) {
				yield("", err)
				return
			}
			if bytes.Compare(e.Key, first) < 0 {
				return
			}
			if id, err := idOf(e.Key); !yield(id, err) || err != nil {
				return
			}
		}
	}
}

// beginning returns the key of the agent and an id, without the id's terminator.
func beginning(agent, id string) []byte {
	key := kv.Prefix(agent, id)
	return key[:len(key)-2]
}

func idOf(key []byte) (id string, err error) {
	var agent string
	err = kv.Unpack(key, &agent, &id)
	return id, err
}

// SessionsIn returns the number of records in a span by session.
func (tx *Tx) SessionsIn(agent string, s Span) (map[string]int, error) {
	out := map[string]int{}
	from, to := s.bounds()
	for e, err := range readable(tx, recordPlaces.ScanFrom(tx.kv, kv.Prefix(agent), beginning(agent, from))) {
		if err != nil {
			return nil, err
		}
		if to != "" {
			if id, err := idOf(e.Key); err != nil {
				return nil, err
			} else if id >= to {
				break
			}
		}
		out[e.Value.Session]++
	}
	return out, nil
}

// SessionSize returns the number of a session's records, readable or not.
func (tx *Tx) SessionSize(agent, session string) (int, error) {
	return records.Count(tx.kv, kv.Prefix(agent, session))
}

// SetCollected sets or removes a record's bookmark. The rest of the record is
// unchanged.
func (tx *Tx) SetCollected(agent, id string, on bool) (memory.Record, error) {
	at, err := recordPlaces.Get(tx.kv, kv.Key(agent, id))
	if err != nil {
		return memory.Record{}, err
	}
	key := kv.Key(agent, at.Session, at.Position)
	r, err := records.Get(tx.kv, key)
	if err != nil {
		return r, err
	}
	if r.Collected == on {
		return tx.resolve(r)
	}
	r.Collected = on
	mark := bookmarks.Delete(tx.kv, kv.Key(agent, id))
	if on {
		mark = bookmarks.Put(tx.kv, kv.Key(agent, id), none{})
	}
	if err := errors.Join(mark, records.Put(tx.kv, key, r)); err != nil {
		return r, err
	}
	return tx.resolve(r)
}

// SetNotForMemory sets or removes a record's mark "not for memory", and reports whether
// that changed anything.
func (tx *Tx) SetNotForMemory(agent, id string, on bool) (changed bool, err error) {
	at, err := recordPlaces.Get(tx.kv, kv.Key(agent, id))
	if err != nil {
		return false, err
	}
	key := kv.Key(agent, at.Session, at.Position)
	r, err := records.Get(tx.kv, key)
	if err != nil || r.NotForMemory == on {
		return false, err
	}
	r.NotForMemory = on
	if on {
		if err := tx.Unquote(agent, id); err != nil {
			return false, err
		}
	}
	return true, errors.Join(records.Put(tx.kv, key, r), tx.Touch(agent, id))
}

// ItemsFromRecords returns the items with evidence in one of the records, newest first.
func (tx *Tx) ItemsFromRecords(agent string, recordIDs []string) ([]memory.Item, error) {
	var ids []string
	for _, record := range recordIDs {
		of, err := first(0, mapped(itemSources.Keys(tx.kv, kv.Prefix(agent, record)), lastOf))
		if errors.Is(err, kv.ErrNoBucket) { // an older program wrote it
			made := func(ev memory.Evidence) bool { return slices.Contains(recordIDs, ev.RecordID) }
			return tx.itemsFrom(agent, recordIDs, made)
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, of...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	slices.Reverse(ids)
	return tx.itemsOf(agent, ids)
}

// itemsFrom returns the items with matching evidence, newest first. Each must contain
// one of the ids.
func (tx *Tx) itemsFrom(agent string, ids []string, such func(memory.Evidence) bool) ([]memory.Item, error) {
	var out []memory.Item
	for e, err := range readable(tx, raw(items).ScanReverse(tx.kv, kv.Prefix(agent))) {
		if err != nil {
			return nil, err
		}
		// Searching bytes is much faster than decoding each item.
		if !slices.ContainsFunc(ids, func(id string) bool { return bytes.Contains(e.Value, []byte(id)) }) {
			continue
		}
		it, err := codec.Item{}.Decode(1, e.Value)
		if err == nil && slices.ContainsFunc(it.Evidence, such) {
			out = append(out, it)
		}
	}
	return out, nil
}
