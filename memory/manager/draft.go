package manager

import (
	"context"
	"fmt"

	"memoria/memory"
)

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
