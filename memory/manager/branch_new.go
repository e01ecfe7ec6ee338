package manager

import (
	"context"
	"errors"
	"fmt"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// RegenerateTurn prepares another answer to a message. In one write its session becomes
// active and its branch ends at the message. The new answer is a turn of its own, with
// the id in Turn.Record.
func (m *Manager) RegenerateTurn(ctx context.Context, agentID, recordID string, at Place) (Turn, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return Turn{}, err
	}
	var turn Turn
	err = m.Update(ctx, a, func(t *write.Tx) error {
		r, err := t.Record(a.ID, recordID)
		if err != nil {
			return err
		}
		if r.Role != memory.RoleUser {
			return fmt.Errorf("%w: only a message of yours can be answered", memory.ErrInvalid)
		}
		turn, err = beginAgain(t, r, at)
		return err
	})
	if err != nil {
		return Turn{}, fmt.Errorf("regenerating an answer: %w", err)
	}
	turn.Record = m.Recall().Fetch(turn.Record)
	return turn, nil
}

func beginAgain(t *write.Tx, r memory.Record, at Place) (Turn, error) {
	at.SessionID = r.SessionID
	s, err := enterSession(t, at, r)
	if err == nil {
		err = t.RefuseBranching(s)
	}
	if err != nil {
		return Turn{}, err
	}
	if err := bringBack(t, &s); err != nil {
		return Turn{}, err
	}
	turn := Turn{Working: workingAt(t, s.ID, r.TurnID)}
	s.LastRecordID = r.ID
	r.TurnID = t.NewID()
	if turn.Record = r; err == nil {
		err = storeEmptyPartial(t, r, at.First, at.Forgetful)
	}
	if err == nil {
		turn.Session, err = writeSession(t, s)
	}
	return turn, err
}

// Editing returns r as a replacement of the user message id.
func Editing(r memory.Record, id string) memory.Record {
	r.Metadata.Edits = id
	return r
}

// EditedBy returns the id of the message that an incoming one replaces, or "".
func EditedBy(r memory.Record) string { return r.Metadata.Edits }

// applyEdit ends the branch before the message that r replaces. If that was deleted, r is
// an ordinary message.
func applyEdit(t *write.Tx, s *memory.Session, r *memory.Record) (*LeftTurns, error) {
	id := r.Metadata.Edits
	if id == "" {
		return nil, nil
	}
	old, err := t.Record(t.Owner.ID, id)
	if lookup.Lacking(err) || err == nil && (old.SessionID != s.ID || old.Role != memory.RoleUser) {
		r.Metadata.Edits = ""
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	left, err := abandonFrom(t, s, id)
	if errors.Is(err, lookup.ErrNotFound) { // in another branch, which continues here
		s.LastRecordID = old.ParentID
		return nil, nil
	}
	return &left, err
}

// Fork creates a session that continues after a message. The messages up to it are shared
// with the original session, not copied. The session archive, if not empty, is archived
// as for a new session (S10). recordID may be the beginning or end of an id.
func (m *Manager) Fork(ctx context.Context, agentID, recordID, archive string) (memory.Session, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var s memory.Session
	err = m.Update(ctx, a, func(t *write.Tx) error {
		id, err := lookup.RecordID(t.Tx, a.ID, recordID)
		if err != nil {
			return err
		}
		r, err := t.Record(a.ID, id)
		if err == nil && r.Heard != "" {
			err = write.ErrInGroup
		}
		if err == nil {
			err = t.RefuseBranching(s)
		}
		if err != nil {
			return err
		}
		s = newSession(t, t.NewID())
		s.LastMessageAt, s.LastRecordID = t.Now(), r.ID
		s.ForkedFrom = &memory.Fork{SessionID: r.SessionID, RecordID: r.ID}
		for _, err := range t.Path(a.ID, r.ID) {
			if err != nil {
				return err
			}
			s.ForkedFrom.Messages++
		}
		if archive != "" {
			if err := archiveSession(t, archive); err != nil {
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
