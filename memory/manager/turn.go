package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/store"
)

// Turn is a turn that has begun.
type Turn struct {
	Session memory.Session
	Record  memory.Record // the user's message, in its session
	Working memory.Working
	// Left are the turns that an edited message left; nil when it edits none.
	Left *LeftTurns
	// Heard are in a group the working memories of its members.
	Heard map[string]memory.Working
	// Learned is what the rules made of the message, by who remembers it; see
	// [Manager.LearnTurn]. Beginning a turn leaves it empty.
	Learned map[string][]memory.Change
}

// BeginTurn moves an incoming message into its session, makes that when it is a
// new one, and archives the one before. All of it is one write (A1, S2, W2, W3).
func (m *Manager) BeginTurn(ctx context.Context, agentID, incomingID string, at Place) (Turn, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Turn{}, err
	}
	var turn Turn
	err = m.update(ctx, a, func(t *tx) error {
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
	turn.Record = m.recall.Fetch(turn.Record)
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
		s.Title = t.m.title(t.m.recall.Fetch(r).Asked())
	}
	if r.Frame, err = t.frameOf(s, r, at.Passive); err != nil {
		return Turn{}, err
	}
	if at.Forgetful {
		r.Metadata = setting(r.Metadata, memory.MetaForgetful, "true")
	}
	s.LastRecordID, s.LastMessageAt = r.ID, t.Now()
	s.Turns++
	s.Messages++
	w, err := t.countTurn(s)
	if err != nil {
		return Turn{}, err
	}
	s.Kept, s.Question = nil, nextQuestion(s.Question, r.ID)
	if err := t.AppendRecord(r); err != nil {
		return Turn{}, err
	}
	turn := Turn{Session: s, Record: r, Working: w, Left: left}
	if turn.Heard, err = t.tell(s, r); err != nil {
		return Turn{}, err
	}
	if err := errors.Join(t.queueRules(r), t.unanswered(r, at.First, at.Forgetful)); err != nil {
		return Turn{}, err
	}
	turn.Session, err = t.written(s)
	return turn, err
}

// RetryTurn lets a message be answered again that has its session already: in
// one write that session becomes the active one, and the turn is unanswered
// again. Working memory is what the turn saw, not what it is now (C5).
func (m *Manager) RetryTurn(ctx context.Context, r memory.Record, at Place) (Turn, error) {
	a, err := m.agent(r.AgentID)
	if err != nil {
		return Turn{}, err
	}
	turn := Turn{Record: r}
	err = m.update(ctx, a, func(t *tx) error {
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

// ruled marks the partial answer to a message that has, or had, a job for the rules.
// One without the mark is from an earlier version of this program.
const ruled = "ruled"

// unanswered keeps an answer of no words, in case the program dies before the
// first one.
func (t *tx) unanswered(r memory.Record, by string, dontLearn bool) error {
	p := partialOf(r, t.Now(), dontLearn)
	p.Sender, p.Metadata = by, setting(p.Metadata, ruled, "true")
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
		p.Metadata = map[string]string{memory.MetaForgetful: "true"}
	}
	return p
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
func (m *Manager) SavePartial(ctx context.Context, r memory.Record) error {
	a, err := m.agent(r.AgentID)
	if err != nil {
		return err
	}
	return m.update(ctx, a, func(t *tx) error {
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
func (m *Manager) FinishTurn(ctx context.Context, reply memory.Record, learn bool, next ...string) (memory.Record, error) {
	a, err := m.agent(reply.AgentID)
	if err != nil {
		return memory.Record{}, err
	}
	reply.ID = m.ids.New(m.now())
	stored, err := m.putAside(ctx, reply)
	if err != nil {
		return memory.Record{}, fmt.Errorf("storing an answer: %w", err)
	}
	err = m.update(ctx, a, func(t *tx) error {
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
	about := analysed{}
	if partial, err := t.Partial(t.a.id, stored.TurnID); err == nil {
		about = analysed{said: partial.Metadata[answered], ruled: partial.Metadata[ruled] != ""}
		stored.Metadata = setting(stored.Metadata, answered, about.said)
	}
	if err := t.DeletePartial(t.a.id, stored.TurnID); err != nil {
		return stored, err
	}
	if err := errors.Join(t.AppendRecord(stored), t.touchProfile(stored.TurnID)); err != nil {
		return stored, err
	}
	if t.isGroup() {
		return stored, errors.Join(t.PutSession(s), t.tellReply(stored, learn, about.ruled, next))
	}
	if learn {
		if err := t.queueAnalysis(s, stored, about); err != nil {
			return stored, err
		}
	}
	return stored, t.PutSession(s)
}

// queueRules queues what the rules learn from a message of the user, in the write that
// puts it into its session (L2). A group learns nothing itself, its members do.
func (t *tx) queueRules(r memory.Record) error {
	if t.isGroup() || r.Forgetful() {
		return nil
	}
	return t.PutJob(store.Job{
		ID: t.newID(), AgentID: t.a.id, Kind: store.JobRules,
		SessionID: r.SessionID, TurnID: r.TurnID, RecordID: r.ID, CreatedAt: t.Now(),
	})
}

// analysed says what an analysis is about: the message, where that is of another turn
// than its answer, and whether the rules have read it.
type analysed struct {
	said  string
	ruled bool
}

// queueAnalysis queues what a turn teaches, last being its last record, and what its
// session comes to.
func (t *tx) queueAnalysis(s memory.Session, last memory.Record, about analysed) error {
	job := store.Job{
		ID: t.newID(), AgentID: t.a.id, Kind: store.JobAnalyse, SessionID: s.ID, TurnID: last.TurnID,
		RecordID: last.ID, SaidID: about.said, Ruled: about.ruled, CreatedAt: t.Now(),
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
	err = m.view(ctx, func(tx *store.Tx) error {
		cut, err = tx.Partials(a.id)
		return err
	})
	for i := range cut {
		cut[i].Status = memory.StatusInterrupted
		learn := !cut[i].Forgetful()
		cut[i].Metadata = map[string]string{"error": "the program ended before this answer was complete"}
		var ferr error
		if cut[i], ferr = m.FinishTurn(ctx, cut[i], learn); ferr != nil {
			return nil, ferr
		}
	}
	return cut, err
}
