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
	// Decode reads a payload of the given layout version, which is never above the
	// bucket's. The codec may keep data.
	Decode(version uint8, data []byte) (T, error)
}

// JSON is the codec of encoding/json. It reads all versions alike: new fields are zero
// in old records, removed fields are ignored.
func JSON[T any]() Codec[T] { return jsonCodec[T]{} }

type jsonCodec[T any] struct{}

func (jsonCodec[T]) Encode(v T) ([]byte, error) { return json.Marshal(v) }

func (jsonCodec[T]) Decode(_ uint8, data []byte) (T, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, err
}

// Bytes is the identity codec of byte slices.
func Bytes() Codec[[]byte] { return bytesCodec{} }

type bytesCodec struct{}

func (bytesCodec) Encode(v []byte) ([]byte, error)          { return v, nil }
func (bytesCodec) Decode(_ uint8, d []byte) ([]byte, error) { return d, nil }

// tupleCodec stores a value as a [Key] of one part.
type tupleCodec[T uint64 | time.Time] struct{}

func (tupleCodec[T]) Encode(v T) ([]byte, error) { return Key(v), nil }

func (tupleCodec[T]) Decode(_ uint8, data []byte) (v T, err error) {
	err = Unpack(data, &v)
	return v, err
}
