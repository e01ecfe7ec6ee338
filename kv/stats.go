package kv

import (
	"strings"

	bolt "go.etcd.io/bbolt"
)

// Stats describes a store at one moment.
type Stats struct {
	FileBytes int64             // size of the file
	FreeBytes int64             // part in unused pages; may hold deleted text
	Buckets   []BucketStats     // by name, without those of this package
	Oldest    uint64            // first sequence still in the feed
	Last      uint64            // last sequence of the feed
	Marks     map[string]uint64 // by follower
}

// BucketStats describes one bucket.
type BucketStats struct {
	Name    string
	Records int
	Bytes   int64 // of keys and records, with their share of page headers
}

// Stats describes the current store. It walks all pages.
func (db *DB) Stats() (Stats, error) {
	var s Stats
	err := db.View(func(tx *Tx) (err error) {
		s.FileBytes = tx.btx.Size()
		s.FreeBytes = int64(db.bolt.Stats().FreeAlloc)
		if s.Buckets, err = bucketStats(tx); err != nil {
			return err
		}
		if s.Oldest, s.Last, err = tx.FeedBounds(); err != nil {
			return err
		}
		s.Marks, err = tx.Marks()
		return err
	})
	return s, err
}

func bucketStats(tx *Tx) (all []BucketStats, err error) {
	err = guard("counting buckets", func() error {
		return tx.btx.ForEach(func(name []byte, b *bolt.Bucket) error {
			if strings.HasPrefix(string(name), ownPrefix) {
				return nil
			}
			s := b.Stats()
			all = append(all, BucketStats{
				Name:    string(name),
				Records: s.KeyN,
				Bytes:   int64(s.LeafInuse + s.InlineBucketInuse),
			})
			return nil
		})
	})
	return all, err
}
