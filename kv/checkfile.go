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
	By      string // version of the program that brought it to Schema; may be empty
	Created time.Time
	Last    time.Time // of the last commit
	Bytes   int64
}

// CheckFile checks the store file at path: that it is as long as it says, that
// every page is in its place, and that every record is as it was written. What
// could be read of the file's own description is returned also with an error.
// Nothing is written to the file or beside it, and no lock is taken but a shared one on
// the file. Whatever the file holds, the check ends and the process lives. The error is a
// [*CheckError] or another [ErrDamaged], [ErrMissing] for a file that is not there or
// has 0 bytes, [*LockedError] for a store that is open, the context's cause, or one of
// the system. progress, over the bytes of the records, may be nil.
func CheckFile(ctx context.Context, path string, progress Progress) (FileInfo, error) {
	info, err := checkFile(ctx, path, progress)
	if err != nil {
		return info, fmt.Errorf("checking %s: %w", path, err)
	}
	return info, nil
}

func checkFile(ctx context.Context, path string, progress Progress) (info FileInfo, err error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return info, fmt.Errorf("%w: there is no such file", ErrMissing)
	} else if err != nil {
		return info, err
	}
	defer func() { err = errors.Join(err, unlock(f), f.Close()) }()
	if ok, err := tryShare(f); err != nil {
		return info, err
	} else if !ok {
		return info, &LockedError{Path: path}
	}
	if _, err := Look(path); err != nil {
		return info, err
	}
	w, err := walkFile(ctx, path, progress)
	if err != nil {
		return info, err
	}
	return w.info, w.all()
}

// openReadOnly maps a file that nobody has open, after a walk over its pages.
func openReadOnly(path string) (*bolt.DB, error) {
	w, err := walkFile(context.Background(), path, nil)
	if err == nil {
		err = w.fault()
	}
	if err != nil {
		return nil, err
	}
	var db *bolt.DB
	err = guard("mapping the file", func() (err error) {
		db, err = bolt.Open(path, fileMode, &bolt.Options{
			Timeout: time.Millisecond, ReadOnly: true, FreelistType: bolt.FreelistMapType,
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
