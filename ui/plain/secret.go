package plain

import (
	"memoria/chat"
	"memoria/ui/clean"
	"memoria/ui/words"
)

// offerErasure says that a message holds a secret, and how to erase it (P5a).
func (s *session) offerErasure(e chat.UserStored) {
	if len(e.Secrets) == 0 {
		return
	}
	s.secret = e.Record.ID
	s.say("%s; /erase-secret deletes it from the archive", clean.Line(words.Secret(e.Secrets)))
}

// eraseSecret deletes the last message that holds a secret (D2, P5a).
func (s *session) eraseSecret() {
	if s.secret == "" {
		s.say("no message of this run holds a secret; /archive finds earlier ones")
		return
	}
	d, err := s.o.chat.EraseSecret(s.ctx, s.secret)
	if err == nil {
		s.secret = ""
	}
	s.removed(d, err, "the secret, in "+many(d.Messages, "message", "messages"))
}
