package chat

import (
	"slices"
	"sync"
	"time"
)

// deltaPause holds deltas back, so that a reader sees about thirty a second.
const deltaPause = 33 * time.Millisecond

// lastWords is how long a closed stream waits for its reader.
const lastWords = time.Second

// How much may wait for a reader before no further turn begins: events, and bytes
// of what they say. A turn that is under way is not held up.
const (
	maxWaiting      = 300
	maxWaitingBytes = 16 << 20
)

// stream hands events to one reader. Sending never blocks: what the reader has
// not taken waits, deltas of one turn merged into one. Once much waits, what tells
// how things are and is not so any more is dropped, which leaves a gap in the
// numbers. Everything else arrives, and so the end of each turn.
type stream struct {
	mu      sync.Mutex
	waiting []Event
	bytes   int // about what waiting holds
	seq     uint64
	more    chan struct{}
	room    chan struct{} // told when a reader has made room
	closed  bool
	gone    chan struct{} // closed when the reader is gone
	out     chan Event
}

func newStream() *stream {
	s := &stream{more: make(chan struct{}, 1), room: make(chan struct{}, 1), gone: make(chan struct{}), out: make(chan Event)}
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
	if last := len(s.waiting) - 1; last >= 0 {
		if both, grown := joined(s.waiting[last], e); grown > 0 {
			s.waiting[last] = both
			s.bytes += grown
			s.seq--
			return
		}
	}
	s.waiting = append(s.waiting, e)
	if s.bytes += weight(e); len(s.waiting)%maxWaiting == 0 {
		s.thin()
	}
	poke(s.more)
}

// joined puts two pieces of one answer, or of one thought, together, and returns by
// how many bytes it grew; 0 when they stay apart. It keeps the number that was given
// first, so that numbers stay without gaps.
func joined(before, e Event) (Event, int) {
	switch e := e.(type) {
	case Delta:
		if b, ok := before.(Delta); ok && b.TurnID == e.TurnID {
			b.Text += e.Text
			return b, len(e.Text)
		}
	case Thinking:
		if b, ok := before.(Thinking); ok && b.TurnID == e.TurnID {
			b.Text += e.Text
			return b, len(e.Text)
		}
	}
	return nil, 0
}

// subject tells events apart that report the state of one thing, of which only the newest
// counts; 0 is any other event.
func subject(e Event) int {
	switch e.(type) {
	case QueueChanged:
		return 1
	case StorageChanged:
		return 2
	case ModelChanged:
		return 3
	case ModelsFound:
		return 4
	case SessionChanged:
		return 5
	case AgentChanged:
		return 6
	}
	return 0
}

// thin drops the older words on each thing.
func (s *stream) thin() {
	newest := map[int]int{}
	for i, e := range s.waiting {
		newest[subject(e)] = i
	}
	i := -1
	s.waiting = slices.DeleteFunc(s.waiting, func(e Event) bool {
		i++
		old := subject(e) != 0 && newest[subject(e)] != i
		if old {
			s.bytes -= weight(e)
		}
		return old
	})
}

// weight is about how many bytes an event keeps from being freed.
func weight(e Event) int {
	const each = 512
	switch e := e.(type) {
	case Delta:
		return each + len(e.Text)
	case Thinking:
		return each + len(e.Text)
	case UserStored:
		return each + len(e.Record.Content)
	case Finished:
		return each + len(e.Record.Content)
	case Searched:
		n := each * (1 + len(e.Calls))
		if e.Said != nil {
			n += len(e.Said.Content)
		}
		return n
	case PackageStored:
		return each * (1 + len(e.Package.Blocks) + len(e.Package.Used))
	case Learned:
		return each * (1 + 4*len(e.Changes))
	case QueueChanged:
		n := each
		for _, w := range e.Waiting {
			n += len(w.Text)
		}
		return n
	}
	return each
}

// full reports whether so much waits for the reader that no turn should begin.
func (s *stream) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting) >= maxWaiting || s.bytes >= maxWaitingBytes
}

// close ends the stream: pending events can still be taken for a moment, then
// the channel is closed, read or not.
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
	if s.bytes -= weight(e); len(s.waiting) == 0 {
		s.waiting = nil
	}
	poke(s.room)
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
			switch e.(type) {
			case Delta, Thinking:
				time.Sleep(deltaPause)
			}
		case closed:
			return
		default:
			<-s.more
		}
	}
}
