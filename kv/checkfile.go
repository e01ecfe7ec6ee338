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

// FileInfo is a store file's description of itself.
type FileInfo struct {
	ID      string
	Schema  uint64
	By      string // program version that wrote Schema; may be empty
	Created time.Time
	Last    time.Time // of the last commit
	Bytes   int64
}

// CheckFile checks the store file at path: its length, the place of every page, and the
// checksum of every record. It returns as much of the FileInfo as could be read, even
// with an error. It writes nothing and takes only a shared lock on the file. No content
// makes it hang or panic. The error is a [*CheckError] or another [ErrDamaged],
// [ErrMissing] for a missing file or one of 0 bytes, [*LockedError] for an open store,
// the context's cause, or a system error. progress counts bytes of records and may be
// nil.
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

// openReadOnly walks the pages of a closed store file, then maps it.
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

// ViewFile runs fn over the closed store file at path, in a read-only transaction whose
// time is zero. It writes nothing to the file or beside it. It returns the errors of
// [CheckFile] and of fn.
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

// bare returns a DB for reading a single file.
func bare(b *bolt.DB, path string) *DB {
	return &DB{bolt: b, opts: Options{Path: path, Now: func() time.Time { return time.Time{} }}}
}
