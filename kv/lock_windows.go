package kv

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks one byte far past the content, which stays readable to others, and
// reports success.
func tryLock(f *os.File) (bool, error) {
	return lockByte(f, windows.LOCKFILE_EXCLUSIVE_LOCK, &windows.Overlapped{OffsetHigh: 1})
}

// tryShare takes a shared lock on the byte that bbolt locks for its owner: the last
// addressable one.
func tryShare(f *os.File) (bool, error) {
	return lockByte(f, 0, &windows.Overlapped{Offset: ^uint32(0), OffsetHigh: ^uint32(0)})
}

func lockByte(f *os.File, how uint32, at *windows.Overlapped) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, at)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}

// unlock does nothing: on Windows, closing f unlocks it.
func unlock(*os.File) error { return nil }
