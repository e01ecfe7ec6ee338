package kv

import (
	"encoding/json"
	"time"
)

// Codec turns values of type T into bytes and back. It must be safe for
// concurrent use.
type Codec[T any] interface {
	// Encode returns the payload of v in the newest layout.
	Encode(v T) ([]byte, error)
	// Decode reads a payload that was written in the given version of the
	// layout, which is never above the bucket's. The codec may keep data.
	Decode(version uint8, data []byte) (T, error)
}

// JSON is the codec of encoding/json. It reads all versions alike: fields that
// are new are zero in old records, fields that are gone are ignored.
func JSON[T any]() Codec[T] { return jsonCodec[T]{} }

type jsonCodec[T any] struct{}

func (jsonCodec[T]) Encode(v T) ([]byte, error) { return json.Marshal(v) }

func (jsonCodec[T]) Decode(_ uint8, data []byte) (T, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, err
}

// Bytes is the codec of byte slices as they are.
func Bytes() Codec[[]byte] { return bytesCodec{} }

type bytesCodec struct{}

func (bytesCodec) Encode(v []byte) ([]byte, error)          { return v, nil }
func (bytesCodec) Decode(_ uint8, d []byte) ([]byte, error) { return d, nil }

// tupleCodec stores a value of one of [Key]'s types as a tuple of one part.
type tupleCodec[T uint64 | time.Time] struct{}

func (tupleCodec[T]) Encode(v T) ([]byte, error) { return Key(v), nil }

func (tupleCodec[T]) Decode(_ uint8, data []byte) (v T, err error) {
	err = Unpack(data, &v)
	return v, err
}
