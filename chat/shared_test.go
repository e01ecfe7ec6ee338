package chat

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// S7: conversations with the same agent enter one after the other, in the order of asking.
func TestSharedTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Shared
		a, b, other := &conversation{}, &conversation{}, &conversation{}
		a.agent.set(Agent{ID: "luna"})
		b.agent.set(Agent{ID: "luna"})
		other.agent.set(Agent{ID: "sol"})
		for _, c := range []*conversation{a, b, other} {
			c.beside = s.join(c)
		}
		left, err := a.beside.enter(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		if !b.beside.busy(b) || a.beside.busy(a) || other.beside.busy(other) {
			t.Error("only the other conversation of the agent is kept waiting")
		}
		if err := b.resting(); !errors.Is(err, ErrBusy) {
			t.Errorf("resting while the other answers: %v", err)
		}
		entered := false
		go func() {
			if left, err := b.beside.enter(t.Context(), b); err == nil {
				entered = true
				left()
			}
		}()
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := b.beside.enter(gone, b); !errors.Is(err, context.Canceled) {
			t.Errorf("entering after the end: %v", err)
		}
		synctest.Wait()
		if entered {
			t.Error("both run a turn")
		}
		left()
		synctest.Wait()
		if !entered || b.beside.busy(a) {
			t.Error("the second turn did not begin")
		}
	})
}
