//go:build unix

package kv

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks the whole file without waiting and reports success.
func tryLock(f *os.File) (bool, error) { return flock(f, unix.LOCK_EX) }

// tryShare is tryLock for readers, which may share the lock. It fails while the file is
// open as a store.
func tryShare(f *os.File) (bool, error) { return flock(f, unix.LOCK_SH) }

func flock(f *os.File, how int) (bool, error) {
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}

// unlock releases a lock on f. Closing f is not enough while the file is mapped: the
// mapping keeps the lock.
func unlock(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_UN)
}
