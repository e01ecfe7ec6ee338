package plain

import (
	"errors"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/ui/clean"
)

// sources says what an answer was given as evidence (A3).
func (s *session) sources(h chat.Head) {
	all, err := s.o.Manager.Recall().SourcesOf(s.ctx, s.whose(h), h.TurnID)
	if err != nil || len(all) == 0 || all[0].Recalled {
		return // what was recalled says /recall
	}
	for _, src := range all {
		s.say("source %d, %s: %s", src.N, s.sourceWords(src), cut(clean.Line(src.Text), maxQuote))
	}
	s.say("/proof and a number says the whole message")
}

// sourceWords say whose words a source are, and of when.
func (s *session) sourceWords(src recall.Source) string {
	who := "a memory"
	switch {
	case src.Forgotten:
		who = "deleted since"
	case src.Role == memory.RoleUser:
		who = "you"
	case src.Role == memory.RoleAssistant:
		who = clean.Line(s.name)
	}
	return who + ", " + when(src.Time)
}

// proof says the sources of the last answer: what was looked up in the archive, or
// the memories that went with the message; or one of them in full, with what was
// learned from it (D3).
func (s *session) proof(name string) {
	packages, err := s.packages()
	if err != nil {
		s.tell(err)
		return
	}
	var all []recall.Source
	if n := len(packages); n > 0 {
		if all, err = s.o.Manager.Recall().SourcesOf(s.ctx, packages[n-1].AgentID, packages[n-1].TurnID); err != nil {
			s.tell(err)
			return
		}
	}
	if len(all) == 0 {
		s.say("nothing that was remembered went with the last answer")
		return
	}
	if name == "" {
		for _, src := range all {
			s.say("%d. %s: %s", src.N, s.sourceWords(src), cut(clean.Line(src.Text), maxQuote))
		}
		s.say("/proof and a number says the whole message")
		return
	}
	i, ok := number(name)
	if !ok || i < 0 || i >= len(all) {
		s.say("error: the last answer has the sources 1 to %d", len(all))
		return
	}
	s.source(all[i])
}

// source says one source in full.
func (s *session) source(src recall.Source) {
	if src.RecordID == "" {
		it, err := s.o.Manager.Item(s.ctx, s.agent, src.ItemID)
		if errors.Is(err, manager.ErrNotFound) {
			s.say("this memory was deleted")
			return
		}
		if err != nil {
			s.tell(err)
			return
		}
		s.why(it)
		return
	}
	if err := s.quote(src.Evidence); err != nil {
		s.tell(err)
		return
	}
	items, err := s.o.Manager.LearnedFrom(s.ctx, s.agent, src.RecordID)
	if err != nil {
		s.tell(err)
		return
	}
	s.shown.items, s.shown.held = items, nil
	for i, it := range items {
		s.say("learned from it, %d. %s", i+1, s.itemRow(it))
	}
}
