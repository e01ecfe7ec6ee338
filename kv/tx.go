package kv

import (
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// clockHold is how far the clock may be before the last commit and still count as
// corrected (see "Time" in the package comment).
const clockHold = 2 * time.Minute

// Tx is a transaction. It belongs to the goroutine that runs its function.
type Tx struct {
	db       *DB
	btx      *bolt.Tx // nil when the transaction is over
	now      time.Time
	writes   int  // changes so far; scans compare it
	appended bool // something was added to the feed
	fault    error
	onCommit []func()
}

// Now returns the time of the transaction, in UTC, without a monotonic reading. It does
// not run backwards in one store, except after a clock that was more than two minutes
// ahead (see "Time" in the package comment).
func (tx *Tx) Now() time.Time { return tx.now }

// OnCommit registers fn to run after the commit is durable, in order, on the same
// goroutine, when other transactions may begin. It also runs if nothing was written. It
// does not run if the transaction fails, nor in a [DB.View].
func (tx *Tx) OnCommit(fn func()) { tx.onCommit = append(tx.onCommit, fn) }

// View runs fn in a read-only transaction over the last commit and returns fn's error.
// It does not block writers and is not blocked by them.
func (db *DB) View(fn func(*Tx) error) error {
	tx, err := db.begin(false)
	if err != nil {
		return err
	}
	defer func() { _ = tx.end() }()
	return fn(tx)
}

// Update runs fn in a read-write transaction, one at a time, and makes it durable. When
// Update returns nil, everything fn wrote is on the disk. If fn returns an error or
// panics, nothing is written and the error or panic is passed on. The same holds if
// writing to the disk fails; the store remains usable. A fn that writes nothing causes
// no disk access.
//
// Do not call View or Update inside fn: a nested Update deadlocks.
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

// run commits fn's writes, or rolls them back, also if fn panics.
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
		// fn may have ignored it; changes built on damaged pages are not kept.
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

// Probe writes a minimal transaction, to test whether the disk accepts writes again.
func (db *DB) Probe() error {
	return db.Update(func(tx *Tx) error {
		tx.writes++ // the commit writes its time
		return nil
	})
}

// attached returns [ErrGone] if the file is no longer at its path: acknowledged writes
// would be lost at close.
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
		if !timed { // the clock panicked: release the lock
			_ = tx.end()
		}
	}()
	// Read while holding the lock, so that times follow the order of commits.
	tx.now = db.frozen()
	timed = true
	return tx, nil
}

// frozen returns the time for a transaction that begins now.
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

// access runs fn with a bucket, guarded. Its own errors name the operation and the
// bucket; fn's errors pass unchanged.
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

// change is access for a write.
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
