package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/store"
	"memoria/memory/store/queue"
)

// Turn is a turn that has begun.
type Turn struct {
	Session memory.Session
	Record  memory.Record // the user's message in its session
	Working memory.Working
	// Left are the turns replaced by an edited message; nil if it replaces none.
	Left *LeftTurns
	// Heard are the working memories of a group's members.
	Heard map[string]memory.Working
	// Learned are the changes by rules from the message, by agent; see
	// [learning.Writer.LearnTurn]. BeginTurn leaves it empty.
	Learned map[string][]memory.Change
}

// BeginTurn moves an incoming message into its session, creates a new session if needed,
// and archives the previous one, in one write (A1, S2, W2, W3).
func (m *Manager) BeginTurn(ctx context.Context, agentID, incomingID string, at Place) (Turn, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return Turn{}, err
	}
	var turn Turn
	err = m.Update(ctx, a, func(t *write.Tx) error {
		r, err := t.TakeIncoming(a.ID, incomingID)
		if err != nil {
			return err
		}
		turn, err = beginTurn(t, r, at)
		return err
	})
	if err != nil {
		return Turn{}, fmt.Errorf("beginning a turn: %w", err)
	}
	turn.Record = m.Recall().Fetch(turn.Record)
	return turn, nil
}

// offRecordRead is the longest message that beginTurn searches for a request not to remember it, since it
// does so in a transaction: 9 ms for this length.
const offRecordRead = 16 << 10 // bytes

// isGreeting reports whether a title says nothing about its session, so that the next message gives a better one:
// a greeting, a "yes", an order to the memory.
func isGreeting(title string) bool {
	aside, _ := instruct.ReadAside(title, nil)
	_, orders := instruct.Read(title, nil)
	_, replies := instruct.ReadReply(title, nil, 2)
	return title == "" || aside != "" && aside != instruct.AsksDate || orders || replies
}

// onlyToMemory reports whether a message only says something to the memory that is kept out of it, so that it is no title.
func onlyToMemory(r memory.Record) bool {
	switch kind, _ := instruct.ReadAside(r.Content, r.Spans); kind {
	case instruct.AsksInbox, instruct.AsksTrash, instruct.NeverMind, instruct.Standing, instruct.Resumes:
		return true
	}
	d, decides := instruct.ReadDecision(r.Content, r.Spans, 1)
	_, spares := instruct.Spares(r.Content, r.Spans)
	return decides && (d.Sure || !d.Bare) || spares
}

// beginTurn is BeginTurn for a message that is no longer incoming.
func beginTurn(t *write.Tx, r memory.Record, at Place) (Turn, error) {
	s, err := enterSession(t, at, r)
	if err != nil {
		return Turn{}, err
	}
	left, err := applyEdit(t, &s, &r)
	if err != nil {
		return Turn{}, err
	}
	r.SessionID, r.ParentID, r.Status, r.Judgement = s.ID, s.LastRecordID, memory.StatusComplete, at.Judgement
	if r.Frame, err = learning.FrameOf(t, s, r, at.Passive); err != nil {
		return Turn{}, err
	}
	r.NotForMemory = r.NotForMemory || offRecord(t, r)
	titled := !s.Named && s.Summary == nil
	says := !r.NotForMemory && !onlyToMemory(t.Core.Recall().Fetch(r))
	if r.Root = r.ParentID == "" && s.Messages > 0; titled && says && (r.Root || isGreeting(s.Title)) {
		s.Title = t.Core.Title(t.Core.Recall().Fetch(r).Asked())
	} else if !says && titled && s.Messages == 0 {
		s.Title = "" // the next message sets it
	}
	if at.Forgetful {
		r.Metadata.Forgetful = true
	}
	s.LastRecordID, s.LastMessageAt = r.ID, t.Now()
	s.Turns++
	s.Messages++
	w, err := countTurn(t, s)
	if err != nil {
		return Turn{}, err
	}
	s.Kept, s.Question = nil, nextQuestion(s.Question, r.ID)
	if err := t.AppendRecord(r); err != nil {
		return Turn{}, err
	}
	turn := Turn{Session: s, Record: r, Working: w, Left: left}
	if turn.Heard, err = shareMessage(t, s, r); err != nil {
		return Turn{}, err
	}
	if err := errors.Join(queueRules(t, r), storeEmptyPartial(t, r, at.First, at.Forgetful)); err != nil {
		return Turn{}, err
	}
	turn.Session, err = writeSession(t, s)
	return turn, err
}

