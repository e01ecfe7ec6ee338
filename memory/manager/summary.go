package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/ledger"
	"memoria/memory/store"
)

// summarise gives a session a new version of its summary and, unless the user
// named it, its title. said is whether he said anything that may be told; without a
// word nothing is written and the result is nil. The caller writes the session.
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

// resummarise lets a new summary be made of ended sessions whose messages went or
// came back.
func (t *tx) resummarise(left []store.Left) error {
	for _, l := range left {
		s, err := t.Session(t.a.id, l.Session)
		if lacking(err) || err == nil && (s.State == memory.SessionActive || s.Memories == memory.MemoriesNone) {
			continue
		}
		if err != nil {
			return err
		}
		s.Memories = memory.MemoriesGenerating
		if err := errors.Join(t.queueConsolidation(s, s.Generation), t.PutSession(s)); err != nil {
			return err
		}
	}
	return nil
}

// rollBack takes back what a session's end generated, finished or not (S5): the
// summary is gone, the items are as before as far as nobody touched them since, and
// what was queued or under way cannot write any more. The caller writes the
// session, with another epoch.
func (t *tx) rollBack(s *memory.Session) error {
	if s.Memories == memory.MemoriesNone {
		return nil
	}
	if err := t.dropConsolidations(s.ID); err != nil {
		return err
	}
	v := newLedger(t.Tx, t.a.id)
	all, err := t.GroupChanges(t.a.id, s.Generation)
	var plan ledger.Plan
	if err == nil {
		plan, err = v.planGroup(all, nil)
	}
	if err != nil && !errors.Is(err, ErrNotFound) { // it may have changed nothing
		return err
	}
	if _, err := t.carryOut(plan, memory.OriginSystem); err != nil {
		return err
	}
	if was := s.Summary; was != nil && !s.Named && s.Title == was.Title {
		if s.Title, err = t.firstTitle(*s); err != nil {
			return err
		}
	}
	s.Generation, s.Memories, s.Summary, s.Covered = "", memory.MemoriesNone, nil, s.CoveredBefore
	id := s.ID
	t.OnCommit(func() {
		t.m.log.Warn("Resurrecting archived session, memory rollback triggered.", "agent", t.a.id, "session", id)
	})
	return nil
}

// firstTitle is the title that a session has by the first message of its branch.
func (t *tx) firstTitle(s memory.Session) (string, error) {
	records, err := branch(t.Tx, s, 0, true)
	for _, r := range records {
		if r.Role == memory.RoleUser {
			return titleOf(t.m.fetch(r).Asked()), nil
		}
	}
	return "", err
}

// Ended is the summary of a session that has ended.
type Ended struct {
	memory.Summary
	LastMessageAt time.Time
}

// lookedForSummaries is how many of the sessions last used may be among the latest
// that ended.
const lookedForSummaries = 50

// Summaries returns the summaries of the sessions that ended last, the latest
// first, at most limit and not that of the session except. total is how many there
// are among the last fifty sessions.
func (m *Manager) Summaries(_ context.Context, agentID string, limit int, except string) (out []Ended, total int, err error) {
	a, err := m.agent(agentID)
	if err != nil || limit <= 0 {
		return nil, 0, err
	}
	err = m.store.View(func(tx *store.Tx) error {
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
				out = append(out, Ended{Summary: *s.Summary, LastMessageAt: s.LastMessageAt})
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("reading summaries: %w", err)
	}
	return out, total, nil
}

// SummaryLimit is how many summaries go with a message; 0 is none.
func (m *Manager) SummaryLimit() int { return m.cfg().SummaryLimit }
