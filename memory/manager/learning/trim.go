package learning

import (
	"context"
	"fmt"
	"time"

	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// trimAtOnce is how many versions are examined at a time.
const trimAtOnce = 200

// trim destroys versions that no undo can restore (P9), pausing between writes. Versions
// that were sent to a model stay, so that their packages can be shown (C5).
func (w *Writer) trim(ctx context.Context, a *write.Agent, pause time.Duration) error {
	for after := []byte(nil); ; {
		var due [][]byte
		err := w.View(ctx, func(tx *store.Tx) (err error) {
			due, after, err = tx.StaleVersions(a.ID, after, w.Now().Add(-lookup.UndoTime), trimAtOnce)
			return err
		})
		if err == nil && len(due) > 0 {
			if err = w.Update(ctx, a, func(t *write.Tx) error { return t.DropVersions(due) }); err == nil {
				w.Vault().PlanWipe()
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
