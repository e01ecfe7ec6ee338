package manager

import (
	"context"
	"fmt"

	"memoria/memory/store"
)

// Agents lists the ids of the agents that have, or had, a memory or a session,
// and of the groups, in order.
func (m *Manager) Agents(context.Context) ([]string, error) {
	var out []string
	err := m.store.View(func(tx *store.Tx) (err error) {
		out, err = tx.Agents()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing agents: %w", err)
	}
	return out, nil
}
