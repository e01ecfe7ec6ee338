package manager

import (
	"fmt"

	"memoria/memory/store"
)

// trimAtOnce is how many versions are looked at with each Learn: all of them in
// time, and never so many that anybody waits.
const trimAtOnce = 200

// trim destroys versions that no undo can bring back any more (P9), a few at a
// time. One that was sent to a model stays, so that its package can be shown (C5).
func (m *Manager) trim(a *agent) error {
	m.mu.Lock()
	after := a.trimmed
	m.mu.Unlock()
	var due [][]byte
	err := m.store.View(func(tx *store.Tx) (err error) {
		due, after, err = tx.StaleVersions(a.id, after, m.now().Add(-UndoTime), trimAtOnce)
		return err
	})
	if err == nil && len(due) > 0 {
		err = m.update(a, func(t *tx) error { return t.DropVersions(due) })
	}
	if err != nil {
		return fmt.Errorf("trimming old versions: %w", err)
	}
	m.mu.Lock()
	a.trimmed = after
	m.mu.Unlock()
	return nil
}
