package kv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Replace replaces the store at path with a copy of the store file from. It deletes
// nothing: the old file, damaged or not, and its sentinel are kept in the new folder
// aside. from must be undamaged: see [CheckFile]. The store must be closed: the error
// is a [*LockedError] if it stays open for timeout. If interrupted, Replace leaves the
// old store at path, or the new one at path and the old one in aside.
func Replace(path, from, aside string, timeout time.Duration) error {
	if err := replace(path, from, aside, timeout); err != nil {
		return fmt.Errorf("replacing store %s: %w", path, Refusal(err))
	}
	return nil
}

func replace(path, from, aside string, timeout time.Duration) (err error) {
	if err := makeDir(filepath.Dir(path)); err != nil {
		return err
	}
	lock, err := acquire(path, max(timeout, lockPoll))
	if err != nil {
		return err
	}
	replaced := false
	defer func() {
		stamp := lock.stamp
		if replaced {
			stamp, lock.walked = stampOf(path), time.Time{}
		}
		err = errors.Join(err, lock.release(replaced || lock.previous == 0, stamp))
	}()
	if err := removeTorn(path, from); err != nil {
		return err
	}
	info, err := describe(from)
	if err != nil {
		return err
	}
	temp, err := copyFile(from, path+newSuffix+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp) }() // already renamed on success
	if err := putAside(path, aside); err != nil {
		return err
	}
	if err := disown(path, info); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	if err := syncDir(filepath.Dir(path)); err != nil {
		return err
	}
	replaced = true
	return writeSentinel(path, info)
}

// disown removes the sentinel if it names another store than info. Without one, an open
// after an interruption accepts the old store as well as the new one.
func disown(path string, info storeInfo) error {
	if sentinel, err := readSentinel(path); err == nil && (sentinel == nil || sentinel.ID == info.ID) {
		return nil
	}
	if err := os.Remove(sentinelPath(path)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// describe reads the storeInfo of an undamaged store file.
func describe(path string) (storeInfo, error) {
	b, err := openReadOnly(path)
	if err != nil {
		return storeInfo{}, err
	}
	db := bare(b, path)
	err = db.View(db.identify)
	return db.info, errors.Join(err, b.Close())
}

// putAside keeps the store's file and its sentinel under the same names in aside. Both
// also stay in place until the new store replaces them: a start in between must find a
// store.
func putAside(path, aside string) error {
	if err := makeDir(aside); err != nil {
		return err
	}
	for _, from := range []string{sentinelPath(path), path} {
		if err := keep(from, filepath.Join(aside, filepath.Base(from)), from == path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return syncDir(aside)
}

// keep adds a second copy of a file at to: a hard link if share is set and the file
// system allows it, otherwise a copy.
func keep(from, to string, share bool) error {
	if share && os.Link(from, to) == nil {
		return nil
	}
	copied, err := copyFile(from, to+newSuffix+"*")
	if err != nil {
		return err
	}
	return os.Rename(copied, to)
}

// copyFile copies a file durably to a new one and returns its path. The pattern is that
// of [os.CreateTemp].
func copyFile(from, pattern string) (_ string, err error) {
	src, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	dst, err := os.CreateTemp(filepath.Dir(pattern), filepath.Base(pattern))
	if err != nil {
		return "", err
	}
	_, err = io.Copy(dst, src)
	if err := errors.Join(err, dst.Chmod(fileMode), dst.Sync(), dst.Close()); err != nil {
		return "", errors.Join(err, os.Remove(dst.Name()))
	}
	return dst.Name(), nil
}
