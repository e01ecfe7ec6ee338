package codec

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"memoria/memory"
)

// recordCodec packs a message's fields except its words, and stores its words and the
// model's reasoning unpacked: packedMark, three lengths as varints, the parts.
type recordCodec struct{ rest *Packed[memory.Record] }

// Record is the codec of a message.
var Record = recordCodec{NewPacked[memory.Record](RecordNames)}

// Encode implements [memoria/kv.Codec].
func (c recordCodec) Encode(r memory.Record) ([]byte, error) {
	words, thought := r.Content, ""
	r.Content = ""
	if r.Reasoning != nil {
		thought = r.Reasoning.Text
		r.Reasoning = &memory.Reasoning{Took: r.Reasoning.Took}
	}
	plain, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	rest, err := c.rest.pack(nil, plain)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, 1+3*binary.MaxVarintLen32+len(rest)+len(words)+len(thought))
	b = append(b, packedMark)
	for _, n := range []int{len(rest), len(words), len(thought)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(b, rest...)
	b = append(b, words...)
	return append(b, thought...), nil
}

// Decode implements [memoria/kv.Codec].
func (c recordCodec) Decode(_ uint8, data []byte) (r memory.Record, err error) {
	if len(data) == 0 || data[0] != packedMark {
		err = json.Unmarshal(data, &r)
		return r, err
	}
	parts, err := split(data[1:], 3)
	if err != nil {
		return r, err
	}
	plain, err := c.rest.unpack(parts[0])
	if err != nil {
		return r, fmt.Errorf("unpacking: %w", err)
	}
	if err := json.Unmarshal(plain, &r); err != nil {
		return r, err
	}
	r.Content = string(parts[1])
	if r.Reasoning != nil {
		r.Reasoning.Text = string(parts[2])
	}
	return r, nil
}

// split returns n parts preceded by their lengths.
func split(b []byte, n int) (parts [][]byte, err error) {
	lengths := make([]uint64, n)
	for i := range lengths {
		v, w := binary.Uvarint(b)
		if w <= 0 {
			return nil, ErrShort
		}
		lengths[i], b = v, b[w:]
	}
	for _, size := range lengths {
		if size > uint64(len(b)) {
			return nil, ErrShort
		}
		parts, b = append(parts, b[:size]), b[size:]
	}
	if len(b) > 0 {
		return nil, errors.New("record is too long")
	}
	return parts, nil
}

// DecodeRecord decodes a message's value.
func DecodeRecord(value []byte) (memory.Record, error) { return Record.Decode(1, value) }
