package learning

import (
	"cmp"

	"memoria/memory"
	"memoria/memory/manager/write"
)

// summariseSession gives a session a new version of its summary and, unless the user named it,
// of its title. said reports whether the user said anything that may be summarised;
// otherwise nothing is written and the result is nil. The caller writes the session.
func summariseSession(t *write.Tx, s *memory.Session, sum memory.Summary, said bool) (*memory.Summary, error) {
	if s.Named || sum.Title == "" && t.Core.Policy().Speakable(s.Title) {
		sum.Title = s.Title
	}
	if !said || sum.Title == "" && sum.Snippet == "" {
		return nil, nil
	}
	s.Summaries++
	sum.SessionID, sum.AgentID, sum.Version, sum.CreatedAt = s.ID, t.Owner.ID, s.Summaries, t.Now()
	sum.Generation = s.Generation
	s.Summary, s.Title = &sum, cmp.Or(sum.Title, s.Title)
	return &sum, t.PutSummary(sum)
}
