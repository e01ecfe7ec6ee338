package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// The life of a session (drawn in chat's doc.go). Each state change goes through one of
// these functions, inside the caller's transaction:
//
//	              ──► active      newSession: a first message, a fork, an overruled judgement
//	active        ──► archiving   archive, queueEnd: it ends, and its generation is queued
//	archiving     ──► archived    endRead: the generation is written or given up
//	archived      ──► archiving   readAgain: a message or item of it was deleted or restored
//	both of these ──► active      activate: it is reopened, its generation rolled back (rollBack)
//	active        ──► gone        DropSession (store), when all its messages moved away;
//	                              deletions remove a session in any state
//
// Only PutSession writes the state. It tells archiving from archived by whether the
// generation is finished. The rest of the package only reads the state.

// Place says which session a message belongs to.
type Place struct {
	SessionID string // empty for a new session
	NewID     string // id of a new session; empty for any
	Archive   string // the session to archive; empty for none
	// Judgement is stored with the message; nil if nothing was judged (S3).
	Judgement *memory.Judgement
	// Forgetful keeps the turn from teaching anything, also after a crash.
	Forgetful bool
	// First is the member of a group that answers first.
	First string
	// Passive is the pause that ends a frame (P5b); 0 means the default.
	Passive time.Duration
}

// enterSession returns the active session for a message, and archives at.Archive.
func enterSession(t *write.Tx, at Place, r memory.Record) (memory.Session, error) {
	if at.Archive != "" && at.Archive != at.SessionID {
		if err := archiveSession(t, at.Archive); err != nil {
			return memory.Session{}, err
		}
	}
	return openSession(t, at.SessionID, at.NewID, r)
}

// openSession returns an existing session, reopened if needed, or a new one.
func openSession(t *write.Tx, id, newID string, first memory.Record) (memory.Session, error) {
	if id == "" {
		s := newSession(t, cmp.Or(newID, t.NewID()))
		s.Title = t.Core.Title(t.Core.Recall().Fetch(first).Asked())
		return s, nil
	}
	s, err := t.Session(t.Owner.ID, id)
	if err != nil {
		return s, err
	}
	if s.Group != "" && t.HeardIn == "" {
		return s, &write.GroupSessionError{Group: s.Group, SessionID: s.ID}
	}
	err = activate(t, &s)
	return s, err
}

// newSession returns a new session. The caller writes it.
func newSession(t *write.Tx, id string) memory.Session {
	return memory.Session{ID: id, AgentID: t.Owner.ID, State: memory.SessionActive, CreatedAt: t.Now()}
}

// ArchiveSession ends a session (S10).
func (m *Manager) ArchiveSession(ctx context.Context, agentID, id string) error {
	a, err := m.Agent(agentID)
	if err != nil {
		return err
	}
	if err := m.Update(ctx, a, func(t *write.Tx) error { return errors.Join(t.RefuseHeard(id), archiveSession(t, id)) }); err != nil {
		return fmt.Errorf("archiving session %s: %w", id, err)
	}
	return nil
}

// archiveSession ends a session (S2, S6, S10): its working memory is kept in the session's
// record (W4), and its generation is queued. It is archiving until that is done (S8).
func archiveSession(t *write.Tx, id string) error {
	s, err := t.Session(t.Owner.ID, id)
	if errors.Is(err, lookup.ErrNotFound) || err == nil && (s.State != memory.SessionActive || s.Group != "" && t.HeardIn == "") {
		return nil // a heard session ends with the group's
	}
	if err != nil {
		return err
	}
	if err := errors.Join(endForMembers(t, id), endWorking(t, &s)); err != nil {
		return err
	}
	s.State, s.ArchivedAt = memory.SessionArchived, t.Now()
	if s.Unkept = !t.Core.Keeps(s); s.Unkept {
		t.OnCommit(func() { t.Owner.Unkept.Store(true) })
	}
	if err := learning.QueueEnd(t, &s); err != nil {
		return err
	}
	return t.PutSession(s)
}

// readAgain queues the generation of an ended session again, under the same id. The
// caller writes the session.
func readAgain(t *write.Tx, s *memory.Session) error {
	s.Memories = memory.MemoriesGenerating
	return learning.QueueConsolidation(t, *s, s.Generation)
}

// resummarise queues new summaries of ended sessions that lost or regained messages.
func resummarise(t *write.Tx, left []store.Left) error {
	for _, l := range left {
		s, err := t.Session(t.Owner.ID, l.Session)
		if lookup.Lacking(err) || err == nil && (s.State == memory.SessionActive || s.Memories == memory.MemoriesNone) {
			continue
		}
		if err != nil {
			return err
		}
		if err := errors.Join(readAgain(t, &s), t.PutSession(s)); err != nil {
			return err
		}
	}
	return nil
}

// activate reopens an ended session.
func activate(t *write.Tx, s *memory.Session) error {
	if s.State == memory.SessionActive {
		return nil
	}
	if err := rollBack(t, s); err != nil {
		return err
	}
	s.State, s.ArchivedAt, s.Unkept = memory.SessionActive, time.Time{}, false
	s.Epoch++
	return nil
}

// rollBack undoes a session's generation, finished or not (S5): it removes the summary,
// undoes changes to items that were not changed since, and invalidates queued and running
// jobs by a new epoch. The caller writes the session.
func rollBack(t *write.Tx, s *memory.Session) error {
	if s.Memories == memory.MemoriesNone {
		return nil
	}
	if err := learning.DropConsolidations(t, s.ID); err != nil {
		return err
	}
	plan, err := lookup.NewLedger(t.Tx, t.Owner.ID).PlanGeneration(s.Generation)
	if err != nil && !errors.Is(err, lookup.ErrNotFound) { // the generation may have changed nothing
		return err
	}
	if _, err := learning.ApplyPlan(t, plan, memory.OriginSystem); err != nil {
		return err
	}
	if was := s.Summary; was != nil && !s.Named && s.Title == was.Title {
		if s.Title, err = firstTitle(t, *s); err != nil {
			return err
		}
	}
	s.Generation, s.Memories, s.Summary, s.Covered = "", memory.MemoriesNone, nil, s.CoveredBefore
	id := s.ID
	t.OnCommit(func() {
		t.Core.Log.Warn("Resurrecting archived session, memory rollback triggered.", "agent", t.Owner.ID, "session", id)
	})
	return nil
}

// firstTitle returns the title from the first message of the branch that is no greeting and not only
// addressed to the memory (S13), or else from the first message.
func firstTitle(t *write.Tx, s memory.Session) (title string, err error) {
	records, err := lookup.RecordsOf(t.Tx, s, 0, true)
	if err != nil {
		return "", err
	}
	for _, r := range records {
		if r.Role != memory.RoleUser || r.NotForMemory || ignoredIn(s, r) {
			continue
		}
		r = t.Core.Recall().Fetch(r)
		of := t.Core.Title(r.Asked())
		if _, asks := instruct.Read(r.Content, r.Spans); !asks && !isGreeting(of) {
			return of, nil
		}
		title = cmp.Or(title, of)
	}
	return title, nil
}

// writeSession writes a session and returns it as stored.
func writeSession(t *write.Tx, s memory.Session) (memory.Session, error) {
	if err := t.PutSession(s); err != nil {
		return s, err
	}
	return t.Session(t.Owner.ID, s.ID)
}
