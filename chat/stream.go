package chat

import (
	"sync"
	"time"
)

// deltaPause holds deltas back, so that a reader sees about thirty a second.
const deltaPause = 33 * time.Millisecond

// lastWords is how long a closed stream waits for its reader.
const lastWords = time.Second

// stream hands events to one reader. Sending never blocks: what the reader has
// not taken waits, deltas of one turn merged into one.
type stream struct {
	mu      sync.Mutex
	waiting []Event
	seq     uint64
	more    chan struct{}
	closed  bool
	gone    chan struct{} // closed when nobody reads any more
	out     chan Event
}

func newStream() *stream {
	s := &stream{more: make(chan struct{}, 1), gone: make(chan struct{}), out: make(chan Event)}
	go s.pump()
	return s
}

// send queues the event that make returns for the next sequence number.
func (s *stream) send(make func(seq uint64) Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.seq++
	e := make(s.seq)
	if d, ok := e.(Delta); ok && len(s.waiting) > 0 {
		last := len(s.waiting) - 1
		if before, ok := s.waiting[last].(Delta); ok && before.TurnID == d.TurnID {
			// A merged delta keeps the number it was first given, so that numbers
			// stay without gaps.
			before.Text += d.Text
			s.waiting[last] = before
			s.seq--
			return
		}
	}
	s.waiting = append(s.waiting, e)
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// close ends the stream: what is waiting can still be taken for a moment, then
// the channel is closed, whether somebody reads it or not.
func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.more)
		time.AfterFunc(lastWords, func() { close(s.gone) })
	}
}

func (s *stream) take() (e Event, ok, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return nil, false, s.closed
	}
	e, s.waiting = s.waiting[0], s.waiting[1:]
	return e, true, false
}

func (s *stream) pump() {
	defer close(s.out)
	for {
		e, ok, closed := s.take()
		switch {
		case ok:
			select {
			case s.out <- e:
			case <-s.gone:
				return
			}
			if _, delta := e.(Delta); delta {
				time.Sleep(deltaPause)
			}
		case closed:
			return
		default:
			<-s.more
		}
	}
}
