package manager

import (
	"context"
	"fmt"

	"memoria/memory"
	"memoria/memory/policy/sensitive"
	"memoria/memory/store"
)

// SecretsIn returns the kinds of secrets in a message, such as "password"; nil if none.
func SecretsIn(r memory.Record) []string { return sensitive.SecretKinds(r.Content) }

// SecretRecords returns the ids to erase because of a secret in a message (P5a): the
// message, and those of its session that contain a secret or repeat one of its own. They
// include the user's messages, answers and tool results.
func (m *Manager) SecretRecords(ctx context.Context, agentID, id string) (ids []string, err error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	var said memory.Record
	var all []memory.Record
	err = m.view(ctx, func(tx *store.Tx) error {
		full, err := findRecordID(tx, a.id, id)
		if err == nil {
			said, err = tx.Record(a.id, full)
		}
		if err == nil {
			all, err = tx.SessionRecords(a.id, said.SessionID)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("message %s: %w", id, err)
	}
	secret := m.recall.Fetch(said).Content
	for _, r := range all {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("message %s: %w", id, context.Cause(ctx))
		}
		if r.ID == said.ID || sensitive.Leaks(secret, m.recall.Fetch(r).Content) {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}
