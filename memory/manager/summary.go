package manager

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// summarise gives a session a new version of its summary and, unless the user named it,
// of its title. said reports whether the user said anything that may be summarised;
// otherwise nothing is written and the result is nil. The caller writes the session.
func (t *tx) summarise(s *memory.Session, sum memory.Summary, said bool) (*memory.Summary, error) {
	if s.Named || sum.Title == "" && t.m.policy().Speakable(s.Title) {
		sum.Title = s.Title
	}
	if !said || sum.Title == "" && sum.Snippet == "" {
		return nil, nil
	}
	s.Summaries++
	sum.SessionID, sum.AgentID, sum.Version, sum.CreatedAt = s.ID, t.a.id, s.Summaries, t.Now()
	sum.Generation = s.Generation
	s.Summary, s.Title = &sum, cmp.Or(sum.Title, s.Title)
	return &sum, t.PutSummary(sum)
}

// EndedSession is an ended session with its summary.
type EndedSession struct {
	memory.Summary
	LastMessageAt time.Time
}

// lookedForSummaries bounds the recently used sessions that are searched for ended ones.
const lookedForSummaries = 50

// Summaries returns the summaries of the sessions that ended last, newest first, at most
// limit, without the session except. total counts those among the fifty most recently
// used sessions.
func (m *Manager) Summaries(ctx context.Context, agentID string, limit int, except string) (out []EndedSession, total int, err error) {
	a, err := m.agent(agentID)
	if err != nil || limit <= 0 {
		return nil, 0, err
	}
	err = m.view(ctx, func(tx *store.Tx) error {
		seen := 0
		for s, err := range tx.Sessions(a.id) {
			if err != nil {
				return err
			}
			if seen++; seen > lookedForSummaries {
				break
			}
			if s.State == memory.SessionActive || s.ID == except || s.Summary == nil || s.Summary.Line() == "" {
				continue
			}
			if total++; len(out) < limit {
				out = append(out, EndedSession{Summary: *s.Summary, LastMessageAt: s.LastMessageAt})
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("reading summaries: %w", err)
	}
	return out, total, nil
}

// SummaryLimit returns how many summaries are sent with a message; 0 means none.
func (m *Manager) SummaryLimit() int { return m.cfg().SummaryLimit }
