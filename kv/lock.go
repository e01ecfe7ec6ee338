package kv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// lockPoll is the pause between two attempts to lock.
const lockPoll = 20 * time.Millisecond

// fileLock is the lock of a store: an advisory system lock on a separate file, which
// holds the owner's process id. It is taken before the store is examined, so that two
// processes cannot both create it. The system releases it when the owner dies. The file
// is never removed, or a waiting process could lock an unlinked file.
type fileLock struct {
	file     *os.File
	previous int       // pid of an owner that died without closing; 0 after a clean close
	stamp    string    // stampOf at the last close; empty if unknown
	walked   time.Time // time of the last page walk; zero if unknown
}

// stampOf identifies a version of the store file by size and time. It detects a change
// made while the store was closed.
func stampOf(store string) string {
	stat, err := os.Stat(store)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("closed %d %d", stat.Size(), stat.ModTime().UnixNano())
}

// Lock keeps others from opening the store at path until unlock is called, and changes
// nothing else. The error is a [*LockedError] if the store stays open for timeout.
func Lock(path string, timeout time.Duration) (unlock func() error, err error) {
	l, err := acquire(path, max(timeout, lockPoll))
	if err != nil {
		return nil, err
	}
	return func() error { return l.release(l.previous == 0, l.stamp) }, nil
}

// acquire tries until timeout, at least once.
func acquire(store string, timeout time.Duration) (*fileLock, error) {
	f, err := os.OpenFile(store+".lock", os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	for {
		ok, err := tryLock(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("locking: %w", err), f.Close())
		}
		if ok {
			return takeOver(f)
		}
		select {
		case <-time.After(lockPoll):
		case <-deadline.C:
			locked := &LockedError{Path: store, PID: readPID(f)}
			return nil, errors.Join(locked, f.Close())
		}
	}
}

// walkedMark separates the stamp in a lock file from the time of the last walk, in
// seconds since 1970.
const walkedMark = " walked "

// takeOver writes this process's id into the locked file.
func takeOver(f *os.File) (*fileLock, error) {
	l := &fileLock{file: f, previous: readPID(f)}
	var walked string
	l.stamp, walked, _ = strings.Cut(readLock(f), walkedMark)
	if at, err := strconv.ParseInt(walked, 10, 64); err == nil {
		l.walked = time.Unix(at, 0)
	}
	err := f.Chmod(fileMode)
	if err == nil {
		err = writeLock(f, strconv.Itoa(os.Getpid()))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking: %w", err), f.Close())
	}
	return l, nil
}

// release gives the lock up. If clean is set, it replaces the process id by a stamp
// that tells the next owner so.
func (l *fileLock) release(clean bool, stamp string) error {
	var err error
	if clean {
		if stamp != "" && !l.walked.IsZero() {
			stamp += walkedMark + strconv.FormatInt(l.walked.Unix(), 10)
		}
		err = writeLock(l.file, stamp)
	}
	return errors.Join(err, l.file.Close())
}

func writeLock(f *os.File, says string) error {
	if err := f.Truncate(0); err != nil || says == "" {
		return err
	}
	_, err := f.WriteAt([]byte(says+"\n"), 0)
	return err
}

// readLock returns the content of a lock file, empty if unreadable.
func readLock(f *os.File) string {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 128))
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(b))
}

// readPID returns 0 if the file names no process.
func readPID(f *os.File) int {
	pid, err := strconv.Atoi(readLock(f))
	if err != nil {
		return 0
	}
	return pid
}
