package manager

import (
	"context"

	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
)

// BringBackEnded undoes the end of the only ended memory that some words name (U4, P9). The zero Undone says that they name
// none or several, or one whose end can no longer be undone.
func BringBackEnded(ctx context.Context, m *Manager, agentID, what string) (out learning.Undone, err error) {
	ended, err := m.Lookup().Ended(ctx, agentID)
	if err != nil {
		return out, err
	}
	meant := instruct.MatchEnded(instruct.Instruction{Kind: instruct.Forget, Object: what}, ended)
	if len(meant) != 1 {
		return out, nil
	}
	page, err := m.Lookup().Changes(ctx, agentID, lookup.ChangeFilter{ItemID: meant[0].ID, Limit: 1})
	if err != nil || len(page.Changes) == 0 || page.Changes[0].Undone {
		return out, err
	}
	return m.Learning().Undo(ctx, agentID, page.Changes[0].ID)
}
