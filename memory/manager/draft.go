package manager

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/store"
)

// Draft returns the text that the user typed and did not send; empty if none.
func (m *Manager) Draft(ctx context.Context, agentID string) (memory.Draft, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return memory.Draft{}, err
	}
	var d memory.Draft
	err = m.view(ctx, func(tx *store.Tx) error {
		d, err = tx.Draft(a.id)
		return err
	})
	return d, err
}

// SaveDraft stores unsent text of the user; an empty text removes it.
func (m *Manager) SaveDraft(ctx context.Context, agentID string, d memory.Draft) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	err = m.update(ctx, a, func(t *tx) error {
		d.AgentID, d.UpdatedAt = a.id, t.Now()
		return t.PutDraft(d)
	})
	if err != nil {
		return fmt.Errorf("keeping the draft: %w", err)
	}
	return nil
}
