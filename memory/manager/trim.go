package manager

import (
	"context"
	"fmt"
	"time"

	"memoria/memory/store"
)

// trimAtOnce is how many versions are looked at in one go.
const trimAtOnce = 200

// trim destroys versions that no undo can bring back any more (P9), with a pause
// between two writes. One that was sent to a model stays, so that its package can
// be shown (C5).
func (m *Manager) trim(ctx context.Context, a *agent, pause time.Duration) error {
	for after := []byte(nil); ; {
		var due [][]byte
		err := m.view(ctx, func(tx *store.Tx) (err error) {
			due, after, err = tx.StaleVersions(a.id, after, m.now().Add(-UndoTime), trimAtOnce)
			return err
		})
		if err == nil && len(due) > 0 {
			if err = m.update(ctx, a, func(t *tx) error { return t.DropVersions(due) }); err == nil {
				m.vault.PlanWipe()
			}
		}
		if err != nil {
			return fmt.Errorf("trimming old versions: %w", err)
		}
		if after == nil {
			return nil
		}
		if len(due) > 0 && !sleep(ctx, pause) || ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
