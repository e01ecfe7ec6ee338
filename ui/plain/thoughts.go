package plain

import (
	"slices"
	"time"
	"unicode/utf8"

	"memoria/chat"
	"memoria/memory"
)

// thinks says once in an answer that the model thinks before it speaks (C9).
func (s *session) thinks(e chat.Thinking) {
	s.begin(e.Head)
	if !s.answer.thought && s.answer.all == 0 {
		s.answer.thought = true
		s.say("%s is thinking; /thoughts says what, once the answer is there", s.speaker())
	}
}

// reconsidered says that what was read out was thought and not said.
func (s *session) reconsidered() {
	spoken := s.answer.spoken > 0
	s.answer = answer{thought: true}
	if spoken {
		s.say("that was what %s thought; the answer begins now", s.speaker())
	}
}

// thoughts says what the model thought before its last answer.
func (s *session) thoughts() {
	var records []memory.Record
	var err error
	if s.in.ID != "" {
		records, err = s.o.Memory.LastRecords(s.ctx, s.agent, s.in.ID, 100)
	}
	if err != nil {
		s.tell(err)
		return
	}
	for _, r := range slices.Backward(records) {
		switch {
		case r.Role == memory.RoleUser:
			s.say("the last answer came without what the model thought")
			return
		case r.Reasoning != nil:
			s.say("%s thought%s, %s: %s", s.name, forTime(r.Reasoning.Took),
				many(utf8.RuneCountInString(r.Reasoning.Text), "character", "characters"), r.Reasoning.Text)
			return
		}
	}
	s.say("there is no answer yet")
}

func forTime(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return " for " + seconds(d)
}
