package kv

import (
	"bytes"
	"context"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Progress receives the progress of a long operation, in bytes of the store. total is
// an estimate; in the last call done equals total. It is called inside a transaction
// and must return quickly.
type Progress func(done, total int64)

// sweepStep is the number of records between two checks of the context.
const sweepStep = 1000

// sweep visits every record of every bucket, in order of bucket and key.
type sweep struct {
	tx       *Tx
	progress Progress
	done     int64
	total    int64
}

func newSweep(tx *Tx, progress Progress) *sweep {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	return &sweep{tx: tx, progress: progress, total: tx.btx.Size()}
}

// run calls record for each record, guarded. The arguments are valid until the
// transaction ends. It stops at the first error, or with the context's cause.
func (s *sweep) run(ctx context.Context, record func(bucket string, k, v []byte) error) error {
	var names []string
	err := guard("listing buckets", func() error {
		return s.tx.btx.ForEach(func(name []byte, _ *bolt.Bucket) error {
			names = append(names, string(name))
			return nil
		})
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.bucket(ctx, name, record); err != nil {
			return err
		}
	}
	s.progress(s.total, s.total)
	return nil
}

func (s *sweep) bucket(ctx context.Context, name string, record func(bucket string, k, v []byte) error) error {
	var (
		cursor *bolt.Cursor
		last   []byte
	)
	for more := true; more; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err := s.tx.access([]byte(name), "reading", func(b *bolt.Bucket) error {
			var k, v []byte
			if cursor == nil {
				cursor = b.Cursor()
				k, v = cursor.First()
			} else {
				k, v = cursor.Next()
			}
			for n := 1; k != nil; n++ {
				// Damaged pages can form a cycle.
				if last != nil && bytes.Compare(k, last) <= 0 {
					return fmt.Errorf("%w: keys of %s are out of order", ErrDamaged, name)
				}
				last = k
				s.done += int64(len(k) + len(v))
				if err := record(name, k, v); err != nil || n == sweepStep {
					return err
				}
				k, v = cursor.Next()
			}
			more = false
			return nil
		})
		if err != nil {
			return err
		}
		s.progress(min(s.done, s.total), s.total)
	}
	return nil
}
