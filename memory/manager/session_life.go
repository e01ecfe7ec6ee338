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

// ArchiveSession ends a session (S10).
func (m *Manager) ArchiveSession(_ context.Context, agentID, id string) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	if err := m.update(a, func(t *tx) error { return errors.Join(t.onlyHeard(id), t.archive(id)) }); err != nil {
		return fmt.Errorf("archiving session %s: %w", id, err)
	}
	return nil
}

// Place says where a message belongs.
type Place struct {
	SessionID string // empty: a new session
	NewID     string // the id of a new session; empty: any
	Archive   string // the session that ends by it; empty: none
	// Judgement stays with the message; nil when nothing was judged (S3).
	Judgement *memory.Judgement
	// Forgetful keeps the turn from teaching anything, also after a crash.
	Forgetful bool
	// First is in a group the member who answers first.
	First string
}

// enter returns the session of a message, active, with the one before archived.
func (t *tx) enter(at Place, r memory.Record) (memory.Session, error) {
	if at.Archive != "" && at.Archive != at.SessionID {
		if err := t.archive(at.Archive); err != nil {
			return memory.Session{}, err
		}
	}
	return t.openSession(at.SessionID, at.NewID, r)
}

// openSession returns the session to go on with, active again, or a new one.
func (t *tx) openSession(id, newID string, first memory.Record) (memory.Session, error) {
	if id == "" {
		return memory.Session{
			ID: cmp.Or(newID, t.newID()), AgentID: t.a.id, State: memory.SessionActive,
			Title: titleOf(t.m.fetch(first).Asked()), CreatedAt: t.Now(),
		}, nil
	}
	s, err := t.Session(t.a.id, id)
	if err != nil {
		return s, err
	}
	if s.Group != "" && t.group == "" {
		return s, &HeardError{Group: s.Group, SessionID: s.ID}
	}
	err = t.activate(&s)
	return s, err
}

// activate opens a session that has ended.
func (t *tx) activate(s *memory.Session) error {
	if s.State == memory.SessionActive {
		return nil
	}
	if err := t.rollBack(s); err != nil {
		return err
	}
	s.State, s.ArchivedAt = memory.SessionActive, time.Time{}
	s.Epoch++
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

// archive ends a session (S2, S6, S10): its working memory goes to the session's
// record (W4), and what it comes to is queued, until when it is archiving (S8).
func (t *tx) archive(id string) error {
	s, err := t.Session(t.a.id, id)
	if errors.Is(err, ErrNotFound) || err == nil && (s.State != memory.SessionActive || s.Group != "" && t.group == "") {
		return nil // what was heard in a group ends with its session
	}
	if err != nil {
		return err
	}
	if err := errors.Join(t.endHeard(id), t.endWorking(&s)); err != nil {
		return err
	}
	s.State, s.ArchivedAt = memory.SessionArchived, t.Now()
	if err := t.queueEnd(&s); err != nil {
		return err
	}
	return t.PutSession(s)
}

// queueEnd queues the generation of a session that has ended. The caller writes
// the session.
func (t *tx) queueEnd(s *memory.Session) error {
	if s.Turns == 0 || s.Memories != memory.MemoriesNone {
		return nil
	}
	s.Generation, s.Memories, s.CoveredBefore = t.newID(), memory.MemoriesGenerating, s.Covered
	return t.queueConsolidation(*s, s.Generation)
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

// PutSession writes a session. One that has ended is archiving for as long as the
// memories of its end are being made.
func (t *tx) PutSession(s memory.Session) error {
	switch {
	case s.State == memory.SessionActive:
	case s.Memories == memory.MemoriesGenerating:
		s.State = memory.SessionArchiving
	default:
		s.State = memory.SessionArchived
	}
	return t.Tx.PutSession(s)
}
