package chat

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// Operations run in the order in which they asked, one at a time; one that gave up is
// skipped and blocks no other.
func TestTickets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var line tickets
		var mu sync.Mutex
		var order []int
		done := line.next()
		gone, giveUp := context.WithCancel(t.Context())
		for i := range 5 {
			go func() {
				ctx := t.Context()
				if i == 2 {
					ctx = gone
				}
				done, err := line.take(ctx)
				if err != nil {
					if i != 2 || !errors.Is(err, context.Canceled) {
						t.Errorf("operation %d: %v", i, err)
					}
					return
				}
				defer done()
				mu.Lock()
				defer mu.Unlock()
				order = append(order, i)
			}()
			synctest.Wait()
		}
		giveUp()
		synctest.Wait()
		if len(order) > 0 {
			t.Errorf("ran before their turn: %v", order)
		}
		done()
		synctest.Wait()
		if want := []int{0, 1, 3, 4}; !slices.Equal(order, want) {
			t.Errorf("order %v, want %v", order, want)
		}
		line.next()() // the line is free again
	})
}

// An operation that is called and gives up at the same moment lets the next one run.
func TestTicketGivenUpWhenCalled(t *testing.T) {
	t.Parallel()
	for range 200 {
		var line tickets
		first := line.next()
		ctx, giveUp := context.WithCancel(t.Context())
		result := make(chan func(), 1)
		go func() {
			done, _ := line.take(ctx)
			result <- done
		}()
		go giveUp()
		first()
		if done := <-result; done != nil {
			done()
		}
		line.next()()
	}
}
