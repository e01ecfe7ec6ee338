package kv

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks one byte far behind the content, which stays readable to
// others, and says whether it got it.
func tryLock(f *os.File) (bool, error) {
	return lockByte(f, windows.LOCKFILE_EXCLUSIVE_LOCK, &windows.Overlapped{OffsetHigh: 1})
}

// tryShare locks for readers the byte that bbolt locks for its owner, the last that a
// number can name.
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

// unlock does nothing: on this system closing f unlocks it.
func unlock(*os.File) error { return nil }
