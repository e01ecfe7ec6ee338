package manager

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// Sessions lists the agent's sessions, most recently used first, and returns their total
// number. limit 0 means all.
func (m *Manager) Sessions(ctx context.Context, agentID string, limit, offset int) ([]memory.Session, int, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, 0, err
	}
	out, total := []memory.Session{}, 0
	err = m.view(ctx, func(tx *store.Tx) error {
		if total, err = tx.Count(a.id, counter.Sessions); err != nil {
			return err
		}
		seen := 0
		for s, err := range tx.Sessions(a.id) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if seen++; seen <= offset {
				continue
			}
			if out = append(out, s); len(out) == limit {
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("listing sessions: %w", err)
	}
	return out, total, nil
}

// Session returns one session. id may be an unambiguous beginning or end. For a session
// that cannot be read ([store.Unreadable]) the ids are returned with the error, so that it can be deleted.
func (m *Manager) Session(ctx context.Context, agentID, id string) (memory.Session, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Session{}, err
	}
	var match memory.Session
	err = m.view(ctx, func(tx *store.Tx) error {
		match, err = findSession(tx, a.id, id)
		return err
	})
	if err != nil {
		return match, fmt.Errorf("session %s: %w", id, err)
	}
	return match, nil
}

// LastSession returns the most recently used session, except those heard in groups; false
// if there is none.
func (m *Manager) LastSession(ctx context.Context, agentID string) (memory.Session, bool, error) {
	list, err := m.OwnSessions(ctx, agentID, 1)
	if err != nil || len(list) == 0 {
		return memory.Session{}, false, err
	}
	return list[0], true, nil
}

// Records returns the messages of all branches of a session, oldest first.
// [Manager.Branch] returns the branch in use.
func (m *Manager) Records(ctx context.Context, agentID, sessionID string) ([]memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	var out []memory.Record
	err = m.view(ctx, func(tx *store.Tx) error {
		out, err = tx.SessionRecords(a.id, sessionID)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading session %s: %w", sessionID, err)
	}
	return m.recall.FetchAll(out), nil
}

// LastRecords returns the last n messages of the branch in use, oldest first. In a fork
// they continue into the original session.
func (m *Manager) LastRecords(ctx context.Context, agentID, sessionID string, n int) ([]memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	var out []memory.Record
	err = m.view(ctx, func(tx *store.Tx) error {
		out, err = branchIn(tx, a.id, sessionID, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading session %s: %w", sessionID, err)
	}
	return m.recall.FetchAll(out), nil
}

// Record returns one message.
func (m *Manager) Record(ctx context.Context, agentID, id string) (memory.Record, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Record{}, err
	}
	var r memory.Record
	err = m.view(ctx, func(tx *store.Tx) error {
		r, err = tx.Record(a.id, id)
		return err
	})
	if err != nil {
		return memory.Record{}, fmt.Errorf("message %s: %w", id, err)
	}
	return m.recall.Fetch(r), nil
}
