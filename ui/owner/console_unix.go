//go:build unix

package owner

import (
	"os"
	"os/signal"
	"syscall"
)

// changes receives when the size of the terminal may have changed, until stop is called.
func (c *console) changes() (changed <-chan os.Signal, stop func()) {
	ch := make(chan os.Signal, 1)
	if c.out != nil {
		signal.Notify(ch, syscall.SIGWINCH)
	}
	return ch, func() { signal.Stop(ch) }
}
