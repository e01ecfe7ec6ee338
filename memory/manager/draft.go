package manager

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/manager/write"
)

// SaveDraft stores unsent text of the user; an empty text removes it.
func (m *Manager) SaveDraft(ctx context.Context, agentID string, d memory.Draft) error {
	a, err := m.Agent(agentID)
	if err != nil {
		return err
	}
	err = m.Update(ctx, a, func(t *write.Tx) error {
		d.AgentID, d.UpdatedAt = a.ID, t.Now()
		return t.PutDraft(d)
	})
	if err != nil {
		return fmt.Errorf("keeping the draft: %w", err)
	}
	return nil
}
