package plain

import "memoria/chat"

// thinks says once in an answer that the model thinks before it speaks (C9).
func (s *session) thinks(e chat.Thinking) {
	s.begin(e.Head)
	if !s.answer.thought && s.answer.all == 0 {
		s.answer.thought = true
		s.note("thoughts.now", s.speaker())
	}
}

// reconsidered says that what was read out was thought and not said.
func (s *session) reconsidered() {
	spoken := s.answer.spoken > 0
	s.answer = answer{thought: true}
	if spoken {
		s.note("thoughts.were", s.speaker())
	}
}
