package manager

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// StepBranch switches a session to another branch, by steps from the one of recordID: an
// edited message or a regenerated answer. With an empty recordID it starts at the end of
// the branch, and a forward step redoes undone turns. by = 0 switches to a branch that
// contains the record, unless the branch in use does. A branch resumes where it was last
// used. Learned items do not change. It stops at the first and last alternative, and
// returns the session.
func (m *Manager) StepBranch(ctx context.Context, agentID, sessionID, recordID string, by int) (memory.Session, error) {
	return m.editBranch(ctx, agentID, sessionID, func(t *write.Tx, s *memory.Session) (err error) {
		s.LastRecordID, err = lookup.StepFrom(t.Tx, *s, recordID, by)
		return err
	})
}

// editBranch changes a session in one write.
func (m *Manager) editBranch(
	ctx context.Context, agentID, sessionID string, change func(*write.Tx, *memory.Session) error,
) (memory.Session, error) {
	a, err := m.Agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var s memory.Session
	err = m.Update(ctx, a, func(t *write.Tx) error {
		if s, err = t.Session(a.ID, sessionID); err == nil {
			err = t.RefuseBranching(s)
		}
		if err != nil {
			return err
		}
		if err := change(t, &s); err != nil {
			return err
		}
		s, err = writeSession(t, s)
		return err
	})
	if err != nil {
		return memory.Session{}, fmt.Errorf("session %s: %w", sessionID, err)
	}
	return s, nil
}
