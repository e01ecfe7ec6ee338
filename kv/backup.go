package kv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

const (
	copyTxBytes = 4 << 20 // bytes written in one transaction of a copy
	// copySyncs is the number of transactions between two syncs. The last sync of a
	// large copy cannot be interrupted, so it must not cover the whole copy.
	copySyncs = 8
)

// Backup writes a compact copy of the store to a new file at path, durably and with
// mode 0600. The copy holds no deleted records and none of their bytes. Unreadable
// records are copied unchanged. Other transactions run meanwhile; pages they free are
// reused only after the backup. On an error, or when ctx ends (its cause is returned),
// Backup removes its output. It never overwrites an existing file. progress may be nil.
func (db *DB) Backup(ctx context.Context, path string, progress Progress) error {
	_, err := os.Lstat(path)
	if err == nil {
		err = os.ErrExist
	}
	if errors.Is(err, os.ErrNotExist) {
		err = db.copyTo(ctx, path, path+newSuffix, progress)
	}
	if err != nil {
		return fmt.Errorf("backing up to %s: %w", path, err)
	}
	return nil
}

// copyTo is Backup, but it replaces an existing file. It writes to a temporary file
// first, whose name begins with tempName.
func (db *DB) copyTo(ctx context.Context, path, tempName string, progress Progress) error {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(tempName)+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // gone already when all went well
	if err := errors.Join(temp.Chmod(fileMode), temp.Close()); err != nil {
		return err
	}
	if err := db.copyInto(ctx, temp.Name(), progress); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func (db *DB) copyInto(ctx context.Context, path string, progress Progress) error {
	dst, err := openBolt(path)
	if err != nil {
		return err
	}
	dst.NoSync = true // synced once, at the end
	err = db.View(func(tx *Tx) error {
		c := copier{src: tx.btx, dst: dst}
		err := newSweep(tx, progress).run(ctx, c.put)
		if err != nil {
			return errors.Join(err, c.rollback())
		}
		return guard("copying", c.finish)
	})
	return errors.Join(err, dst.Sync(), dst.Close())
}

// copier writes records in key order, in transactions of bounded size, and fills pages
// completely.
type copier struct {
	src   *bolt.Tx // nil if sequence numbers are not copied
	dst   *bolt.DB
	tx    *bolt.Tx // open transaction, or nil
	bytes int
	txs   int // committed so far
}

func (c *copier) put(bucket string, k, v []byte) (err error) {
	if c.bytes > copyTxBytes {
		if err := c.commit(); err != nil {
			return err
		}
	}
	if err := c.begin(); err != nil {
		return err
	}
	b, err := c.bucket([]byte(bucket))
	if err != nil {
		return err
	}
	b.FillPercent = 1
	c.bytes += len(k) + len(v)
	return b.Put(k, v)
}

// begin starts a transaction unless one is open.
func (c *copier) begin() (err error) {
	if c.tx == nil {
		c.tx, err = c.dst.Begin(true)
	}
	return err
}

// has reports whether the copy holds a record under k.
func (c *copier) has(bucket string, k []byte) (bool, error) {
	if err := c.begin(); err != nil {
		return false, err
	}
	b := c.tx.Bucket([]byte(bucket))
	return b != nil && b.Get(k) != nil, nil
}

// bucket returns a bucket of the copy. A new bucket takes the source's sequence number.
func (c *copier) bucket(name []byte) (*bolt.Bucket, error) {
	if b := c.tx.Bucket(name); b != nil {
		return b, nil
	}
	b, err := c.tx.CreateBucket(name)
	if err != nil || c.src == nil {
		return b, err
	}
	return b, b.SetSequence(c.src.Bucket(name).Sequence())
}

func (c *copier) commit() error {
	tx := c.tx
	c.tx, c.bytes = nil, 0
	if tx == nil {
		return nil
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if c.txs++; c.txs%copySyncs == 0 {
		return c.dst.Sync()
	}
	return nil
}

// finish commits and creates the empty buckets.
func (c *copier) finish() (err error) {
	if err := errors.Join(c.commit(), c.begin()); err != nil {
		return err
	}
	err = c.src.ForEach(func(name []byte, _ *bolt.Bucket) error {
		_, err := c.bucket(name)
		return err
	})
	if err != nil {
		return errors.Join(err, c.rollback())
	}
	return c.commit()
}

func (c *copier) rollback() error {
	if c.tx == nil {
		return nil
	}
	tx := c.tx
	c.tx = nil
	return tx.Rollback()
}
