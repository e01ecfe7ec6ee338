package codec

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Packed compresses JSON (RFC 1951) with a dictionary of the repeated content of its
// kind, mostly names. A turn's package is mostly names, and takes about a fifth of its JSON. A
// value begins with packedMark. Plain JSON from earlier programs begins with a brace and is
// read too.
//
// People's words are not packed, so that a text search of the file finds them: a package
// has only references, and [recordCodec] leaves a message's words unpacked.
type Packed[T any] struct {
	dictionary []byte
	writers    sync.Pool // of *flate.Writer
	readers    sync.Pool // of io.ReadCloser that are flate.Resetters
}

// packedMark is the layout of a packed value. A new dictionary needs a new mark.
const packedMark = 1

// maxUnpacked bounds the unpacked size of a value, in bytes. Real values are far
// smaller; damage must not exhaust the memory.
const maxUnpacked = 64 << 20

// NewPacked returns the codec with a dictionary.
func NewPacked[T any](dictionary string) *Packed[T] {
	return &Packed[T]{dictionary: []byte(dictionary)}
}

// Encode implements [memoria/kv.Codec].
func (c *Packed[T]) Encode(v T) ([]byte, error) {
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return c.pack([]byte{packedMark}, plain)
}

// pack appends plain to dst.
func (c *Packed[T]) pack(dst, plain []byte) (packed []byte, err error) {
	b := bytes.NewBuffer(dst)
	w, ok := c.writers.Get().(*flate.Writer)
	if ok {
		w.Reset(b) // keeps the dictionary
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

// Decode implements [memoria/kv.Codec].
func (c *Packed[T]) Decode(_ uint8, data []byte) (v T, err error) {
	if len(data) > 0 && data[0] == packedMark {
		if data, err = c.unpack(data[1:]); err != nil {
			return v, fmt.Errorf("unpacking: %w", err)
		}
	}
	err = json.Unmarshal(data, &v)
	return v, err
}

func (c *Packed[T]) unpack(data []byte) ([]byte, error) {
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
