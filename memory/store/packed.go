package store

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"memoria/kv"
)

// packedCodec writes JSON compressed (RFC 1951) against a dictionary of what every value of
// its kind repeats: its names, above all. A package of a turn is mostly names, and takes
// about a fifth of its JSON. A value begins with packedMark; JSON as earlier programs wrote it
// begins with a brace and is read as it is.
//
// Nothing that anybody wrote is packed, so that looking for a word in the file finds it: a
// package leads to words and holds none, and [recordCodec] leaves a message's as they are.
type packedCodec[T any] struct {
	dictionary []byte
	writers    sync.Pool // of *flate.Writer
	readers    sync.Pool // of io.ReadCloser that are flate.Resetters
}

// packedMark is the layout of a packed value. Another dictionary needs another mark.
const packedMark = 1

// maxUnpacked bounds what a value may unpack to, in bytes: the largest that was ever
// written is far below it, and damage must not fill the memory.
const maxUnpacked = 64 << 20

func newPacked[T any](dictionary string) *packedCodec[T] {
	return &packedCodec[T]{dictionary: []byte(dictionary)}
}

// Encode implements [kv.Codec].
func (c *packedCodec[T]) Encode(v T) ([]byte, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return c.pack([]byte{packedMark}, plain)
}

// pack appends plain to dst.
func (c *packedCodec[T]) pack(dst, plain []byte) (packed []byte, err error) {
	b := bytes.NewBuffer(dst)
	w, ok := c.writers.Get().(*flate.Writer)
	if ok {
		w.Reset(b) // which keeps the dictionary
	} else if w, err = flate.NewWriterDict(b, flate.DefaultCompression, c.dictionary); err != nil {
		return nil, err
	}
	defer c.writers.Put(w)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Decode implements [kv.Codec].
func (c *packedCodec[T]) Decode(_ uint8, data []byte) (v T, err error) {
	if len(data) > 0 && data[0] == packedMark {
		if data, err = c.unpack(data[1:]); err != nil {
			return v, fmt.Errorf("unpacking: %w", err)
		}
	}
	err = json.Unmarshal(data, &v)
	return v, err
}

func (c *packedCodec[T]) unpack(data []byte) ([]byte, error) {
	from := bytes.NewReader(data)
	r, ok := c.readers.Get().(io.ReadCloser)
	if !ok {
		r = flate.NewReaderDict(from, c.dictionary)
	} else if err := r.(flate.Resetter).Reset(from, c.dictionary); err != nil {
		return nil, err
	}
	defer c.readers.Put(r)
	plain, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
	if err == nil && len(plain) > maxUnpacked {
		err = fmt.Errorf("it is over %d bytes", maxUnpacked)
	}
	return plain, err
}

// repack writes every value of a bucket anew, as the codec writes it today. What cannot be
// read is kept as it is.
func repack[T any](tx *Tx, bucket kv.Bucket[T]) error {
	keys, err := tx.keys(raw(bucket), nil)
	if err != nil {
		return err
	}
	for _, key := range keys {
		v, err := bucket.Get(tx.kv, key)
		if Unreadable(err) {
			continue
		}
		if err == nil {
			err = bucket.Put(tx.kv, key, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
