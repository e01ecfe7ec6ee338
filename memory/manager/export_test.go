package manager

import (
	"context"

	"memoria/memory"
	"memoria/memory/store"
)

// Loaded waits until the agent's heads lie in memory and returns how many.
func (m *Manager) Loaded(agentID string) int {
	a, err := m.agent(agentID)
	if err != nil {
		return 0
	}
	a.hot.wait()
	a.hot.mu.RLock()
	defer a.hot.mu.RUnlock()
	return len(a.hot.heads)
}

// Head returns a head as it lies in memory.
func (m *Manager) Head(agentID, id string) (memory.Head, bool) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Head{}, false
	}
	return a.hot.get(id)
}

// ScrubBackups takes what was forgotten out of the backups now.
func (m *Manager) ScrubBackups(ctx context.Context) error { return m.scrubBackups(ctx, nil) }

// SummaryVersion returns a version of a session's summary as it lies in the store.
func (m *Manager) SummaryVersion(agentID, session string, version int) (s memory.Summary, err error) {
	err = m.store.View(func(tx *store.Tx) error {
		s, err = tx.Summary(agentID, session, version)
		return err
	})
	return s, err
}