// offRecord reports whether a message outside games and tasks asks not to be remembered (U5).
func offRecord(t *write.Tx, r memory.Record) bool {
	said := t.Core.Recall().Fetch(r).Typed()
	return len(said) <= offRecordRead && t.Core.Policy().OffRecord(said) && !r.Frame.Covers(0, len(r.Content))
}

// RetryTurn prepares a message in a session to be answered again. In one write the
// session becomes active and the turn unanswered. Working memory is the version that the
// turn saw, not the current one (C5).
func (m *Manager) RetryTurn(ctx context.Context, r memory.Record, at Place) (Turn, error) {
	a, err := m.Agent(r.AgentID)
	if err != nil {
		return Turn{}, err
	}
	turn := Turn{Record: r}
	err = m.Update(ctx, a, func(t *write.Tx) error {
		at.SessionID = r.SessionID
		s, err := enterSession(t, at, r)
		if err != nil {
			return err
		}
		if err := bringBack(t, &s); err != nil {
			return err
		}
		if p, err := t.Package(a.ID, r.TurnID); err == nil {
			turn.Working, err = t.WorkingVersion(a.ID, s.ID, p.Turn)
			if err != nil && !errors.Is(err, lookup.ErrNotFound) {
				return err
			}
			turn.Working.TurnCount = p.Turn // the turn number of the original session
		}
		turn.Session = s
		if turn.Heard, err = reopenForMembers(t, s, r); err != nil {
			return err
		}
		if err := storeEmptyPartial(t, r, at.First, at.Forgetful); err != nil {
			return err
		}
		return t.PutSession(s)
	})
	if err != nil {
		return Turn{}, fmt.Errorf("trying a turn again: %w", err)
	}
	return turn, nil
}

// storeEmptyPartial stores an empty partial answer, in case the program crashes before
// the first words.
func storeEmptyPartial(t *write.Tx, r memory.Record, by string, dontLearn bool) error {
	p := partialOf(r, t.Now(), dontLearn)
	p.Sender, p.Metadata.Ruled = by, true
	if said, err := t.Record(t.Owner.ID, r.ID); err == nil && said.TurnID != r.TurnID {
		p.Metadata.Answers = r.ID
	}
	return t.PutPartial(p)
}

// partialOf returns an empty partial answer to a message.
func partialOf(r memory.Record, now time.Time, dontLearn bool) memory.Record {
	return memory.Record{
		AgentID: r.AgentID, SessionID: r.SessionID, TurnID: r.TurnID, Role: memory.RoleAssistant,
		Status: memory.StatusInterrupted, Timestamp: now, Metadata: memory.RecordMetadata{Forgetful: dontLearn},
	}
}

// inSession returns an error if the session was deleted meanwhile.
func inSession(t *write.Tx, id string) error {
	there, err := t.HasSession(t.Owner.ID, id)
	if err == nil && !there {
		err = fmt.Errorf("session %s: %w", id, lookup.ErrNotFound)
	}
	return err
}

// SavePartial stores a partial answer, in case the program crashes.
func (m *Manager) SavePartial(ctx context.Context, r memory.Record) error {
	a, err := m.Agent(r.AgentID)
	if err != nil {
		return err
	}
	return m.Update(ctx, a, func(t *write.Tx) error {
		if err := inSession(t, r.SessionID); err != nil {
			return err
		}
		before, err := t.Partial(a.ID, r.TurnID)
		if err != nil && !errors.Is(err, lookup.ErrNotFound) {
			return err
		}
		r.Timestamp, r.Metadata = t.Now(), before.Metadata
		return t.PutPartial(r)
	})
}

