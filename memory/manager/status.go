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
	Asked    AnalysisStats  `json:"analyses"` // by a model; those that wait are among Jobs
	Index    indexer.Status `json:"index"`
	vault.Status
}

// Status counts what an agent has. It reads no content.
func (m *Manager) Status(ctx context.Context, agentID string) (Status, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Status{}, err
	}
	index, err := m.recall.ItemIndex(agentID)
	if err != nil {
		return Status{}, err
	}
	st := Status{Index: index, Status: m.vault.Status()}
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
