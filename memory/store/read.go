package store

import (
	"errors"
	"iter"

	"memoria/kv"
)

// readable yields the elements of a scan. It logs and skips unreadable ones, and ends
// after any other error.
func readable[T any](tx *Tx, scan iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, err := range scan {
			if err != nil && tx.skip(err) {
				continue
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// mapped yields the result of f for each element of a scan, and passes errors on.
func mapped[T, U any](scan iter.Seq2[T, error], f func(T) (U, error)) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for v, err := range scan {
			var out U
			if err == nil {
				out, err = f(v)
			}
			if !yield(out, err) || err != nil && !Unreadable(err) {
				return
			}
		}
	}
}

// eachRow calls do with the readable rows under a prefix. do may change the row.
func eachRow[T any](tx *Tx, bucket kv.Bucket[T], prefix []byte, do func(key []byte, v T) error) error {
	for e, err := range readable(tx, bucket.Scan(tx.kv, prefix)) {
		if err == nil {
			err = do(e.Key, e.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// values yields the readable values of a scan.
func values[T any](tx *Tx, scan iter.Seq2[kv.Entry[T], error]) iter.Seq2[T, error] {
	return readable(tx, mapped(scan, func(e kv.Entry[T]) (T, error) { return e.Value, nil }))
}

// collect returns the readable values under a prefix.
func collect[T any](tx *Tx, b kv.Bucket[T], prefix []byte) ([]T, error) {
	return first(0, values(tx, b.Scan(tx.kv, prefix)))
}

// first returns at most n elements; 0 means all.
func first[T any](n int, all iter.Seq2[T, error]) (out []T, err error) {
	if n > 0 {
		out = make([]T, 0, n)
	}
	for v, err := range all {
		if err != nil {
			return nil, err
		}
		if out = append(out, v); len(out) == n {
			break
		}
	}
	return out, nil
}

// orZero replaces [ErrNotFound] by the zero value.
func orZero[T any](v T, err error) (T, error) {
	if errors.Is(err, ErrNotFound) {
		var zero T
		return zero, nil
	}
	return v, err
}
