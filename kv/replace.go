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
// What is there, damaged or not, is kept in the folder aside, which is made for it,
// together with its sentinel; nothing is deleted. from must be whole: see
// [CheckFile]. The store must not be open: the error is a [*LockedError] when it
// still is after timeout. Cut short at any point, it leaves the old store at path, or
// the new one at path and the old one in aside.
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

// putAside keeps the store's file and its sentinel under the same names in aside. They
// stay where they are until the new store takes their place, at once: a start in between
// must find one of the two.
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

// keep makes a file be at the place to as well: under a second name if it may share and
// the file system has such, or as a copy.
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
