package manager

import (
	"context"
	"slices"

	"memoria/memory"
	"memoria/memory/instruct"
	"memoria/memory/manager/learning"
)

// BringBack undoes the end of an inactive memory (P9). The zero Undone says that it can no longer be undone.
func BringBack(ctx context.Context, m *Manager, agentID, id string) (learning.Undone, error) {
	history, err := m.Lookup().History(ctx, agentID, id)
	if err != nil {
		return learning.Undone{}, err
	}
	can, err := m.Lookup().Undoable(ctx, agentID, history)
	if err != nil {
		return learning.Undone{}, err
	}
	for _, c := range slices.Backward(history) {
		switch c.Action {
		case memory.ActionSuperseded, memory.ActionEnded, memory.ActionExpired, memory.ActionEvicted, memory.ActionDecayed,
			memory.ActionUndone:
			if can[c.ID] && !c.Undone {
				return m.Learning().Undo(ctx, agentID, c.ID)
			}
		}
	}
	return learning.Undone{}, nil
}

// BringBackNamed is [BringBack] for the only ended memory that some words name (U4). The zero Undone says that they name
// none or several, too.
func BringBackNamed(ctx context.Context, m *Manager, agentID, what string) (learning.Undone, error) {
	ended, err := m.Lookup().Ended(ctx, agentID)
	if err != nil {
		return learning.Undone{}, err
	}
	meant := instruct.MatchEnded(instruct.Instruction{Kind: instruct.Forget, Object: what}, ended)
	if len(meant) != 1 {
		return learning.Undone{}, nil
	}
	return BringBack(ctx, m, agentID, meant[0].ID)
}
