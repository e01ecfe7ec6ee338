package kv

import (
	"cmp"
	"errors"
	"fmt"
	"os"
)

// ReadOnly reports whether the store was opened for reading, either by [Options] or
// because its folder is not writable (K7). Every [DB.Update] then fails with
// [ErrUnwritable].
func (db *DB) ReadOnly() bool { return db.readOnly }

// openForReading opens an existing, closed store.
func openForReading(opts Options) (*DB, error) {
	if _, err := os.Stat(opts.Path); err != nil {
		return nil, err
	}
	lock, err := acquire(opts.Path, opts.LockTimeout)
	if err != nil {
		return openUnwritable(opts, err)
	}
	db, err := openUnwritable(opts, ErrUnwritable)
	if err != nil {
		return nil, errors.Join(err, lock.release(lock.previous == 0, lock.stamp))
	}
	db.lock = lock
	return db, nil
}

// openUnwritable opens an existing store that cannot be written, because of the system
// error why. It takes only a shared lock on the file.
func openUnwritable(opts Options, why error) (*DB, error) {
	refused := Refusal(why)
	if !errors.Is(refused, ErrUnwritable) {
		return nil, why
	}
	there, sentinel, err := look(opts.Path)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, refused
	}
	db := &DB{opts: opts, readOnly: true, clean: true}
	if db.file, err = os.Stat(opts.Path); err != nil {
		return nil, err
	}
	if db.bolt, err = openReadOnly(opts.Path); err != nil {
		return nil, err
	}
	if err := db.loadUnwritable(sentinel); err != nil {
		return nil, errors.Join(err, db.bolt.Close())
	}
	return db, nil
}

// loadUnwritable is load for a store that cannot be updated.
func (db *DB) loadUnwritable(sentinel *storeInfo) error {
	if err := db.View(db.identify); err != nil {
		return err
	}
	if have := db.info.Schema; have > db.opts.Schema || have < cmp.Or(db.opts.ReadsFrom, db.opts.Schema) {
		return &SchemaError{Path: db.opts.Path, Have: have, Want: db.opts.Schema, By: db.info.By}
	}
	if sentinel == nil {
		return nil
	}
	return db.checkIdentity(sentinel)
}

// mayWrite returns an error if the store is read-only.
func (db *DB) mayWrite() error {
	if db.readOnly {
		return fmt.Errorf("%w: %s was opened for reading", ErrUnwritable, db.opts.Path)
	}
	return nil
}
