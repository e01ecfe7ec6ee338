package tomlfile

import (
	"os"
	"time"
)

// How often, and how long in all, a lock is asked for that another process has. Whoever
// has it writes one small file; only one that was stopped has it for long.
const (
	lockEvery = 5 * time.Millisecond
	lockTries = 6000
)

// lock keeps other processes from changing the files of a folder that is there, until
// release. The system gives the lock up when a process ends, however it does, and
// nothing of it stays in the folder. Where the system has no locks there is none: then
// a change is still seen before the file is replaced, but for the last moment.
func lock(folder, name string) (release func(), err error) {
	if _, err := os.Stat(folder); err != nil {
		return nil, err
	}
	for range lockTries {
		release, taken := tryLock(folder, name)
		if !taken {
			return release, nil
		}
		time.Sleep(lockEvery)
	}
	return nil, ErrBusy
}
