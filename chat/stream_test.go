package chat

import (
	"fmt"
	"strings"
	"testing"

	"memoria/memory"
)

// S10: unread events do not pile up: old ones are dropped, with a gap in the
// numbers, and the end of every turn arrives.
func TestUnreadEventsAreBounded(t *testing.T) {
	t.Parallel()
	s := newStream()
	defer s.close()
	const turns = 50
	for i := range 100_000 {
		s.send(func(n uint64) Event { return SessionChanged{Head: Head{Seq: n}} })
		s.send(func(n uint64) Event { return ModelChanged{Head: Head{Seq: n}} })
		s.send(func(n uint64) Event { return QueueChanged{Head: Head{Seq: n}} })
		if i%(100_000/turns) == 0 {
			s.send(func(n uint64) Event { return Finished{Head: Head{Seq: n, TurnID: fmt.Sprint(i)}} })
		}
	}
	s.mu.Lock()
	n, bytes := len(s.waiting), s.bytes
	s.mu.Unlock()
	if n > 2*maxWaiting || bytes > 2*maxWaiting*512 {
		t.Errorf("%d events and %d bytes wait", n, bytes)
	}
	last, ended, gaps := uint64(0), 0, 0
	for ended < turns || last < s.seq {
		e := <-s.out
		if _, ok := e.(Finished); ok {
			ended++
		}
		if at := HeadOf(e).Seq; at <= last {
			t.Fatalf("%d comes after %d", at, last)
		} else if last != 0 && at != last+1 {
			gaps++
		}
		last = HeadOf(e).Seq
	}
	if gaps == 0 {
		t.Error("nothing tells that news were dropped")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes != 0 {
		t.Errorf("%d bytes wait of nothing", s.bytes)
	}
}

// C8: what waits is counted by its words too, and a reader makes room again.
func TestUnreadWordsFillTheStream(t *testing.T) {
	t.Parallel()
	s := newStream()
	defer s.close()
	for range 40 {
		s.send(func(n uint64) Event {
			return Finished{Head: Head{Seq: n}, Record: memory.Record{Content: strings.Repeat("x", 1<<20)}}
		})
	}
	if !s.full() {
		t.Error("40 MB of answers are nothing")
	}
	for range 40 {
		<-s.out
	}
	<-s.room
	if s.full() {
		t.Error("an empty stream is full")
	}
}
