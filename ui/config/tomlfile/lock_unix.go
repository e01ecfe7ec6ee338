//go:build unix

package tomlfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks the folder itself. taken says that another process holds the lock.
func tryLock(folder, _ string) (release func(), taken bool) {
	d, err := os.Open(folder)
	if err != nil {
		return func() {}, false
	}
	for {
		err := unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(err, unix.EWOULDBLOCK) {
			_ = d.Close()
			return nil, true
		}
		return func() { _ = d.Close() }, false // locked, or there are no locks here
	}
}
