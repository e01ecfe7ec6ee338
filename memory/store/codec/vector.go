package codec

import (
	"encoding/binary"
	"math"
	"time"
)

// Vector is one vector of length 1 with its item.
type Vector struct {
	ItemID string
	Values []float32
}

// Vectors is the codec of a [Vector]: the item's id preceded by its length, and the values as float32,
// little-endian. The enclosing record has the checksum.
type Vectors struct{}

// Encode implements [memoria/kv.Codec].
func (Vectors) Encode(v Vector) ([]byte, error) {
	b := make([]byte, 0, binary.MaxVarintLen64+len(v.ItemID)+4*len(v.Values))
	b = binary.AppendUvarint(b, uint64(len(v.ItemID)))
	b = append(b, v.ItemID...)
	for _, x := range v.Values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b, nil
}

// Decode implements [memoria/kv.Codec].
func (Vectors) Decode(_ uint8, b []byte) (Vector, error) {
	n, w := binary.Uvarint(b)
	if w <= 0 || n > uint64(len(b)-w) {
		return Vector{}, ErrShort
	}
	v := Vector{ItemID: string(b[w : w+int(n)])}
	b = b[w+int(n):]
	if len(b)%4 != 0 {
		return Vector{}, ErrShort
	}
	v.Values = make([]float32, len(b)/4)
	for i := range v.Values {
		v.Values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v, nil
}

// VectorID identifies an item's vector and its source. It holds no words.
type VectorID struct {
	// Number is the vector's number. 0 means that the model refused the item's words,
	// and is not asked again for the same words.
	Number uint64
	// Hash is the hash of the vector's source words.
	Hash uint64
	// Model identifies the model and the form of the request.
	Model string
}

// VectorSet describes all vectors of an agent.
type VectorSet struct {
	// Model is the target model of all vectors, as in [VectorID].
	Model string `json:"model"`
	// Name is that model's display name.
	Name string `json:"name"`
	// Dimension is the length of its vectors; 0 before the first one.
	Dimension int `json:"dimension"`
	// Scale is the model's measured scale, encoded by the caller; empty if not
	// measured.
	Scale []byte `json:"scale,omitempty"`
	// Since is when the model became the target.
	Since time.Time `json:"since"`
}

// VectorIDs is the codec of a [VectorID]: two numbers and the model's name.
type VectorIDs struct{}

// Encode implements [memoria/kv.Codec].
func (VectorIDs) Encode(v VectorID) ([]byte, error) {
	b := binary.BigEndian.AppendUint64(nil, v.Number)
	b = binary.BigEndian.AppendUint64(b, v.Hash)
	return append(b, v.Model...), nil
}

// Decode implements [memoria/kv.Codec].
func (VectorIDs) Decode(_ uint8, b []byte) (VectorID, error) {
	if len(b) < 16 {
		return VectorID{}, ErrShort
	}
	return VectorID{
		Number: binary.BigEndian.Uint64(b), Hash: binary.BigEndian.Uint64(b[8:]), Model: string(b[16:]),
	}, nil
}
