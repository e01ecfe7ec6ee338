package manager

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
	"memoria/memory/store"
)

// scrubStart begins the names of the folders in which backups are rewritten.
const scrubStart = "rewriting-"

// gone is what one agent has forgotten and a backup still holds.
type gone struct {
	agent                    string
	sessions, items, records []string
}

// scrubBackups rewrites every backup that holds what the user has deleted for
// good, without it: a backup must not bring back, nor keep on the disk, what was
// to be forgotten (D2). Its time and name stay. What is deleted but can still be
// taken back stays until it cannot.
func (m *Manager) scrubBackups(ctx context.Context) error {
	all, err := m.Backups()
	if err != nil {
		return err
	}
	for _, b := range all {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		found, err := m.forgottenIn(b.Path)
		if err == nil && len(found) > 0 {
			err = m.rewrite(ctx, b, found)
		}
		if errors.Is(err, ErrDamaged) {
			// It cannot be restored; whether it may hold what was deleted cannot be
			// said, and a damaged backup is of no use to anyone.
			m.log.Warn("a backup is damaged", "backup", filepath.Base(b.Path), "error", err)
			continue
		}
		if err != nil {
			return fmt.Errorf("taking what was deleted out of %s: %w", filepath.Base(b.Path), err)
		}
	}
	return nil
}

// forgottenIn looks for what a backup has and the store has forgotten.
func (m *Manager) forgottenIn(path string) (out []gone, err error) {
	err = store.ViewFile(path, m.log, func(old *store.Tx) error {
		agents, err := old.Agents()
		if err != nil {
			return err
		}
		return m.store.View(func(tx *store.Tx) error {
			before := tx.Now()
			if trash, err := tx.OldestTrash(); err != nil {
				return err
			} else if !trash.IsZero() {
				before = before.Add(-TakeBackTime) // that may still be taken back
			}
			for _, agent := range agents {
				g := gone{agent: agent}
				if g.items, err = tx.ForgottenItems(agent, old, before); err != nil {
					return err
				}
				if g.sessions, err = tx.ForgottenSessions(agent, old, before); err != nil {
					return err
				}
				if g.records, err = tx.ForgottenRecords(agent, old, before); err != nil {
					return err
				}
				trash, err := old.OldestTrash()
				if err != nil {
					return err
				}
				// What was in the trash when the backup was made is decided by now.
				if len(g.items)+len(g.sessions)+len(g.records) > 0 || !trash.IsZero() && trash.Before(before) {
					out = append(out, g)
				}
			}
			return nil
		})
	})
	return out, err
}

// rewrite makes a backup anew without what is gone.
func (m *Manager) rewrite(ctx context.Context, b Backup, found []gone) (err error) {
	m.keeper.making.Lock()
	defer m.keeper.making.Unlock()
	dir, err := os.MkdirTemp(backupDir(m.dir), scrubStart)
	if err != nil {
		return kv.Refusal(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	work := filepath.Join(dir, storeName)
	if err := copyInterruptibly(ctx, b.Path, work); err != nil {
		return kv.Refusal(err)
	}
	if err := m.withoutGone(ctx, work, found); err != nil {
		return err
	}
	temp := b.Path + unchecked
	defer func() { _ = os.Remove(temp) }() // gone already when all went well
	if err := os.Rename(work+".out", temp); err != nil {
		return kv.Refusal(err)
	}
	if err := m.verify(ctx, temp); err != nil {
		return err
	}
	return kv.Refusal(publish(temp, b.Path))
}

// withoutGone deletes in the copy at work and writes what is left, compact, to
// work.out.
func (m *Manager) withoutGone(ctx context.Context, work string, found []gone) (err error) {
	st, err := store.Open(store.Options{Path: work, Now: m.now, Logger: slog.New(slog.DiscardHandler), NoSync: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	err = st.Update(func(tx *store.Tx) error {
		for _, g := range found {
			if _, err := tx.Trash(g.agent, m.ids.New(tx.Now()), g.sessions, g.items, g.records...); err != nil {
				return err
			}
		}
		_, _, err := tx.PurgeTrash(tx.Now().Add(time.Nanosecond))
		return err
	})
	if err != nil {
		return err
	}
	return st.DB().Backup(ctx, work+".out", nil)
}

// copyInterruptibly copies a file; the copy is thrown away later.
func copyInterruptibly(ctx context.Context, from, to string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := io.CopyN(dst, src, 4<<20); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
