package kv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// FileInfo is what a store file says of itself.
type FileInfo struct {
	ID      string
	Schema  uint64
	Created time.Time
	Last    time.Time // of the last commit
	Bytes   int64
}

// CheckFile checks the store file at path: that it is as long as it says, that
// every page is in its place, and that every record is as it was written. What
// could be read of the file's own description is returned also with an error.
// Nothing is written to the file or beside it, and no lock but bbolt's
// own shared one is taken. The error is a [*CheckError] or another [ErrDamaged],
// [ErrMissing] for a file that is not there or has 0 bytes, [*LockedError] for a
// store that is open, the context's cause, or one of the system. progress, over
// the bytes of the records, may be nil.
//
// Damage can take the process down or hold it for ever. Only a file that this
// process has just written is checked in it; any other in a child process with
// a time limit, such as that of [Options.Verify].
func CheckFile(ctx context.Context, path string, progress Progress) (FileInfo, error) {
	info, err := checkFile(ctx, path, progress)
	if err != nil {
		return info, fmt.Errorf("checking %s: %w", path, err)
	}
	return info, nil
}

func checkFile(ctx context.Context, path string, progress Progress) (info FileInfo, err error) {
	stat, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return info, fmt.Errorf("%w: there is no such file", ErrMissing)
	case err != nil:
		return info, err
	}
	info.Bytes = stat.Size()
	if _, err := Look(path); err != nil {
		return info, err
	}
	b, err := openReadOnly(path)
	if err != nil {
		return info, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	db := bare(b, path)
	found := &CheckError{}
	if err := db.checkPages(found); err != nil {
		return info, err
	}
	if found.Total > 0 {
		return info, found
	}
	if err := db.View(func(tx *Tx) error { return db.identify(tx) }); err != nil {
		return info, err
	}
	info.ID, info.Schema, info.Created, info.Last = db.info.ID, db.info.Schema, db.info.Created, *db.last.Load()
	return info, db.checkRecords(ctx, progress)
}

// openReadOnly maps a file that nobody has open.
func openReadOnly(path string) (*bolt.DB, error) {
	var db *bolt.DB
	err := guard("mapping the file", func() (err error) {
		db, err = bolt.Open(path, fileMode, &bolt.Options{
			Timeout: time.Millisecond, ReadOnly: true, PreLoadFreelist: true, FreelistType: bolt.FreelistMapType,
		})
		return err
	})
	switch {
	case err == nil:
		return db, nil
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &LockedError{Path: path}
	}
	return nil, damaged(err)
}

// ViewFile runs fn over the store file at path, which nobody may have open, in a
// read-only transaction whose time is zero. Nothing is written to the file or
// beside it. Errors are those of [CheckFile] and of fn.
func ViewFile(path string, fn func(*Tx) error) (err error) {
	if _, err := Look(path); err != nil {
		return err
	}
	b, err := openReadOnly(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return bare(b, path).View(fn)
}

// bare is a DB over a file that is only read.
func bare(b *bolt.DB, path string) *DB {
	return &DB{bolt: b, opts: Options{Path: path, Now: func() time.Time { return time.Time{} }}}
}
