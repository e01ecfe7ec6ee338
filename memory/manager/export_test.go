package manager

import (
	"slices"

	"memoria/memory"
	"memoria/memory/store"
)

// Loaded waits until the agent's heads are in memory and returns their number.
func (m *Manager) Loaded(agentID string) int {
	heads, _ := m.Recall().Heads(agentID)
	return len(heads)
}

// Head returns a head in memory.
func (m *Manager) Head(agentID, id string) (memory.Head, bool) {
	heads, _ := m.Recall().Heads(agentID)
	i := slices.IndexFunc(heads, func(h memory.Head) bool { return h.ID == id })
	if i < 0 {
		return memory.Head{}, false
	}
	return heads[i], true
}

// SummaryVersion returns a version of a session's summary as it lies in the store.
func (m *Manager) SummaryVersion(agentID, session string, version int) (s memory.Summary, err error) {
	err = m.Store.View(func(tx *store.Tx) error {
		s, err = tx.Summary(agentID, session, version)
		return err
	})
	return s, err
}
