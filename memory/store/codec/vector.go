package codec

import (
	"encoding/binary"
	"math"
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
