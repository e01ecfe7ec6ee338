package codec

import (
	"encoding/binary"
	"errors"
)

// Row is a deleted record as it was stored in its bucket.
type Row struct {
	Bucket     string
	Key, Value []byte
}

// Rows writes rows sequentially, each part preceded by its length. Known says which buckets
// there are.
type Rows struct{ Known func(bucket string) bool }

// Encode implements [kv.Codec].
func (Rows) Encode(rows []Row) ([]byte, error) {
	var b []byte
	for _, r := range rows {
		for _, part := range [...][]byte{[]byte(r.Bucket), r.Key, r.Value} {
			b = binary.AppendUvarint(b, uint64(len(part)))
			b = append(b, part...)
		}
	}
	return b, nil
}

// Decode returns rows that share b. Version 1 of this bucket had another layout.
func (c Rows) Decode(version uint8, b []byte) ([]Row, error) {
	if version < 2 {
		return nil, errors.New("an older program wrote this")
	}
	var rows []Row
	for len(b) > 0 {
		var parts [3][]byte
		for i := range parts {
			n, w := binary.Uvarint(b)
			if w <= 0 || n > uint64(len(b)-w) {
				return nil, ErrShort
			}
			parts[i], b = b[w:w+int(n)], b[w+int(n):]
		}
		if !c.Known(string(parts[0])) {
			return nil, errors.New("a deleted record is of an unknown kind")
		}
		rows = append(rows, Row{Bucket: string(parts[0]), Key: parts[1], Value: parts[2]})
	}
	return rows, nil
}
