package plain

import (
	"fmt"
	"maps"
	"slices"

	"memoria/memory/manager"
	"memoria/ui/clean"
)

// days is how far back the counts reach.
const days = 14

// health says how much is stored and whether what is derived is well.
func (s *session) health() {
	h, err := s.o.Memory.Health(s.ctx, s.agent, days)
	if err != nil {
		s.tell(err)
		return
	}
	s.say("%s, %s, %s", many(h.Items, "memory", "memories"), many(h.Records, "message", "messages"), many(h.Sessions, "session", "sessions"))
	if h.Held > 0 {
		s.say("%s for your approval", many(h.Held, "memory is waiting", "memories are waiting"))
	}
	if h.Jobs > 0 {
		s.say("%s to be learned from", many(h.Jobs, "turn is", "turns are"))
	}
	if a := h.Asked; a.Answered > 0 {
		s.say("by the model: %s from %s, %d of them unusable; %s not used; %d tokens in, %d out",
			many(a.Learned, "change", "changes"), many(a.Answered, "answer", "answers"), a.Unusable,
			many(a.Refused, "proposal", "proposals"), a.TokensIn, a.TokensOut)
	}
	var messages, learned, forgotten int
	for _, d := range h.Days {
		messages, learned, forgotten = messages+d.Messages, learned+d.Learned, forgotten+d.Forgotten
	}
	s.say("in the last %d days: %s, %s made, %d deleted", days,
		many(messages, "message", "messages"), many(learned, "memory", "memories"), forgotten)
	for _, d := range h.Derived {
		line := d.Name + ": " + clean.Line(d.State)
		if d.Reason != "" {
			line += ", " + clean.Line(d.Reason)
		}
		if d.Total > 0 && d.Done < d.Total {
			line += fmt.Sprintf(", %d of %d", d.Done, d.Total)
		}
		if d.Behind > 0 {
			line += ", " + many(d.Behind, "change", "changes") + " behind"
		}
		if d.Model != "" {
			line += fmt.Sprintf(", %d by %s at %s", d.Count, clean.Line(d.Model), clean.Line(d.Endpoint))
		}
		if d.Bytes > 0 {
			line += ", " + size(d.Bytes)
		}
		s.say("%s", line)
	}
	if cost := s.sessionCost(); cost != "" {
		s.say("this session cost %s", cost)
	}
	s.trouble(h.Status)
	s.say("store: %s, %s of it free, in %s", size(h.StoreBytes), size(h.FreeBytes), clean.Line(h.Dir))
	if h.Unwiped {
		s.say("what was deleted is wiped from the free part in some seconds")
	}
}

// trouble says what is not well with the store and its backups.
func (s *session) trouble(st manager.Status) {
	if st.Trouble != nil {
		s.say("nothing can be written: %s", clean.Line(st.Trouble.Text))
	}
	if st.Damage != "" {
		s.say("of the store %s; memoria doctor says more", clean.Line(st.Damage))
	}
	if st.BackupError != "" {
		s.say("backups did not work: %s", clean.Line(st.BackupError))
	}
}

// size says how many bytes.
func size(n int64) string {
	switch {
	case n < 1000:
		return many(int(n), "byte", "bytes")
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kilobytes", float64(n)/1000)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f megabytes", float64(n)/(1000*1000))
	}
	return fmt.Sprintf("%.1f gigabytes", float64(n)/(1000*1000*1000))
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
