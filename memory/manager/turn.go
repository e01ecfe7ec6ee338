package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/store"
)

// KeepIncoming writes what the user sent, before its session is known. When it
// returns, the words have reached the disk (A1).
func (m *Manager) KeepIncoming(ctx context.Context, agentID, said string, spans []memory.Span) (memory.Record, error) {
	return m.KeepEdited(ctx, agentID, said, spans, "")
}

// KeepEdited is KeepIncoming for a message that takes the place of another; see
// [Editing]. It does so also when another process begins its turn.
func (m *Manager) KeepEdited(_ context.Context, agentID, said string, spans []memory.Span, id string) (memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	if !utf8.ValidString(said) {
		return memory.Record{}, fmt.Errorf("keeping a message: %w: it is not UTF-8", ErrInvalid)
	}
	now := m.now()
	r := memory.Record{
		ID: m.ids.New(now), AgentID: a.id, TurnID: m.ids.New(now), Role: memory.RoleUser,
		Content: said, Spans: spans, Status: memory.StatusIncoming,
	}
	r = Editing(r, id)
	kept, err := m.putAside(r)
	if err != nil {
		return memory.Record{}, fmt.Errorf("keeping a message: %w", err)
	}
	err = m.update(a, func(t *tx) error {
		r.Timestamp, kept.Timestamp = t.Now(), t.Now()
		return t.PutIncoming(kept)
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("keeping a message: %w", err)
	}
	return r, nil
}

// DropIncoming takes a message back that has no session yet (C8).
func (m *Manager) DropIncoming(_ context.Context, agentID, id string) (memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	var r memory.Record
	err = m.update(a, func(t *tx) (err error) {
		r, err = t.TakeIncoming(a.id, id)
		return err
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("taking a message back: %w", err)
	}
	whole := m.fetch(r)
	m.removeAside(r)
	return whole, nil
}

// Incoming returns the messages that have no session yet, oldest first: those
// of a crash, at the start.
func (m *Manager) Incoming(_ context.Context, agentID string) ([]memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	var out []memory.Record
	err = m.store.View(func(tx *store.Tx) error {
		out, err = tx.Incoming(a.id)
		return err
	})
	return m.fetchAll(out), err
}

// Turn is a turn that has begun.
type Turn struct {
	Session memory.Session
	Record  memory.Record // the user's message, in its session
	Working memory.Working
	// Left are the turns that an edited message left; nil when it edits none.
	Left *LeftTurns
	// Heard are in a group the working memories of its members.
	Heard map[string]memory.Working
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

// BeginTurn moves an incoming message into its session, makes that when it is a
// new one, and archives the one before. All of it is one write (A1, S2, W2, W3).
func (m *Manager) BeginTurn(_ context.Context, agentID, incomingID string, at Place) (Turn, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Turn{}, err
	}
	var turn Turn
	err = m.update(a, func(t *tx) error {
		r, err := t.TakeIncoming(a.id, incomingID)
		if err != nil {
			return err
		}
		turn, err = t.beginTurn(r, at)
		return err
	})
	if err != nil {
		return Turn{}, fmt.Errorf("beginning a turn: %w", err)
	}
	turn.Record = m.fetch(turn.Record)
	return turn, nil
}

// beginTurn is BeginTurn for a message that is not incoming any more.
func (t *tx) beginTurn(r memory.Record, at Place) (Turn, error) {
	s, err := t.enter(at, r)
	if err != nil {
		return Turn{}, err
	}
	left, err := t.branchOff(&s, &r)
	if err != nil {
		return Turn{}, err
	}
	r.SessionID, r.ParentID, r.Status, r.Judgement = s.ID, s.LastRecordID, memory.StatusComplete, at.Judgement
	if r.Root = r.ParentID == "" && s.Messages > 0; (r.Root || s.Title == "") && !s.Named && s.Summary == nil {
		s.Title = titleOf(t.m.fetch(r).Asked())
	}
	if at.Forgetful {
		r.Metadata = setting(r.Metadata, forgetful, "true")
	}
	s.LastRecordID, s.LastMessageAt = r.ID, t.Now()
	s.Turns++
	s.Messages++
	w, err := t.countTurn(s)
	if err != nil {
		return Turn{}, err
	}
	s.Kept = nil
	if err := t.AppendRecord(r); err != nil {
		return Turn{}, err
	}
	turn := Turn{Session: s, Record: r, Working: w, Left: left}
	if turn.Heard, err = t.tell(s, r); err != nil {
		return Turn{}, err
	}
	if err := t.unanswered(r, at.First, at.Forgetful); err != nil {
		return Turn{}, err
	}
	return turn, t.PutSession(s)
}

// RetryTurn lets a message be answered again that has its session already: in
// one write that session becomes the active one, and the turn is unanswered
// again. Working memory is what the turn saw, not what it is now (C5).
func (m *Manager) RetryTurn(_ context.Context, r memory.Record, at Place) (Turn, error) {
	a, err := m.agent(r.AgentID)
	if err != nil {
		return Turn{}, err
	}
	turn := Turn{Record: r}
	err = m.update(a, func(t *tx) error {
		at.SessionID = r.SessionID
		s, err := t.enter(at, r)
		if err != nil {
			return err
		}
		if err := t.bringBack(&s); err != nil {
			return err
		}
		if p, err := t.Package(a.id, r.TurnID); err == nil {
			turn.Working, err = t.WorkingVersion(a.id, s.ID, p.Turn)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			turn.Working.TurnCount = p.Turn // it had another number where it was said
		}
		turn.Session = s
		if turn.Heard, err = t.reopen(s, r); err != nil {
			return err
		}
		if err := t.unanswered(r, at.First, at.Forgetful); err != nil {
			return err
		}
		return t.PutSession(s)
	})
	if err != nil {
		return Turn{}, fmt.Errorf("trying a turn again: %w", err)
	}
	return turn, nil
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

// forgetful marks the message, and the partial answer, of a turn that must not
// teach anything.
const forgetful = "forgetful"

// unanswered keeps an answer of no words, in case the program dies before the
// first one.
func (t *tx) unanswered(r memory.Record, by string, dontLearn bool) error {
	p := partialOf(r, t.Now(), dontLearn)
	p.Sender = by
	if said, err := t.Record(t.a.id, r.ID); err == nil && said.TurnID != r.TurnID {
		p.Metadata = setting(p.Metadata, answered, r.ID)
	}
	return t.PutPartial(p)
}

// partialOf is an answer of no words to a message.
func partialOf(r memory.Record, now time.Time, dontLearn bool) memory.Record {
	p := memory.Record{
		AgentID: r.AgentID, SessionID: r.SessionID, TurnID: r.TurnID, Role: memory.RoleAssistant,
		Status: memory.StatusInterrupted, Timestamp: now,
	}
	if dontLearn {
		p.Metadata = map[string]string{forgetful: "true"}
	}
	return p
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

// countTurn makes or counts the session's working memory (W2, W3). What the
// session kept of an earlier one comes back with its count (W4).
func (t *tx) countTurn(s memory.Session) (memory.Working, error) {
	w, err := t.Working(t.a.id, s.ID)
	missing := errors.Is(err, ErrNotFound) || store.Unreadable(err)
	switch {
	case missing && s.Kept != nil:
		w = *s.Kept
	case missing:
		w = memory.Working{SessionID: s.ID, ContextVariables: map[string]string{}, TurnCount: s.Turns - 1, CreatedAt: t.Now()}
	case err != nil:
		return w, err
	}
	w.ContextVariables = maps.Clone(w.ContextVariables)
	w.TurnCount++
	w.UpdatedAt = t.Now()
	return w, t.PutWorking(t.a.id, w)
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

// inSession keeps a turn from writing into a session that was deleted meanwhile.
func (t *tx) inSession(id string) error {
	there, err := t.HasSession(t.a.id, id)
	if err == nil && !there {
		err = fmt.Errorf("session %s: %w", id, ErrNotFound)
	}
	return err
}

// SavePartial keeps what has arrived of an answer, in case the program dies.
func (m *Manager) SavePartial(_ context.Context, r memory.Record) error {
	a, err := m.agent(r.AgentID)
	if err != nil {
		return err
	}
	return m.update(a, func(t *tx) error {
		if err := t.inSession(r.SessionID); err != nil {
			return err
		}
		before, err := t.Partial(a.id, r.TurnID)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		r.Timestamp, r.Metadata = t.Now(), before.Metadata
		return t.PutPartial(r)
	})
}

// FinishTurn writes the answer, whatever became of it, and queues what the turn
// teaches, in one write (L2). reply needs agent, session, turn, role, content
// and status; id and parent are filled in, and the time where it has none.
//
// In a group it is the answer of one member, the Sender; next are those who answer
// after it in this turn. What the turn teaches the members who only heard it is queued
// with the last answer.
func (m *Manager) FinishTurn(_ context.Context, reply memory.Record, learn bool, next ...string) (memory.Record, error) {
	a, err := m.agent(reply.AgentID)
	if err != nil {
		return memory.Record{}, err
	}
	reply.ID = m.ids.New(m.now())
	stored, err := m.putAside(reply)
	if err != nil {
		return memory.Record{}, fmt.Errorf("storing an answer: %w", err)
	}
	err = m.update(a, func(t *tx) error {
		written, err := t.finishTurn(stored, learn, next...)
		reply.ParentID, reply.Timestamp, reply.Metadata = written.ParentID, written.Timestamp, written.Metadata
		return err
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("storing an answer: %w", err)
	}
	return reply, nil
}

// finishTurn is FinishTurn for an answer that has its id and lies where it
// should.
func (t *tx) finishTurn(stored memory.Record, learn bool, next ...string) (memory.Record, error) {
	s, err := t.Session(t.a.id, stored.SessionID)
	if err != nil {
		return stored, err
	}
	if stored.ParentID = s.LastRecordID; stored.Timestamp.IsZero() {
		stored.Timestamp = t.Now()
	}
	s.LastRecordID = stored.ID
	if stored.Timestamp.After(s.LastMessageAt) {
		s.LastMessageAt = stored.Timestamp
	}
	s.Messages++
	if u := stored.Usage; u != nil {
		s.TokensIn += u.PromptTokens
		s.TokensOut += u.CompletionTokens
	}
	said := ""
	if partial, err := t.Partial(t.a.id, stored.TurnID); err == nil {
		said = partial.Metadata[answered]
		stored.Metadata = setting(stored.Metadata, answered, said)
	}
	if err := t.DeletePartial(t.a.id, stored.TurnID); err != nil {
		return stored, err
	}
	if err := errors.Join(t.AppendRecord(stored), t.touchProfile(stored.TurnID)); err != nil {
		return stored, err
	}
	if t.isGroup() {
		return stored, errors.Join(t.PutSession(s), t.tellReply(stored, learn, next))
	}
	if learn {
		if err := t.queueAnalysis(s, stored, said); err != nil {
			return stored, err
		}
	}
	return stored, t.PutSession(s)
}

// queueAnalysis queues what a turn teaches, last being its last record, and what its
// session comes to. said is the message that it answers where that is of another turn.
func (t *tx) queueAnalysis(s memory.Session, last memory.Record, said string) error {
	job := store.Job{
		ID: t.newID(), AgentID: t.a.id, Kind: store.JobAnalyse,
		SessionID: s.ID, TurnID: last.TurnID, RecordID: last.ID, SaidID: said, CreatedAt: t.Now(),
	}
	return errors.Join(t.PutJob(job), t.queueRunning(s))
}

// Recover turns the answers that a crash cut off into interrupted records and
// returns them. They keep the time of the crash, so that a session does not seem
// to go on by being looked at. Messages without a session stay for
// [Manager.Incoming].
func (m *Manager) Recover(ctx context.Context, agentID string) ([]memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	var cut []memory.Record
	err = m.store.View(func(tx *store.Tx) error {
		cut, err = tx.Partials(a.id)
		return err
	})
	for i := range cut {
		cut[i].Status = memory.StatusInterrupted
		learn := cut[i].Metadata[forgetful] == ""
		cut[i].Metadata = map[string]string{"error": "the program ended before this answer was complete"}
		var ferr error
		if cut[i], ferr = m.FinishTurn(ctx, cut[i], learn); ferr != nil {
			return nil, ferr
		}
	}
	return cut, err
}
