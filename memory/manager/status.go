package manager

import (
	"context"

	"memoria/memory/indexer"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/vault"
)

// Status is how an agent's memory is doing, in numbers.
type Status struct {
	Items    int            `json:"items"`
	Held     int            `json:"held"`
	Records  int            `json:"records"`
	Sessions int            `json:"sessions"`
	Jobs     int            `json:"jobs"`
	Asked    Asked          `json:"analyses"` // by a model; those that wait are among Jobs
	Index    indexer.Status `json:"index"`
	vault.Status
}

// Status counts what an agent has. It reads no content.
func (m *Manager) Status(ctx context.Context, agentID string) (Status, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Status{}, err
	}
	st := Status{Index: a.recall.Status(), Status: m.vault.Status()}
	err = m.view(ctx, func(tx *store.Tx) error {
		for name, n := range map[counter.Name]*int{
			counter.Items: &st.Items, counter.Held: &st.Held, counter.Records: &st.Records, counter.Sessions: &st.Sessions,
		} {
			if *n, err = tx.Count(a.id, name); err != nil {
				return err
			}
		}
		jobs, err := tx.Jobs(a.id)
		if err != nil {
			return err
		}
		st.Jobs = len(jobs)
		st.Asked, err = asked(tx, a.id, jobs)
		return err
	})
	return st, err
}

// Settle waits until the agent's indexes, as far as they are open, contain what
// the store contains, or ctx ends.
func (m *Manager) Settle(ctx context.Context, agentID string) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	m.mu.Lock()
	archive := a.archive
	m.mu.Unlock()
	if archive != nil {
		if err := archive.Settle(ctx); err != nil {
			return err
		}
	}
	return a.recall.Settle(ctx)
}

// RebuildIndex throws the agent's indexes away and makes them anew in the
// background (I4). Vectors are read from the store again; only those that are missing
// there are asked for.
func (m *Manager) RebuildIndex(agentID string) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	a.recall.Rebuild()
	if archive := m.archive(a); archive != nil {
		archive.Rebuild()
	}
	if v := m.vectors(a); v != nil {
		v.Rebuild(false)
	}
	return nil
}