// FinishTurn writes the answer, whatever its status, and queues learning from the turn,
// in one write (L2). reply needs agent, session, turn, role, content and status; id,
// parent and a missing time are filled in.
//
// In a group, reply is the answer of one member, its Sender; next are the members still
// to answer in this turn. Learning for members who only heard the turn is queued with the
// last answer.
func (m *Manager) FinishTurn(ctx context.Context, reply memory.Record, learn bool, next ...string) (memory.Record, error) {
	a, err := m.Agent(reply.AgentID)
	if err != nil {
		return memory.Record{}, err
	}
	reply.ID = m.IDs.New(m.Now())
	stored, err := m.files.StoreLong(ctx, reply)
	if err != nil {
		return memory.Record{}, fmt.Errorf("storing an answer: %w", err)
	}
	err = m.Update(ctx, a, func(t *write.Tx) error {
		written, err := finishTurn(t, stored, learn, next...)
		reply.ParentID, reply.Timestamp, reply.Metadata = written.ParentID, written.Timestamp, written.Metadata
		return err
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("storing an answer: %w", err)
	}
	return reply, nil
}

// finishTurn is FinishTurn for an answer with an id and stored content.
func finishTurn(t *write.Tx, stored memory.Record, learn bool, next ...string) (memory.Record, error) {
	s, err := t.Session(t.Owner.ID, stored.SessionID)
	if err != nil {
		return stored, err
	}
	if stored.ParentID = s.LastRecordID; stored.Timestamp.IsZero() {
		stored.Timestamp = t.Now()
	}
	if stored.NotForMemory, err = answersWithheld(t, stored); err != nil {
		return stored, err
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
	if partial, err := t.Partial(t.Owner.ID, stored.TurnID); err == nil {
		about = analysed{said: partial.Metadata.Answers, ruled: partial.Metadata.Ruled}
		stored.Metadata.Answers = about.said
	}
	if err := t.DeletePartial(t.Owner.ID, stored.TurnID); err != nil {
		return stored, err
	}
	if err := errors.Join(t.AppendRecord(stored), touchProfile(t, stored.TurnID)); err != nil {
		return stored, err
	}
	if t.IsGroup() {
		return stored, errors.Join(t.PutSession(s), shareReply(t, stored, learn, about.ruled, next))
	}
	if learn {
		if err := queueAnalysis(t, s, stored, about); err != nil {
			return stored, err
		}
	}
	return stored, t.PutSession(s)
}

// answersWithheld reports whether an answer belongs to a message that is not for memory: it may repeat it.
// The program's own answers are withheld without a mark.
func answersWithheld(t *write.Tx, reply memory.Record) (bool, error) {
	if reply.Own() || reply.ParentID == "" {
		return reply.NotForMemory, nil
	}
	for r, err := range t.Path(t.Owner.ID, reply.ParentID) {
		switch {
		case lookup.Lacking(err):
			return false, nil
		case err != nil || r.TurnID != reply.TurnID:
			return false, err
		case r.Role == memory.RoleUser:
			return r.NotForMemory, nil
		}
	}
	return false, nil
}

// queueRules queues learning by rules from a user message, in the write that adds it to
// its session (L2). For a group nothing is queued; its members learn.
func queueRules(t *write.Tx, r memory.Record) error {
	if t.IsGroup() || r.Forgetful() {
		return nil
	}
	return t.PutJob(queue.Job{
		ID: t.NewID(), AgentID: t.Owner.ID, Kind: queue.Rules,
		SessionID: r.SessionID, TurnID: r.TurnID, RecordID: r.ID, CreatedAt: t.Now(),
	})
}

// analysed describes the subject of an analysis: the message, if it is from another turn
// than its answer, and whether the rules have read it.
type analysed struct {
	said  string
	ruled bool
}

// queueAnalysis queues learning from a turn with the last record last, and from its
// session.
func queueAnalysis(t *write.Tx, s memory.Session, last memory.Record, about analysed) error {
	job := queue.Job{
		ID: t.NewID(), AgentID: t.Owner.ID, Kind: queue.Analyse, SessionID: s.ID, TurnID: last.TurnID,
		RecordID: last.ID, SaidID: about.said, Ruled: about.ruled, CreatedAt: t.Now(),
	}
	return errors.Join(t.PutJob(job), learning.QueueRunning(t, s))
}

// Recover turns answers cut off by a crash into interrupted records and returns them.
// They keep the time of the crash, so that opening a session does not make it recent.
// Messages without a session remain for [lookup.Reader.Incoming]. Turns that a conversation
// of this process works on are left alone ([HeldTurns]).
func (m *Manager) Recover(ctx context.Context, agentID string) ([]memory.Record, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return nil, err
	}
	var cut []memory.Record
	err = m.View(ctx, func(tx *store.Tx) error {
		cut, err = tx.Partials(a.ID)
		return err
	})
	cut = slices.DeleteFunc(cut, func(r memory.Record) bool { return m.Held.Has(r.TurnID) })
	for i := range cut {
		cut[i].Status = memory.StatusInterrupted
		learn := !cut[i].Forgetful()
		cut[i].Metadata = memory.RecordMetadata{Error: "the program ended before this answer was complete"}
		var ferr error
		if cut[i], ferr = m.FinishTurn(ctx, cut[i], learn); ferr != nil {
			return nil, ferr
		}
	}
	return cut, err
}
