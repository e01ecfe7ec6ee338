package manager

import (
	"context"
	"fmt"
	"time"

	"memoria/memory/lookup"
	"memoria/memory/store"
)

// trimAtOnce is how many versions are examined at a time.
const trimAtOnce = 200

// trim destroys versions that no undo can restore (P9), pausing between writes. Versions
// that were sent to a model stay, so that their packages can be shown (C5).
func (m *Manager) trim(ctx context.Context, a *agent, pause time.Duration) error {
	for after := []byte(nil); ; {
		var due [][]byte
		err := m.view(ctx, func(tx *store.Tx) (err error) {
			due, after, err = tx.StaleVersions(a.id, after, m.now().Add(-lookup.UndoTime), trimAtOnce)
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
