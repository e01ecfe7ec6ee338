package store

import (
	"errors"

	"memoria/kv"
	"memoria/memory/store/codec"
)

// raw returns a bucket for moving records as bytes.
func raw[T any](b kv.Bucket[T]) kv.Bucket[[]byte] { return kv.NewBucket(b.Name(), 1, kv.Bytes()) }

// binSize is the approximate size of one trash record. A deletion consists of a few
// large records, which are much cheaper to write and delete than one for each row.
const binSize = 128 << 10

// bin collects the rows of a deletion.
type bin struct {
	tx       *Tx
	agent    string
	deletion string
	count    uint64
	rows     []codec.Row
	size     int
	lists    JournalLists // of the journal, loaded on demand
	quoted   []quotation  // the source words of its items
}

// take moves the row under key into the bin and returns its bytes. An unreadable row is
// deleted, since restoring it would be useless.
func (b *bin) take(bucket kv.Bucket[[]byte], key []byte) ([]byte, error) {
	v, err := bucket.Get(b.tx.kv, key)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, err
	case err != nil && !b.tx.skip(err):
		return nil, err
	}
	if derr := bucket.Delete(b.tx.kv, key); derr != nil {
		return nil, derr
	}
	if err != nil {
		return nil, err
	}
	b.rows = append(b.rows, codec.Row{Bucket: bucket.Name(), Key: key, Value: v})
	if b.size += len(key) + len(v); b.size >= binSize {
		return v, b.flush()
	}
	return v, nil
}

// takeAll moves every row under a prefix and calls each for the readable ones. It
// returns the number of rows, readable or not.
func (b *bin) takeAll(bucket kv.Bucket[[]byte], prefix []byte, each func(key, value []byte) error) (n int, err error) {
	keys, err := b.tx.keys(bucket, prefix)
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		v, err := b.take(bucket, key)
		if Unreadable(err) {
			continue
		}
		if err == nil && each != nil {
			err = each(key, v)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(keys), nil
}

func (b *bin) flush() error {
	if len(b.rows) == 0 {
		return nil
	}
	b.count++
	err := trash.Put(b.tx.kv, kv.Key(b.agent, b.deletion, b.count), b.rows)
	b.rows, b.size = nil, 0
	return err
}

// keys returns the keys under a prefix, so that their rows can be changed.
func (tx *Tx) keys(bucket kv.Bucket[[]byte], prefix []byte) ([][]byte, error) {
	return first(0, bucket.Keys(tx.kv, prefix))
}
