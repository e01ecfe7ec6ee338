package owner

import (
	"bytes"
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
	keeps   bool   // sent is complete
	last    []byte // sent last; no more was asked for since
	total   int64  // sent to this owner, in bytes
}

func newStdin(r io.Reader) *stdin { return &stdin{r: r, keeps: true} }

// want sends what there is, or else what is read next.
func (s *stdin) want(to *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to, s.last = to, nil
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
		s.last, s.total = bytes.Clone(s.pending[:n]), s.total+int64(n)
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
	s.pending, s.sent, s.last, s.total = append(s.sent, s.pending...), nil, nil, 0
	return true
}

// putBack takes back what a command that moves has not taken.
func (s *stdin) putBack(r rest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Got < s.total { // the last piece came too late
		r.Left = append(r.Left, s.last...)
	}
	s.pending, s.last = append(r.Left, s.pending...), nil
}

// next prepares for a command that goes on where the last one was. What was sent to an owner
// that died, and that did not ask for more, is sent again.
func (s *stdin) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = append(s.last, s.pending...)
	s.to, s.keeps, s.sent, s.last, s.total = nil, true, nil, nil, 0
}
