package manager

import (
	"context"

	"memoria/memory/indexer"
	"memoria/memory/store"
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
	Dir      string         `json:"dir"`
	// Trouble is why nothing can be written; nil when all is well.
	Trouble *Trouble `json:"trouble,omitempty"`
	// Damage says which records cannot be read; empty when all can, as far as is
	// known.
	Damage string `json:"damage,omitempty"`
	// Backup is the newest one; nil when there is none. BackupError is why the
	// last try to make one, or to take what was deleted out of those there are,
	// failed.
	Backup      *Backup `json:"backup,omitempty"`
	BackupError string  `json:"backup_error,omitempty"`
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
	st := Status{Index: index, Dir: m.dir, Trouble: m.Trouble()}
	m.mu.Lock()
	st.Damage = m.damage
	m.mu.Unlock()
	if all, err := m.Backups(); err == nil && len(all) > 0 {
		st.Backup = &all[0]
	}
	if err := m.BackupTrouble(); err != nil {
		st.BackupError = err.Error()
	}
	err = m.view(ctx, func(tx *store.Tx) error {
		for name, n := range map[string]*int{"items": &st.Items, "held": &st.Held, "records": &st.Records, "sessions": &st.Sessions} {
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
