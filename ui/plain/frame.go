package plain

import (
	"memoria/memory"
	"memoria/memory/frame"
)

// tellFrame says when learning is paused by a message that is not about the user (P5b), or goes on.
func (s *session) tellFrame(f memory.Frame) {
	was := s.frame
	s.frame = f
	switch {
	case f.Paused() && (!was.Open || was.What != f.What):
		s.say("%s", frame.Notice(f))
	case was.Open && !f.Paused():
		s.say("learning goes on")
	}
}
