package trash

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"memoria/memory/guard"
	"memoria/memory/store"
	"memoria/memory/vault"
)

const (
	// eraseWait is the delay after a purge: several deletions are erased together.
	eraseWait = 2 * time.Second
	// eraseRetry is the delay after a failure.
	eraseRetry = time.Hour
)

// planErase schedules the erasing of files.
func (w *Writer) planErase(after time.Duration) {
	w.WhileOpen(func() {
		if w.eraseTimer != nil {
			w.eraseTimer.Stop()
		}
		w.eraseTimer = time.AfterFunc(after, w.eraseScheduled)
	})
}

func (w *Writer) eraseScheduled() {
	if !w.Begin() {
		return
	}
	defer w.Tasks.Done()
	err := guard.Do(w.Log, "erasing files", func() error { return w.Erase(w.Life) })
	if err != nil && w.Life.Err() == nil {
		w.Log.Warn("deleted data is not yet removed from all files", "error", err)
		w.planErase(eraseRetry)
	}
}

// Erase removes purged content from all files, if any is pending. It continues after the
// failure of a part, which [vault.Vault.Erasing] then names. If ctx ends, the rest stays
// pending.
func (w *Writer) Erase(ctx context.Context) error {
	w.erasing.Lock()
	defer w.erasing.Unlock()
	v := w.Vault()
	for v.Erasing().Pending() {
		marks := v.BeginErasing()
		var failed []vault.EraseFailure
		var errs []error
		for i, part := range vault.Parts() {
			v.NoteErasing(part, i, len(vault.Parts()))
			err := guard.Do(w.Log, "erasing "+part, func() error { return w.erase(ctx, part) })
			if ctx.Err() != nil {
				v.NoteErasing("", 0, 0)
				return context.Cause(ctx)
			}
			if err != nil {
				failed, errs = append(failed, vault.FailureOf(part, err)), append(errs, err)
			}
		}
		more, err := v.EndErasing(marks, failed)
		w.Changed()
		if err := errors.Join(append(errs, err)...); err != nil || !more {
			return err
		}
	}
	return nil
}

// erase erases one part.
func (w *Writer) erase(ctx context.Context, part string) error {
	v := w.Vault()
	switch part {
	case vault.PartJournals:
		w.journals.RemoveGone()
		return w.journals.Erase(ctx)
	case vault.PartIndexes:
		w.files.RemoveLeft()
		return w.eraseIndexes(ctx)
	case vault.PartBackups:
		return v.ForgetInBackups(ctx, nil)
	case vault.PartReplaced:
		return v.ForgetInReplaced(ctx)
	}
	return v.WipeNow(ctx)
}

// eraseIndexes erases the indexes of all agents and groups that have any.
func (w *Writer) eraseIndexes(ctx context.Context) error {
	var known []string
	err := w.View(ctx, func(tx *store.Tx) (err error) {
		known, err = tx.Agents()
		return err
	})
	entries, rerr := os.ReadDir(filepath.Join(w.Vault().Dir(), vault.IndexFolder))
	if errors.Is(rerr, os.ErrNotExist) {
		rerr = nil
	}
	err = errors.Join(err, rerr)
	for _, e := range entries {
		if e.IsDir() && slices.Contains(known, e.Name()) {
			err = errors.Join(err, w.Recall().Erase(ctx, e.Name()))
		}
	}
	return err
}
