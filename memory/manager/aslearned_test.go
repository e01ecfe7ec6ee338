package manager

import (
	"testing"

	"memoria/memory"
)

// AsLearned makes an item one that a turn wrote: forgetting leaves the user's own
// alone.
func AsLearned(t testing.TB, m *Manager, agentID, id string) {
	t.Helper()
	a, err := m.agent(agentID)
	if err == nil {
		err = m.update(t.Context(), a, func(t *tx) error {
			it, err := t.Item(a.id, id)
			if err != nil {
				return err
			}
			it.Origin = memory.OriginTurn
			return t.put(it, memory.Change{Action: memory.ActionEdited, Origin: memory.OriginTurn})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}
