package plain

import (
	"slices"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/clean"
)

// recall says what a text would recall and why, or what the last turn recalled
// (R8).
func (s *session) recall(text string) {
	if text == "" {
		s.recalled()
		return
	}
	r, err := s.o.Manager.Recall().Retrieve(s.ctx, s.agent, recall.Query{Text: text, SessionID: s.in.ID})
	if err != nil {
		s.tell(err)
		return
	}
	if r.Degraded != "" {
		s.say("note: %s", clean.Line(r.Degraded))
	}
	if r.Note != "" {
		s.say("note: %s", clean.Line(r.Note))
	}
	s.shown.items = nil
	if len(r.Chosen) == 0 {
		s.say("this would recall nothing of %s", many(r.Total, "memory", "memories"))
	} else {
		s.say("this would recall %d of %s", len(r.Chosen), many(r.Total, "memory", "memories"))
	}
	for i, it := range append(slices.Clone(r.Chosen), r.NotChosen...) {
		how := ""
		if i >= len(r.Chosen) {
			how = "not used: "
		}
		s.shown.items = append(s.shown.items, it.Item)
		s.say("%d. %s%s", i+1, how, s.itemRow(it.Item))
		s.say("   %s; %s", score(it.Score, it.Contribution, it.Parts.TopicBoost), clean.Line(it.Why))
	}
	s.passages(text, r.Chosen)
}

// recalled says what the last turn recalled.
func (s *session) recalled() {
	packages, err := s.o.Manager.Packages(s.ctx, s.agent, s.in.ID)
	switch {
	case err != nil:
		s.tell(err)
	case len(packages) == 0:
		s.say("/recall TEXT says what this text would recall")
	default:
		s.used(packages[len(packages)-1].Used)
	}
}

// used says which memories took part in a turn.
func (s *session) used(used []memory.Used) {
	s.shown.items = nil
	if len(used) == 0 {
		s.say("no memory took part in this turn")
	}
	for i, u := range used {
		it, err := s.o.Manager.Item(s.ctx, s.agent, u.ItemID)
		row := "a memory that was deleted since"
		if err == nil {
			row = s.itemRow(it)
		}
		how := "not sent: "
		if u.Chosen {
			how = "sent: "
		}
		s.shown.items = append(s.shown.items, memory.Item{ID: u.ItemID})
		s.say("%d. %s%s", i+1, how, row)
		s.say("   %s; %s", score(u.Score, u.Contribution, u.Parts.TopicBoost), clean.Line(u.Why))
	}
}
