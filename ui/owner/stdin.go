package owner

import (
	"errors"
	"io"
	"sync"
)

// maxReplay bounds how much of standard input is kept to begin a command again, in bytes.
const maxReplay = 4 << 20

// stdin is the standard input of a command that runs elsewhere. It is read when the command
// asks, and what no command has taken stays for the next one.
type stdin struct {
	r io.Reader

	mu      sync.Mutex
	pending []byte // not sent
	err     error  // after pending
	reading bool
	to      *link // who asked; nil: no one
	sent    []byte
	keeps   bool // sent is complete
}

func newStdin(r io.Reader) *stdin { return &stdin{r: r, keeps: true} }

// want sends what there is, or else what is read next.
func (s *stdin) want(to *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = to
	if s.deliver() || s.reading {
		return
	}
	s.reading = true
	go s.read()
}

// read reads once. A read that no command waits for any more stays for the next one.
func (s *stdin) read() {
	b := make([]byte, maxFrame/2)
	var n int
	err := io.EOF
	if s.r != nil {
		n, err = s.r.Read(b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reading = false
	s.pending, s.err = append(s.pending, b[:n]...), err
	if !s.deliver() && s.to != nil { // nothing came, and no end
		s.reading = true
		go s.read()
	}
}

// deliver sends what is pending to the one who asked; s.mu is held.
func (s *stdin) deliver() bool {
	if s.to == nil {
		return true
	}
	var err error
	switch {
	case len(s.pending) > 0:
		n := min(len(s.pending), maxFrame)
		err = s.to.send(kindStdin, s.pending[:n])
		if s.keeps = s.keeps && len(s.sent)+n <= maxReplay; s.keeps {
			s.sent = append(s.sent, s.pending[:n]...)
		}
		s.pending = s.pending[n:]
	case errors.Is(s.err, io.EOF):
		err = s.to.send(kindStdinEnd, nil)
	case s.err != nil:
		err = s.to.send(kindStdinEnd, []byte(s.err.Error()))
	default:
		return false
	}
	_ = err // the connection's end is seen where it is read
	s.to = nil
	return true
}

// begun says that the command is not begun again with the same input.
func (s *stdin) begun() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps, s.sent = false, nil
}

// again prepares for another command with the input of the one that had not begun. It reports
// whether it has all of that.
func (s *stdin) again() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = nil
	if !s.keeps {
		return false
	}
	s.pending, s.sent = append(s.sent, s.pending...), nil
	return true
}

// next prepares for a command that goes on where the last one was.
func (s *stdin) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to, s.keeps, s.sent = nil, true, nil
}
