package manager

import (
	"testing"

	"memoria/memory"
	"memoria/memory/manager/write"
)

// AsLearned makes an item one that a turn wrote: forgetting leaves the user's own
// alone.
func AsLearned(t testing.TB, m *Manager, agentID, id string) {
	t.Helper()
	a, err := m.Agent(agentID)
	if err == nil {
		err = m.Update(t.Context(), a, func(t *write.Tx) error {
			it, err := t.Item(a.ID, id)
			if err != nil {
				return err
			}
			it.Origin = memory.OriginTurn
			return t.Put(it, memory.Change{Action: memory.ActionEdited, Origin: memory.OriginTurn})
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}
