//go:build unix

package term

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stop suspends the process group, and returns when it continues; false when it was not
// suspended: the kernel ignores the signal where no shell waits for the program.
func stop() bool {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return false
	}
	<-time.NewTimer(leastAway).C
	select {
	case <-continued:
		return true
	case <-time.NewTimer(leastAway).C: // the signal may be told a moment later
		return false
	}
}
