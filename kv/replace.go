package kv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Replace puts a copy of the store file from in the place of the store at path.
// What is there, damaged or not, is moved into the folder aside, which is made
// for it, together with its sentinel; nothing is deleted. from must be whole:
// see [CheckFile]. The store must not be open: the error is a [*LockedError] when
// it still is after timeout. Cut short at any point, it leaves the old store, the
// new one, or none at path, and the old one in aside; a next call goes on.
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
	defer func() { _ = os.Remove(temp) }() // gone already when all went well
	if err := putAside(path, aside); err != nil {
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

// describe reads what a whole store file says of itself.
func describe(path string) (storeInfo, error) {
	b, err := openReadOnly(path)
	if err != nil {
		return storeInfo{}, err
	}
	db := bare(b, path)
	err = db.View(db.identify)
	return db.info, errors.Join(err, b.Close())
}

// putAside moves the store's file and copies its sentinel, so that as long as
// the new one is not there a missing store is not taken for a first start.
func putAside(path, aside string) error {
	if err := makeDir(aside); err != nil {
		return err
	}
	sentinel, err := copyFile(sentinelPath(path), filepath.Join(aside, filepath.Base(sentinelPath(path))+newSuffix+"*"))
	if err == nil {
		err = os.Rename(sentinel, filepath.Join(aside, filepath.Base(sentinelPath(path))))
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	err = os.Rename(path, filepath.Join(aside, filepath.Base(path)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return syncDir(aside)
}

// copyFile copies a file durably to a new one, named by a pattern as
// [os.CreateTemp] has it, and returns its path.
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
