package store

import (
	"memoria/kv"
	"memoria/memory/store/codec"
)

// reader reads a bucket for [Tx.Values].
type reader struct {
	name   string
	decode func(b []byte) (any, error)
	scan   func(tx *Tx, visit func(key []byte, value any)) error
}

var readers []reader

func read[T any](b kv.Bucket[T]) {
	readers = append(readers, reader{
		name:   b.Name(),
		decode: func(p []byte) (any, error) { return b.Codec().Decode(1, p) },
		scan: func(tx *Tx, visit func([]byte, any)) error {
			for e, err := range b.Scan(tx.kv, nil) {
				switch {
				case err == nil:
					visit(e.Key, e.Value)
				case Unreadable(err):
					visit(e.Key, nil)
				default:
					return err
				}
			}
			return nil
		},
	})
}

// Values calls visit with every record, decoded, also with those in the trash. The value of
// an unreadable record is nil.
func (tx *Tx) Values(visit func(bucket string, key []byte, value any)) error {
	for _, r := range readers {
		err := r.scan(tx, func(key []byte, value any) {
			rows, ok := value.([]codec.Row)
			if !ok {
				visit(r.name, key, value)
			}
			for _, row := range rows {
				var value any
				for _, r := range readers {
					if r.name == row.Bucket {
						value, _ = r.decode(row.Value)
					}
				}
				visit(r.name, row.Key, value)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
