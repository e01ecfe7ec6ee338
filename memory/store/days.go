package store

import (
	"time"

	"memoria/kv"
	"memoria/memory"
)

// Tally counts events between two moments.
type Tally struct {
	Messages  int // existing
	Learned   int // items learned, existing or deleted since
	Forgotten int // items deleted
}

// Tallies counts the agent's events between consecutive bounds, which must ascend. It
// counts messages and items by their keys, which contain the time, and reads only the
// keys of the whole span. It reads all deleted items.
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
	for e, err := range readable(tx, forgotten.Scan(tx.kv, kv.Prefix(agent, string(memory.KindItem)))) {
		if err != nil {
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

// spanOf returns the index of the span of a moment, -1 for none.
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

// block is the length of an id prefix for reading ids: it covers half a day.
const (
	block     = 5
	blockSpan = 1 << (5 * (10 - block)) * time.Millisecond
)

// idTimes visits the times of the agent's ids in a bucket that may be within the
// bounds.
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
		// A key of two strings without the terminator of the second.
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
