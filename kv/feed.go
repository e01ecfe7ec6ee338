package kv

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Change is one entry of the feed. It records that a record changed, not its content: a
// follower reads the record itself. No field may hold text of the user or of a model.
type Change struct {
	Seq   uint64    // position in the feed, from 1, without gaps
	Time  time.Time // of the transaction
	Agent string    // owner of the record
	Kind  string    // kind of record, defined by the package that stores it
	ID    string    // id of the record
	Op    string    // kind of change, defined likewise
}

// trimAtOnce bounds one [Tx.TrimFeed], so that it never holds the writer for long.
const trimAtOnce = 10_000

var (
	feedBucket = NewBucket[Change](ownPrefix+"feed", 1, changeCodec{}).Rising()
	markBucket = NewBucket[uint64](ownPrefix+"marks", 1, tupleCodec[uint64]{})
)

// changeCodec stores all fields but Seq, which is the key, as a tuple.
type changeCodec struct{}

func (changeCodec) Encode(c Change) ([]byte, error) {
	return Key(c.Time, c.Agent, c.Kind, c.ID, c.Op), nil
}

func (changeCodec) Decode(_ uint8, data []byte) (c Change, err error) {
	err = Unpack(data, &c.Time, &c.Agent, &c.Kind, &c.ID, &c.Op)
	return c, err
}

// Append adds c to the feed and returns its sequence. It ignores c's Seq and Time and
// uses the next number and the transaction's time. The commit wakes the watchers of
// [DB.Watch].
func (tx *Tx) Append(c Change) (seq uint64, err error) {
	err = tx.change(feedBucket.raw, "numbering a change in", func(b *bolt.Bucket) (err error) {
		seq, err = b.NextSequence()
		return err
	})
	if err != nil {
		return 0, err
	}
	c.Time = tx.now
	if err := feedBucket.Put(tx, Key(seq), c); err != nil {
		return 0, err
	}
	tx.appended = true
	return seq, nil
}

// Changes yields the feed's entries with a sequence above after, in order. If entries
// after that position were trimmed, it yields [ErrTrimmed] and ends. For an unreadable
// entry it yields a [*RecordError], with Seq set, and continues. It ends after any
// other error.
func (tx *Tx) Changes(after uint64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		oldest, last, err := tx.FeedBounds()
		switch {
		case err != nil:
			yield(Change{}, err)
			return
		case after > last:
			yield(Change{}, fmt.Errorf("reading the feed: position %d is behind its end %d", after, last))
			return
		case after+1 < oldest:
			yield(Change{}, fmt.Errorf("reading the feed after %d: %w", after, ErrTrimmed))
			return
		}
		tx.changes(after, yield)
	}
}

func (tx *Tx) changes(after uint64, yield func(Change, error) bool) {
	next := after + 1
	for e, err := range feedBucket.ScanFrom(tx, nil, Key(next)) {
		var unreadable *RecordError
		if err != nil && !errors.As(err, &unreadable) {
			yield(Change{}, err)
			return
		}
		c := e.Value
		if err := Unpack(e.Key, &c.Seq); err != nil || c.Seq != next {
			yield(Change{}, fmt.Errorf("reading the feed: %w: entry %d is not there", ErrDamaged, next))
			return
		}
		if !yield(c, err) {
			return
		}
		next++
	}
}

// FeedBounds returns the sequences of the oldest kept entry and of the last one. If
// none is kept, oldest is last + 1.
func (tx *Tx) FeedBounds() (oldest, last uint64, err error) {
	err = tx.access(feedBucket.raw, "reading", func(b *bolt.Bucket) error {
		last = b.Sequence()
		oldest = last + 1
		if k, _ := b.Cursor().First(); k != nil {
			if err := Unpack(k, &oldest); err != nil {
				return fmt.Errorf("reading the feed: %w: %v", ErrDamaged, err)
			}
		}
		return nil
	})
	return oldest, last, err
}

// Follow registers a follower, so that the feed keeps its unprocessed entries, and
// returns its mark. A new follower begins at 0; if the feed was trimmed before,
// [Tx.Changes] then yields [ErrTrimmed].
func (tx *Tx) Follow(follower string) (mark uint64, err error) {
	mark, err = markBucket.Get(tx, Key(follower))
	if errors.Is(err, ErrNotFound) {
		return 0, markBucket.Put(tx, Key(follower), 0)
	}
	return mark, err
}

// Unfollow removes a follower and its mark, if present.
func (tx *Tx) Unfollow(follower string) error {
	return markBucket.Delete(tx, Key(follower))
}

// Mark returns the last sequence that a follower has processed. It is 0 for none and
// for an unregistered follower.
func (tx *Tx) Mark(follower string) (uint64, error) {
	mark, err := markBucket.Get(tx, Key(follower))
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	return mark, err
}

// SetMark records that a follower has processed everything up to seq, and registers it.
// A mark may also go back, to reread kept entries. A sequence beyond the feed's end is
// an error.
func (tx *Tx) SetMark(follower string, seq uint64) error {
	_, last, err := tx.FeedBounds()
	if err != nil {
		return err
	}
	if seq > last {
		return fmt.Errorf("marking %d for %s: the feed ends at %d", seq, follower, last)
	}
	return markBucket.Put(tx, Key(follower), seq)
}

// Marks returns the marks of all followers.
func (tx *Tx) Marks() (map[string]uint64, error) {
	marks := make(map[string]uint64)
	for e, err := range markBucket.Scan(tx, nil) {
		if err != nil {
			return nil, err
		}
		var follower string
		if err := Unpack(e.Key, &follower); err != nil {
			return nil, fmt.Errorf("reading marks: %w", err)
		}
		marks[follower] = e.Value
	}
	return marks, nil
}

// TrimFeed removes the entries that all followers have processed, at most 10,000 a
// call, and returns their number. Without followers it removes nothing. It does not
// change the numbering.
func (tx *Tx) TrimFeed() (removed int, err error) {
	marks, err := tx.Marks()
	if err != nil || len(marks) == 0 {
		return 0, err
	}
	passed := uint64(math.MaxUint64)
	for _, m := range marks {
		passed = min(passed, m)
	}
	for key, err := range feedBucket.Keys(tx, nil) {
		if err != nil {
			return removed, err
		}
		var seq uint64
		if err := Unpack(key, &seq); err != nil {
			return removed, fmt.Errorf("trimming the feed: %w: %v", ErrDamaged, err)
		}
		if seq > passed || removed == trimAtOnce {
			break
		}
		if err := feedBucket.Delete(tx, key); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}
