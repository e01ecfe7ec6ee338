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

// lockPoll is the pause between two attempts to get a lock.
const lockPoll = 20 * time.Millisecond

// fileLock is the lock of a store: an advisory lock of the system on a file
// beside it, which holds the owner's process id. It is taken before the store is
// looked at, so that two processes cannot both create it; the system releases it
// when the owner dies. The file is never removed: a waiting process would be
// left with a lock on a file that nobody else sees.
type fileLock struct {
	file     *os.File
	previous int       // pid of an owner that died without closing; 0 when the last one closed
	stamp    string    // what stampOf said when the last owner closed; empty when unknown
	walked   time.Time // when its pages were last walked; zero when unknown
}

// stampOf tells a version of the store's file by its size and time, so that one
// that changed while nobody had it open does not pass for closed.
func stampOf(store string) string {
	stat, err := os.Stat(store)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("closed %d %d", stat.Size(), stat.ModTime().UnixNano())
}

// Lock keeps others from opening the store at path until unlock is called, and
// leaves everything as it was found. The error is a [*LockedError] when the store
// is open and does not close within timeout.
func Lock(path string, timeout time.Duration) (unlock func() error, err error) {
	l, err := acquire(path, max(timeout, lockPoll))
	if err != nil {
		return nil, err
	}
	return func() error { return l.release(l.previous == 0, l.stamp) }, nil
}

// acquire tries for as long as timeout says, at least once.
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

// walkedMark stands in a lock file between the stamp and the time of the last walk, in
// seconds since 1970.
const walkedMark = " walked "

// takeOver writes this process's id into the file that it has locked.
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

// release gives the lock up. When clean is true the file says so to the next
// owner by a stamp in the place of the process id.
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

// readLock returns what a lock file says; empty when nothing can be read.
func readLock(f *os.File) string {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 128))
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(b))
}

// readPID returns 0 when the file names no process.
func readPID(f *os.File) int {
	pid, err := strconv.Atoi(readLock(f))
	if err != nil {
		return 0
	}
	return pid
}
