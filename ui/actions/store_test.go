package actions

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Slow work is told after one second, then more and more rarely; quick work is
// not.
func TestWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for took, want := range map[time.Duration]int{0: 0, 900 * time.Millisecond: 0, 2 * time.Second: 1, 8 * time.Second: 3} {
			told, failed := 0, errors.New("x")
			err := Watched(func() error { time.Sleep(took); return failed }, func() { told++ })
			if !errors.Is(err, failed) || told != want {
				t.Errorf("%v: told %d times, %v", took, told, err)
			}
		}
	})
}
