package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/ledger"
	"memoria/memory/store"
)

// The life of a session (chat's doc.go draws it). Whoever brings a session from one state
// into another does it by one of these, each inside a transaction of the caller's:
//
//	              ──► active      newSession: a first message, a fork, an overruled judgement
//	active        ──► archiving   archive, queueEnd: it ends, and what it comes to is queued
//	archiving     ──► archived    endRead: that is written, or given up
//	archived      ──► archiving   readAgain: a message or memory of it was deleted, or came back
//	both of these ──► active      activate: it goes on, its end rolled back (rollBack)
//	active        ──► gone        DropSession (store), when all its messages moved away;
//	                              deleting, which takes a session in any state
//
// The state is written by PutSession alone, which tells archiving from archived by
// whether the memories of the end are still being made. The rest of the package
// reads it.

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
	// Passive is the pause that ends a frame (P5b); 0 is the default.
	Passive time.Duration
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
		s := t.newSession(cmp.Or(newID, t.newID()))
		s.Title = t.m.title(t.m.recall.Fetch(first).Asked())
		return s, nil
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

// newSession is a session that begins now. The caller writes it.
func (t *tx) newSession(id string) memory.Session {
	return memory.Session{ID: id, AgentID: t.a.id, State: memory.SessionActive, CreatedAt: t.Now()}
}

// ArchiveSession ends a session (S10).
func (m *Manager) ArchiveSession(ctx context.Context, agentID, id string) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	if err := m.update(ctx, a, func(t *tx) error { return errors.Join(t.onlyHeard(id), t.archive(id)) }); err != nil {
		return fmt.Errorf("archiving session %s: %w", id, err)
	}
	return nil
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
	if s.Unkept = !t.m.Keeps(s); s.Unkept {
		t.OnCommit(func() { t.a.unkept.Store(true) })
	}
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

// endRead says that what a session comes to is known, or that nobody will find out.
func endRead(s *memory.Session) { s.Memories = memory.MemoriesGenerated }

// readAgain queues the generation of an ended session again, under its id. The caller
// writes the session.
func (t *tx) readAgain(s *memory.Session) error {
	s.Memories = memory.MemoriesGenerating
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
		if err := errors.Join(t.readAgain(&s), t.PutSession(s)); err != nil {
			return err
		}
	}
	return nil
}

// activate opens a session that has ended.
func (t *tx) activate(s *memory.Session) error {
	if s.State == memory.SessionActive {
		return nil
	}
	if err := t.rollBack(s); err != nil {
		return err
	}
	s.State, s.ArchivedAt, s.Unkept = memory.SessionActive, time.Time{}, false
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

// firstTitle is the title that a session has by the first message of its branch that says
// something to somebody else than the memory (S13), or by the first where all are for it.
func (t *tx) firstTitle(s memory.Session) (title string, err error) {
	records, err := branch(t.Tx, s, 0, true)
	if err != nil {
		return "", err
	}
	for _, r := range records {
		if r.Role != memory.RoleUser || r.NotForMemory {
			continue
		}
		r = t.m.recall.Fetch(r)
		of := t.m.title(r.Asked())
		if _, asks := instruct.Read(r.Content, r.Spans); !asks {
			return of, nil
		}
		title = cmp.Or(title, of)
	}
	return title, nil
}

// written writes a session and returns it as it is then.
func (t *tx) written(s memory.Session) (memory.Session, error) {
	if err := t.PutSession(s); err != nil {
		return s, err
	}
	return t.Session(t.a.id, s.ID)
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
