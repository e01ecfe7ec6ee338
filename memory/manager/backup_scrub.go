package manager

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
	"memoria/memory/indexer"
	"memoria/memory/journal"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// scrubStart begins the names of the folders in which backups are rewritten.
const scrubStart = "rewriting-"

// gone is what one agent has forgotten and a backup still holds.
type gone struct {
	agent                              string
	sessions, items, records, incoming []string
	profiles                           []int
	whole                              bool // all of the agent
	group                              bool
}

// ForgetInBackups takes what was deleted for good out of the backups and waits
// for the end of that, which the manager otherwise does by itself some seconds
// later. done is told before each backup how many are finished; it may be nil.
func (m *Manager) ForgetInBackups(ctx context.Context, done func(n, of int)) error {
	if !m.begin() {
		return recall.ErrClosed
	}
	defer m.tasks.Done()
	return m.scrubBackups(ctx, done)
}

// scrubBackups rewrites every backup that holds what the user has deleted for
// good, without it: a backup must not bring back, nor keep on the disk, what was
// to be forgotten (D2). Its time and name stay. What is deleted but can still be
// taken back stays until it cannot. A backup with which that fails keeps nobody
// from the others.
func (m *Manager) scrubBackups(ctx context.Context, done func(n, of int)) error {
	m.keeper.scrubbing.Lock()
	defer m.keeper.scrubbing.Unlock()
	all, err := m.Backups()
	if err != nil {
		return err
	}
	var errs []error
	for i, b := range all {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if done != nil {
			done(i, len(all))
		}
		found, err := m.forgottenIn(b)
		if err == nil && len(found) > 0 {
			err = m.rewrite(ctx, b, found)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrMissing): // it was removed meanwhile
		case errors.Is(err, ErrDamaged):
			// Whether it holds what was deleted cannot be said.
			m.log.Warn("a backup is damaged", "backup", filepath.Base(b.Path), "error", err)
			errs = append(errs, fmt.Errorf("the backup %s is damaged and may hold what was deleted; it is of no use and can be removed", filepath.Base(b.Path)))
		case err != nil:
			errs = append(errs, fmt.Errorf("taking what was deleted out of %s: %w", filepath.Base(b.Path), err))
		}
	}
	return errors.Join(errs...)
}

// forgottenIn looks for what a backup has and the store has forgotten.
func (m *Manager) forgottenIn(b Backup) (out []gone, err error) {
	err = store.ViewFile(b.Path, m.log, func(old *store.Tx) error {
		agents, err := old.Agents()
		if err != nil {
			return err
		}
		trashed, err := old.OldestTrash()
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
				// An agent that was begun anew has nothing in a backup of before.
				if left, err := tx.DepartedAt(agent); err != nil {
					return err
				} else if !left.IsZero() && !b.Time.After(left) {
					g.whole = true
					out = append(out, g)
					continue
				}
				if g.items, err = tx.ForgottenItems(agent, old, before); err != nil {
					return err
				}
				if g.sessions, err = tx.ForgottenSessions(agent, old, before); err != nil {
					return err
				}
				if g.records, err = tx.ForgottenRecords(agent, old, before); err != nil {
					return err
				}
				if g.incoming, err = tx.ForgottenIncoming(agent, old, before); err != nil {
					return err
				}
				if g.profiles, err = tx.ForgottenProfiles(agent, old, before); err != nil {
					return err
				}
				if g.group, err = tx.ForgottenGroup(agent, old, before); err != nil {
					return err
				}
				if len(g.items)+len(g.sessions)+len(g.records)+len(g.incoming)+len(g.profiles) > 0 || g.group {
					out = append(out, g)
				}
			}
			// What was in the trash when the backup was made is decided by now.
			if len(out) == 0 && !trashed.IsZero() && trashed.Before(before) {
				out = append(out, gone{})
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
	partial, err := m.verifyCopy(ctx, temp, func() error { return Verify(ctx, b.Path) })
	if err != nil {
		return err
	}
	path := backupPath(m.dir, b.Time, b.Kind, partial)
	if err = publish(temp, path); err == nil && path != b.Path {
		err = os.Remove(b.Path)
	}
	return kv.Refusal(err)
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
			if g.agent == "" { // only its trash is emptied
				continue
			}
			id := m.ids.New(tx.Now())
			if g.whole {
				err := indexer.Forget(tx, g.agent, journal.MarkPrefix+g.agent)
				if err == nil {
					_, err = tx.TrashAgent(g.agent, id)
				}
				if err != nil {
					return err
				}
				continue
			}
			if _, err := tx.Trash(g.agent, id, g.sessions, g.items, g.records...); err != nil {
				return err
			}
			// Names of the journal's files are made of what was said; the files say it again.
			if err := errors.Join(tx.DropJournal(g.agent), tx.KV().Unfollow(journal.MarkPrefix+g.agent)); err != nil {
				return err
			}
			if g.group {
				if err := tx.TrashGroup(g.agent, id); err != nil {
					return err
				}
			}
			if len(g.profiles) > 0 {
				if _, err := tx.TrashProfiles(g.agent, m.ids.New(tx.Now()), g.profiles, false); err != nil {
					return err
				}
			}
			if err := tx.DropIncoming(g.agent, g.incoming); err != nil {
				return err
			}
		}
		_, _, err := tx.PurgeTrash(time.Time{})
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
