package kv

import (
	"bytes"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Bucket is a typed view of one named bucket. It holds no data and no transaction.
// Create it once, as a package variable or a field, and use it from any goroutine. Its
// name must be listed in [Options.Buckets]; otherwise every method returns
// [ErrNoBucket].
type Bucket[T any] struct {
	name    string
	raw     []byte // name, in bbolt's type
	version uint8
	codec   Codec[T]
	fill    float64 // fill of a page after a split; 0 means half
}

// risingFill leaves a split page nearly full: with rising keys, nothing is inserted
// into it later (bbolt, Bucket.FillPercent).
const risingFill = 0.95

// NewBucket describes a bucket whose records are written in the given layout version.
// It panics on version 0 and on an empty name.
func NewBucket[T any](name string, version uint8, codec Codec[T]) Bucket[T] {
	if name == "" || version == 0 {
		panic(fmt.Sprintf("kv: bucket %q needs a name and a version above 0", name))
	}
	return Bucket[T]{name: name, raw: []byte(name), version: version, codec: codec}
}

// Codec returns the codec, for values that are moved as bytes.
func (b Bucket[T]) Codec() Codec[T] { return b.codec }

// Rising returns the bucket for keys that are mostly put in ascending order. Its pages
// are filled up instead of left half empty.
func (b Bucket[T]) Rising() Bucket[T] {
	b.fill = risingFill
	return b
}

// Name returns the name, for [Options.Buckets].
func (b Bucket[T]) Name() string { return b.name }

// Get returns the value under key. The error is [ErrNotFound], or a [*RecordError] if
// the record cannot be read. The caller owns the value.
func (b Bucket[T]) Get(tx *Tx, key []byte) (T, error) {
	var r rawRecord
	err := tx.access(b.raw, "reading", func(bb *bolt.Bucket) error {
		rec := bb.Get(key)
		if rec == nil {
			return ErrNotFound
		}
		r = copyRecord(b.name, key, rec)
		return nil
	})
	if err != nil {
		var zero T
		return zero, err
	}
	return b.decode(r)
}

// Has reports whether there is a record under key, readable or not.
func (b Bucket[T]) Has(tx *Tx, key []byte) (bool, error) {
	var has bool
	err := tx.access(b.raw, "reading", func(bb *bolt.Bucket) error {
		has = bb.Get(key) != nil
		return nil
	})
	return has, err
}

// Put stores v under key and replaces any previous record. The caller may reuse key.
func (b Bucket[T]) Put(tx *Tx, key []byte, v T) error {
	payload, err := b.codec.Encode(v)
	if err != nil {
		return fmt.Errorf("encoding record %s in %s: %w", keyString(key), b.name, err)
	}
	rec := appendRecord(make([]byte, 0, recordHeader+len(payload)), b.name, key, b.version, payload)
	return tx.change(b.raw, "writing", func(bb *bolt.Bucket) error {
		if b.fill > 0 {
			bb.FillPercent = b.fill
		}
		return bb.Put(key, rec)
	})
}

// Delete removes the record under key. It is a no-op if there is none. The bytes stay
// in free pages of the file until those are reused; [DB.Backup] does not copy them.
func (b Bucket[T]) Delete(tx *Tx, key []byte) error {
	return tx.change(b.raw, "deleting from", func(bb *bolt.Bucket) error {
		return bb.Delete(key)
	})
}

// DeletePrefix removes all records whose keys begin with prefix, readable or not, and
// returns their number. The empty prefix empties the bucket.
func (b Bucket[T]) DeletePrefix(tx *Tx, prefix []byte) (int, error) {
	n := 0
	for key, err := range b.Keys(tx, prefix) {
		if err != nil {
			return n, err
		}
		if err := b.Delete(tx, key); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// Count returns the number of records whose keys begin with prefix, readable or not. It
// visits each one.
func (b Bucket[T]) Count(tx *Tx, prefix []byte) (int, error) {
	n := 0
	err := tx.access(b.raw, "counting", func(bb *bolt.Bucket) error {
		c := bb.Cursor()
		for k, _ := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			n++
		}
		return nil
	})
	return n, err
}

// rawRecord is a record copied out of the mapped file.
type rawRecord struct {
	key     []byte
	version uint8
	payload []byte
	err     error // ErrChecksum
}

func copyRecord(bucket string, key, rec []byte) rawRecord {
	r := rawRecord{key: bytes.Clone(key)}
	var payload []byte
	r.version, payload, r.err = openRecord(bucket, key, rec)
	r.payload = append([]byte{}, payload...)
	return r
}

// decode runs outside of any guard, so a codec's panic reaches the caller.
func (b Bucket[T]) decode(r rawRecord) (v T, err error) {
	switch {
	case r.err != nil:
		err = r.err
	case r.version > b.version:
		err = fmt.Errorf("%w: version %d, known up to %d", ErrNewerRecord, r.version, b.version)
	default:
		v, err = b.codec.Decode(r.version, r.payload)
	}
	if err != nil {
		var zero T
		return zero, &RecordError{Bucket: b.name, Key: r.key, Err: err}
	}
	return v, nil
}
