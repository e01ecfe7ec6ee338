package kv

import (
	"bytes"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// Entry is one record of a scan. Both fields are the caller's.
type Entry[T any] struct {
	Key   []byte
	Value T
}

// Scan yields the records whose keys begin with prefix, in key order; the empty
// prefix means all. A record that cannot be read is yielded with its Key and a
// [*RecordError], and the scan goes on. Any other error is the last thing
// yielded. The bucket may be changed during the scan: what is put or deleted
// ahead of it is seen or not seen accordingly.
func (b Bucket[T]) Scan(tx *Tx, prefix []byte) iter.Seq2[Entry[T], error] {
	return b.entries(tx, walk{prefix: prefix, start: prefix})
}

// ScanFrom is [Bucket.Scan] beginning with the first key that is not less than
// from.
func (b Bucket[T]) ScanFrom(tx *Tx, prefix, from []byte) iter.Seq2[Entry[T], error] {
	if bytes.Compare(from, prefix) < 0 {
		from = prefix
	}
	return b.entries(tx, walk{prefix: prefix, start: from})
}

// ScanReverse is [Bucket.Scan] from the last key to the first.
func (b Bucket[T]) ScanReverse(tx *Tx, prefix []byte) iter.Seq2[Entry[T], error] {
	return b.entries(tx, walk{prefix: prefix, start: prefixEnd(prefix), reverse: true})
}

// ScanBefore is [Bucket.ScanReverse] beginning with the last key that is less
// than before.
func (b Bucket[T]) ScanBefore(tx *Tx, prefix, before []byte) iter.Seq2[Entry[T], error] {
	if end := prefixEnd(prefix); end != nil && bytes.Compare(before, end) > 0 {
		before = end
	}
	return b.entries(tx, walk{prefix: prefix, start: before, reverse: true, bounded: true})
}

// Keys yields the keys that begin with prefix, in order, without looking at the
// records. An error is the last thing yielded.
func (b Bucket[T]) Keys(tx *Tx, prefix []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		w := walk{prefix: prefix, start: prefix, keysOnly: true}
		for r, err := range w.records(tx, b.name, b.raw) {
			if !yield(r.key, err) {
				return
			}
		}
	}
}

func (b Bucket[T]) entries(tx *Tx, w walk) iter.Seq2[Entry[T], error] {
	return func(yield func(Entry[T], error) bool) {
		for r, err := range w.records(tx, b.name, b.raw) {
			if err != nil {
				yield(Entry[T]{}, err)
				return
			}
			v, err := b.decode(r)
			if !yield(Entry[T]{Key: r.key, Value: v}, err) {
				return
			}
		}
	}
}

// prefixEnd returns the smallest key greater than all that begin with prefix,
// or nil when there is none.
func prefixEnd(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xFF {
			end := bytes.Clone(prefix[:i+1])
			end[i]++
			return end
		}
	}
	return nil
}

// walk describes a pass over the keys of a bucket that begin with prefix:
// upwards from start, or downwards from the last key below start.
type walk struct {
	prefix   []byte
	start    []byte
	reverse  bool
	bounded  bool // reverse only: an empty start is below all keys, not above
	keysOnly bool
}

// scanAhead bounds how many records are copied in one guarded step. A scan
// begins with one and doubles, so that a short one copies little too much.
const scanAhead = 64

// records yields copies. Only the steps themselves run guarded, not the
// consumer.
func (w walk) records(tx *Tx, name string, raw []byte) iter.Seq2[rawRecord, error] {
	return func(yield func(rawRecord, error) bool) {
		s := stepper{walk: w, tx: tx, bucket: name}
		for size := 1; !s.done; size = min(2*size, scanAhead) {
			s.batch = s.batch[:0]
			if tx.btx != nil && tx.btx.Writable() {
				size = 1 // the consumer may change what comes next
			}
			err := tx.access(raw, "scanning", func(b *bolt.Bucket) error {
				for range size {
					s.step(b)
				}
				return nil
			})
			for _, r := range s.batch {
				if !yield(r, nil) {
					return
				}
			}
			if err != nil {
				yield(rawRecord{}, err)
				return
			}
		}
	}
}

// stepper is a walk under way.
type stepper struct {
	walk
	tx     *Tx
	bucket string
	cursor *bolt.Cursor
	writes int // tx.writes when cursor was made: a write makes it stale
	last   []byte
	done   bool
	batch  []rawRecord
}

// step adds the next record to the batch, or sets done.
func (s *stepper) step(b *bolt.Bucket) {
	if s.done {
		return
	}
	var k, v []byte
	switch {
	case s.cursor == nil:
		s.cursor, s.writes = b.Cursor(), s.tx.writes
		k, v = s.first(s.cursor)
	case s.writes != s.tx.writes, s.reverse && b.Writable():
		s.cursor, s.writes = b.Cursor(), s.tx.writes
		k, v = s.behind(s.cursor, s.last)
	case s.reverse:
		k, v = s.cursor.Prev()
	default:
		k, v = s.cursor.Next()
	}
	if k == nil || !bytes.HasPrefix(k, s.prefix) {
		s.done = true
		return
	}
	r := rawRecord{key: bytes.Clone(k)}
	if !s.keysOnly {
		r = copyRecord(s.bucket, k, v)
	}
	s.last = r.key
	s.batch = append(s.batch, r)
}

func (w walk) first(c *bolt.Cursor) (k, v []byte) {
	switch {
	case !w.reverse:
		return c.Seek(w.start)
	case len(w.start) > 0:
		return below(c, w.start)
	case w.bounded:
		return nil, nil
	}
	if k, _ := c.First(); k == nil {
		return nil, nil // see below
	}
	return c.Last()
}

// behind finds the key that follows last in the direction of the walk, whether
// last is still there or not.
func (w walk) behind(c *bolt.Cursor, last []byte) (k, v []byte) {
	if w.reverse {
		return below(c, last)
	}
	return c.Seek(After(last))
}

// below moves to the greatest key that is less than key. Deleting leaves empty
// pages until the commit; bbolt's Prev answers nil on each of them, and its
// Last never returns when there are only such. So it is asked first, with First,
// which passes over them, whether there is something to find.
func below(c *bolt.Cursor, key []byte) (k, v []byte) {
	if k, _ := c.First(); k == nil || bytes.Compare(k, key) >= 0 {
		return nil, nil
	}
	if k, _ := c.Seek(key); k == nil {
		return c.Last()
	}
	for k == nil {
		k, v = c.Prev()
	}
	return k, v
}
