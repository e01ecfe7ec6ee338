package kv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
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
	previous int // pid of an owner that died without closing; 0 when the last one closed
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

// takeOver writes this process's id into the file that it has locked.
func takeOver(f *os.File) (*fileLock, error) {
	l := &fileLock{file: f, previous: readPID(f)}
	err := f.Chmod(fileMode)
	if err == nil {
		err = writePID(f, os.Getpid())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking: %w", err), f.Close())
	}
	return l, nil
}

// release gives the lock up. When clean is true the file says so to the next
// owner by being empty.
func (l *fileLock) release(clean bool) error {
	var err error
	if clean {
		err = l.file.Truncate(0)
	}
	return errors.Join(err, l.file.Close())
}

func writePID(f *os.File, pid int) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(pid)+"\n"), 0)
	return err
}

// readPID returns 0 when the file names no process.
func readPID(f *os.File) int {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 32))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(b)))
	if err != nil {
		return 0
	}
	return pid
}
