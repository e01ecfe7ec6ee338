package kv

import (
	"bytes"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// Entry is one record of a scan. The caller owns both fields.
type Entry[T any] struct {
	Key   []byte
	Value T
}

// Scan yields the records whose keys begin with prefix, in key order. The empty prefix
// means all. For an unreadable record it yields the Key and a [*RecordError] and
// continues. It ends after any other error. The bucket may be changed during the scan:
// the scan sees changes ahead of its position.
func (b Bucket[T]) Scan(tx *Tx, prefix []byte) iter.Seq2[Entry[T], error] {
	return b.entries(tx, walk{prefix: prefix, start: prefix})
}

// ScanFrom is [Bucket.Scan] starting at the first key not less than from.
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

// ScanBefore is [Bucket.ScanReverse] starting at the last key less than before.
func (b Bucket[T]) ScanBefore(tx *Tx, prefix, before []byte) iter.Seq2[Entry[T], error] {
	if end := prefixEnd(prefix); end != nil && bytes.Compare(before, end) > 0 {
		before = end
	}
	return b.entries(tx, walk{prefix: prefix, start: before, reverse: true, bounded: true})
}

// Keys yields the keys that begin with prefix, in order, without reading the records.
// It ends after an error.
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

// prefixEnd returns the smallest key greater than all that begin with prefix, or nil if
// there is none.
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

// scanAhead bounds the records copied in one guarded step. A scan begins with one and
// doubles, so that a short scan copies few extra records.
const scanAhead = 64

// records yields copies. Only the steps run guarded, not the consumer.
func (w walk) records(tx *Tx, name string, raw []byte) iter.Seq2[rawRecord, error] {
	return func(yield func(rawRecord, error) bool) {
		s := stepper{walk: w, tx: tx, bucket: name}
		for size := 1; !s.done; size = min(2*size, scanAhead) {
			s.batch = s.batch[:0]
			if tx.btx != nil && tx.btx.Writable() {
				size = 1 // the consumer may change the next record
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

// stepper is a walk in progress.
type stepper struct {
	walk
	tx     *Tx
	bucket string
	cursor *bolt.Cursor
	writes int // tx.writes when cursor was created: a write makes it stale
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

// behind returns the first entry after last in the direction of the walk; last may be gone.
func (w walk) behind(c *bolt.Cursor, last []byte) (k, v []byte) {
	if w.reverse {
		return below(c, last)
	}
	return c.Seek(After(last))
}

// below moves to the greatest key less than key. Deleting leaves empty pages until the
// commit. On each of them bbolt's Prev returns nil, and if all are empty its Last never
// returns. So below first asks First, which skips empty pages, whether there is any
// key.
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
