package store

import (
	"time"

	"memoria/kv"
	"memoria/memory"
)

// Tally is what happened between two moments, in numbers.
type Tally struct {
	Messages  int // that are there
	Learned   int // items that are there, or were until they were deleted
	Forgotten int // items deleted
}

// Tallies counts what happened to the agent from each bound to the next; times
// must ascend. Messages and items are counted by their keys alone, which hold
// the time, and only those of the whole span are looked at; of the deleted
// items all.
func (tx *Tx) Tallies(agent string, bounds []time.Time) ([]Tally, error) {
	out := make([]Tally, max(len(bounds)-1, 0))
	if len(out) == 0 {
		return out, nil
	}
	add := func(at time.Time, to func(*Tally)) {
		if i := spanOf(bounds, at); i >= 0 {
			to(&out[i])
		}
	}
	err := tx.idTimes(raw(recordPlaces), agent, bounds, func(at time.Time) {
		add(at, func(t *Tally) { t.Messages++ })
	})
	if err != nil {
		return nil, err
	}
	err = tx.idTimes(raw(itemHeads), agent, bounds, func(at time.Time) {
		add(at, func(t *Tally) { t.Learned++ })
	})
	if err != nil {
		return nil, err
	}
	for e, err := range forgotten.Scan(tx.kv, kv.Prefix(agent, string(memory.KindItem))) {
		if err != nil {
			if tx.skip(err) {
				continue
			}
			return nil, err
		}
		add(e.Value, func(t *Tally) { t.Forgotten++ })
		var owner, kind, id string
		if err := kv.Unpack(e.Key, &owner, &kind, &id); err != nil {
			return nil, err
		}
		if at, err := memory.IDTime(id); err == nil {
			add(at, func(t *Tally) { t.Learned++ })
		}
	}
	return out, nil
}

// spanOf returns the number of the span that a moment lies in; -1 when none.
func spanOf(bounds []time.Time, at time.Time) int {
	for i := len(bounds) - 1; i >= 0; i-- {
		if !at.Before(bounds[i]) {
			if i == len(bounds)-1 {
				return -1
			}
			return i
		}
	}
	return -1
}

// block is how many characters of an id make a prefix under which ids are read:
// those of half a day.
const (
	block     = 5
	blockSpan = 1 << (5 * (10 - block)) * time.Millisecond
)

// idTimes visits the times of the agent's ids in a bucket, as far as they may
// lie within the bounds.
func (tx *Tx) idTimes(bucket kv.Bucket[[]byte], agent string, bounds []time.Time, visit func(time.Time)) error {
	last := bounds[len(bounds)-1]
	first := kv.Prefix(agent)
	for at, done := bounds[0], ""; ; at = at.Add(blockSpan) {
		prefix := memory.IDAt(at)[:block]
		if prefix > memory.IDAt(last)[:block] {
			return nil
		}
		if prefix == done {
			continue
		}
		done = prefix
		// A key of two strings without the end of the second.
		whole := kv.Prefix(agent, prefix)
		for key, err := range bucket.Keys(tx.kv, whole[:len(whole)-2]) {
			if err != nil {
				return err
			}
			if id := key[len(first)+1:]; len(id) > 2 {
				if t, err := memory.IDTime(string(id[:len(id)-2])); err == nil {
					visit(t)
				}
			}
		}
	}
}
