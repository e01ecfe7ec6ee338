package trash

import (
	"context"
	"time"

	"memoria/memory/guard"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// Prolong lets a deletion be undone for longer than [write.DeletionUndoTime] by the given
// time, and gives it a title. The error is [store.ErrNotFound] if it is already final.
func (w *Writer) Prolong(ctx context.Context, agent, deletionID, title string, longer time.Duration) (write.Deletion, error) {
	var d store.Deleted
	err := w.Change(ctx, func(tx *store.Tx) (err error) {
		d, err = tx.Extend(agent, deletionID, title, longer, nil)
		return err
	})
	return write.DeletionOf(d), err
}

// Purge destroys everything in the trash at once. [Writer.Erase] then removes it from the
// files.
func (w *Writer) Purge(ctx context.Context) error {
	w.journals.Listen(ctx)
	return w.purgeBefore(ctx, time.Time{})
}

// PurgeExpired destroys what can no longer be restored. A failure leaves all of it.
func (w *Writer) PurgeExpired(ctx context.Context) error {
	return w.purgeBefore(ctx, w.Now().Add(-write.DeletionUndoTime))
}

// PurgeExpiredIn is PurgeExpired within a transaction. It makes an overdue deletion final
// even if its timer is late.
func (w *Writer) PurgeExpiredIn(tx *store.Tx) error {
	return w.purgeIn(tx, tx.Now().Add(-write.DeletionUndoTime))
}

// purgeBefore destroys what was deleted before a time; zero means all.
func (w *Writer) purgeBefore(ctx context.Context, before time.Time) error {
	oldest := time.Time{}
	err := w.View(ctx, func(tx *store.Tx) (err error) {
		oldest, err = tx.OldestTrash()
		return err
	})
	if err != nil || oldest.IsZero() || !before.IsZero() && !oldest.Before(before) {
		return err
	}
	return w.Change(ctx, func(tx *store.Tx) error { return w.purgeIn(tx, before) })
}

// purgeIn is purgeBefore within a transaction. Files are removed after the commit.
func (w *Writer) purgeIn(tx *store.Tx, before time.Time) error {
	n, files, err := tx.PurgeTrash(before)
	if err != nil || n == 0 {
		return err
	}
	if err := w.Vault().MarkErasing(); err != nil {
		w.Log.Warn("it was not noted that files are to be erased", "error", err)
	}
	tx.OnCommit(func() {
		w.files.Remove(files)
		w.Vault().PlanWipe()
		w.planErase(eraseWait)
	})
	return nil
}

// schedule sets the timer for the oldest pending deletion, at least atLeast from
// now.
func (w *Writer) schedule(atLeast time.Duration) {
	var oldest time.Time
	err := w.View(w.Life, func(tx *store.Tx) (err error) {
		oldest, err = tx.OldestTrash()
		return err
	})
	if err != nil || oldest.IsZero() {
		return
	}
	wait := max(oldest.Add(write.DeletionUndoTime).Sub(w.Now()), 0) + time.Millisecond
	w.purgeAfter(max(wait, atLeast))
}

func (w *Writer) purgeAfter(wait time.Duration) {
	w.WhileOpen(func() {
		if w.timer != nil {
			w.timer.Stop()
		}
		w.timer = time.AfterFunc(wait, w.purgeScheduled)
	})
}

// purgeScheduled destroys overdue deletions and schedules the others. Failures, such as on a
// full disk, are retried.
func (w *Writer) purgeScheduled() {
	if !w.Begin() {
		return
	}
	defer w.Tasks.Done()
	pause := time.Duration(0)
	err := guard.Do(w.Log, "finishing deletions", func() error {
		// Overdue data is destroyed even while closing: the memory may stay closed for
		// long.
		return w.PurgeExpired(context.Background())
	})
	if err != nil {
		w.Log.Warn("deletion was not finished", "error", err)
		pause = write.DeletionUndoTime
	}
	err = guard.Do(w.Log, "planning deletions", func() error { w.schedule(pause); return nil })
	if err != nil {
		w.purgeAfter(write.DeletionUndoTime)
	}
}
