package kv

import (
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// clockHold is how far the clock may stand before the last commit and still be
// taken for a clock that was corrected (see "Time" in the package comment).
const clockHold = 2 * time.Minute

// Tx is a transaction. It belongs to the goroutine that runs its function.
type Tx struct {
	db       *DB
	btx      *bolt.Tx // nil when the transaction is over
	now      time.Time
	writes   int  // changes so far; scans look whether it moved
	appended bool // something was added to the feed
	fault    error
	onCommit []func()
}

// Now returns the one time of the transaction, in UTC, without a monotonic
// reading. In one store it does not run backwards, except after a clock that
// was more than two minutes ahead (see "Time" in the package comment).
func (tx *Tx) Now() time.Time { return tx.now }

// OnCommit has fn run after the transaction is durable, in order, on the same
// goroutine, when other transactions are free to begin. It does not run when
// the transaction fails, nor in a [DB.View]; it does when there was nothing to write.
func (tx *Tx) OnCommit(fn func()) { tx.onCommit = append(tx.onCommit, fn) }

// View runs fn in a read-only transaction over the last commit. It neither
// waits for a writer nor stops one. What fn returns is returned.
func (db *DB) View(fn func(*Tx) error) error {
	tx, err := db.begin(false)
	if err != nil {
		return err
	}
	defer func() { _ = tx.end() }()
	return fn(tx)
}

// Update runs fn in a read-write transaction, of which there is one at a time,
// and makes it durable. When Update returns nil, everything fn wrote is on the
// disk. When fn returns an error or panics, nothing is written and the error or
// panic is passed on; likewise when writing to the disk fails, after which the
// store can be used further. fn that writes nothing costs no disk access.
//
// Calling View or Update inside fn is a mistake; the latter never returns.
func (db *DB) Update(fn func(*Tx) error) error {
	if err := db.mayWrite(); err != nil {
		return err
	}
	tx, err := db.begin(true)
	if err != nil {
		return err
	}
	if err := tx.run(fn); err != nil {
		return err
	}
	if tx.writes > 0 {
		last := tx.now
		db.last.Store(&last)
	}
	if tx.appended {
		db.watchers.wake()
	}
	for _, f := range tx.onCommit {
		f()
	}
	return nil
}

// run commits what fn wrote, or rolls it back, also when fn panics.
func (tx *Tx) run(fn func(*Tx) error) (err error) {
	defer func() {
		if tx.btx == nil {
			return
		}
		if endErr := tx.end(); endErr != nil {
			err = errors.Join(err, endErr)
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if tx.fault != nil {
		// fn may have swallowed it; what was built on damaged pages is not kept.
		return fmt.Errorf("committing: %w", tx.fault)
	}
	if tx.writes == 0 {
		return nil
	}
	if err := clockBucket.Put(tx, clockKey, tx.now); err != nil {
		return err
	}
	if err := tx.db.attached(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	if err := guard("committing", tx.btx.Commit); err != nil {
		return fmt.Errorf("committing: %w", translate(err))
	}
	tx.btx = nil
	return nil
}

// Probe writes the smallest transaction there is, to find out whether the disk
// takes writes again.
func (db *DB) Probe() error {
	return db.Update(func(tx *Tx) error {
		tx.writes++ // the time of the commit is what is written
		return nil
	})
}

// attached refuses to write into a file that is not at its path any more: what
// would be acknowledged then is gone when the store is closed.
func (db *DB) attached() error {
	if db.file == nil {
		return nil // it is being created, or is a copy
	}
	now, err := os.Stat(db.opts.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%w: %s is not there", ErrGone, db.opts.Path)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrGone, err)
	case !os.SameFile(now, db.file):
		return fmt.Errorf("%w: another file is at %s", ErrGone, db.opts.Path)
	}
	return nil
}

func (db *DB) begin(writable bool) (*Tx, error) {
	tx := &Tx{db: db}
	err := guard("beginning a transaction", func() (err error) {
		tx.btx, err = db.bolt.Begin(writable)
		return err
	})
	if err != nil {
		return nil, translate(err)
	}
	timed := false
	defer func() {
		if !timed { // the clock panicked, which is its owner's business; the lock is not
			_ = tx.end()
		}
	}()
	// Read after the lock was gained, so that times are in the order of commits.
	tx.now = db.frozen()
	timed = true
	return tx, nil
}

// frozen is the time of a transaction that begins now.
func (db *DB) frozen() time.Time {
	now := db.opts.Now().UTC().Round(0)
	if last := db.last.Load(); last != nil && now.Before(*last) && last.Sub(now) <= clockHold {
		return *last
	}
	return now
}

// end rolls back what was not committed and releases the locks.
func (tx *Tx) end() error {
	btx := tx.btx
	tx.btx = nil
	return guard("rolling back", func() error {
		if err := btx.Rollback(); err != nil && !errors.Is(err, bolterrors.ErrTxClosed) {
			return translate(err)
		}
		return nil
	})
}

// access runs fn with a bucket, guarded. Its own errors say what was done to
// which bucket; those of fn pass as they are.
func (tx *Tx) access(name []byte, doing string, fn func(*bolt.Bucket) error) error {
	if tx.btx == nil {
		return ErrTxDone
	}
	err := guard(doing, func() error {
		b := tx.btx.Bucket(name)
		if b == nil {
			return fmt.Errorf("%s %s: %w", doing, name, ErrNoBucket)
		}
		return fn(b)
	})
	if err == nil {
		return nil
	}
	if fault := (*faultError)(nil); errors.As(err, &fault) {
		fault.doing += " " + string(name)
		tx.fault = fault
	}
	return err
}

// change is access for something that writes.
func (tx *Tx) change(name []byte, doing string, fn func(*bolt.Bucket) error) error {
	err := tx.access(name, doing, func(b *bolt.Bucket) error {
		if err := fn(b); err != nil {
			return fmt.Errorf("%s %s: %w", doing, name, translate(err))
		}
		return nil
	})
	if err == nil {
		tx.writes++
	}
	return err
}
