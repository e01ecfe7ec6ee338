package chat_test

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"memoria/chat/model/modeltest"
)

// held is what a process holds.
type held struct {
	heap               int64 // bytes, after a collection
	goroutines, opened int
}

func holds(t *testing.T) (h held) {
	t.Helper()
	runtime.GC()
	runtime.GC() // what had a finalizer
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h.heap, h.goroutines = int64(m.HeapAlloc), runtime.NumGoroutine()
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.opened = len(entries)
	}
	return h
}

// Q3: a conversation that goes on and on holds no more memory, goroutines and files than
// one that has begun. MEMORIA_TURNS sets how long it is (5,000 in the campaign); the heap
// is compared from 1,000 on, before that one-time allocations outweigh the rest.
func TestSoak(t *testing.T) {
	noRace(t)
	turns, deltas := 40, 1
	if n, err := strconv.Atoi(os.Getenv("MEMORIA_TURNS")); err == nil {
		turns, deltas = n, 4
	}
	h := newHouse(t, nil)
	h.server.Reply = func(r *modeltest.Request) modeltest.Step {
		return modeltest.Step{Text: answerOf(len(r.LastUser()), 400), Deltas: deltas}
	}
	var begun held
	for i := range turns {
		if i%100 == 99 {
			h.fresh()
		}
		h.clock.Add(90 * time.Second)
		h.say(ordinary(i))
		h.server.Forget()
		h.seen = nil
		if i == turns/5 {
			begun = holds(t)
		}
		if i%500 == 499 {
			t.Logf("%d turns: %+v", i+1, holds(t))
		}
	}
	end := holds(t)
	t.Logf("after %d turns %+v, after %d %+v", turns/5, begun, turns, end)
	if end.goroutines > begun.goroutines+5 || end.opened > begun.opened+20 {
		t.Error("goroutines or files gather")
	}
	if turns >= 1000 && end.heap > begun.heap+begun.heap/4 {
		t.Error("memory gathers")
	}
}
