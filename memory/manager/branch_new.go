package manager

import (
	"context"
	"errors"
	"fmt"

	"memoria/memory"
)

// AnewTurn lets a message be answered once more beside the answers that it has: in
// one write its session becomes the active one and its branch ends at the message.
// The answer is a turn of its own, which is that of Turn.Record.
func (m *Manager) AnewTurn(ctx context.Context, agentID, recordID string, at Place) (Turn, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Turn{}, err
	}
	var turn Turn
	err = m.update(ctx, a, func(t *tx) error {
		r, err := t.Record(a.id, recordID)
		if err != nil {
			return err
		}
		if r.Role != memory.RoleUser {
			return fmt.Errorf("%w: only a message of yours can be answered", ErrInvalid)
		}
		turn, err = t.anew(r, at)
		return err
	})
	if err != nil {
		return Turn{}, fmt.Errorf("answering anew: %w", err)
	}
	turn.Record = m.recall.Fetch(turn.Record)
	return turn, nil
}

func (t *tx) anew(r memory.Record, at Place) (Turn, error) {
	at.SessionID = r.SessionID
	s, err := t.enter(at, r)
	if err == nil {
		err = t.alone(s)
	}
	if err != nil {
		return Turn{}, err
	}
	if err := t.bringBack(&s); err != nil {
		return Turn{}, err
	}
	turn := Turn{Working: t.workingAt(s.ID, r.TurnID)}
	s.LastRecordID = r.ID
	r.TurnID = t.newID()
	if turn.Record = r; err == nil {
		err = t.unanswered(r, at.First, at.Forgetful)
	}
	if err == nil {
		turn.Session, err = t.written(s)
	}
	return turn, err
}

// edits names in a message the one whose place it takes.
const edits = "edits"

// Editing is the message r as one that takes the place of another of the user's, and
// goes on from there.
func Editing(r memory.Record, id string) memory.Record {
	r.Metadata = setting(r.Metadata, edits, id)
	return r
}

// EditedBy is the id of the message whose place an incoming one takes; empty when it
// takes none.
func EditedBy(r memory.Record) string { return r.Metadata[edits] }

// branchOff lets a message take the place of the one that it edits. When that is
// gone it is a message as any.
func (t *tx) branchOff(s *memory.Session, r *memory.Record) (*LeftTurns, error) {
	id := r.Metadata[edits]
	if id == "" {
		return nil, nil
	}
	old, err := t.Record(t.a.id, id)
	if lacking(err) || err == nil && (old.SessionID != s.ID || old.Role != memory.RoleUser) {
		r.Metadata = setting(r.Metadata, edits, "")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	left, err := t.leaveTo(s, id)
	if errors.Is(err, ErrNotFound) { // it stands in another branch, which goes on from here
		s.LastRecordID = old.ParentID
		return nil, nil
	}
	return &left, err
}

// Fork begins a session behind a message: what was said until there is its
// beginning and lies only once, where it was. The session archive, unless it is
// empty, is archived by it as by a new session (S10). recordID may be the beginning
// or end of an id.
func (m *Manager) Fork(ctx context.Context, agentID, recordID, archive string) (memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var s memory.Session
	err = m.update(ctx, a, func(t *tx) error {
		id, err := findRecordID(t.Tx, a.id, recordID)
		if err != nil {
			return err
		}
		r, err := t.Record(a.id, id)
		if err == nil && r.Heard != "" {
			err = ErrInGroup
		}
		if err == nil {
			err = t.alone(s)
		}
		if err != nil {
			return err
		}
		s = t.newSession(t.newID())
		s.LastMessageAt, s.LastRecordID = t.Now(), r.ID
		s.ForkedFrom = &memory.Fork{SessionID: r.SessionID, RecordID: r.ID}
		for _, err := range t.Path(a.id, r.ID) {
			if err != nil {
				return err
			}
			s.ForkedFrom.Messages++
		}
		if archive != "" {
			if err := t.archive(archive); err != nil {
				return err
			}
		}
		return t.PutSession(s)
	})
	if err != nil {
		return memory.Session{}, fmt.Errorf("forking behind message %s: %w", recordID, err)
	}
	return s, nil
}
