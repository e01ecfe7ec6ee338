package owner

import (
	"os"
	"time"
)

// looks is how often the size of the terminal is read: Windows reports no change of it.
const looks = 500 * time.Millisecond

// changes receives when the size of the terminal may have changed, until stop is called.
func (c *console) changes() (changed <-chan os.Signal, stop func()) {
	ch, done := make(chan os.Signal), make(chan struct{})
	go func() {
		tick := time.NewTicker(looks)
		defer tick.Stop()
		for last := c.size(); ; {
			select {
			case <-tick.C:
			case <-done:
				return
			}
			if now := c.size(); now != last {
				last = now
				select {
				case ch <- os.Interrupt:
				case <-done:
					return
				}
			}
		}
	}()
	return ch, func() { close(done) }
}
