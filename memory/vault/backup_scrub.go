package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
	"memoria/memory/indexer"
	"memoria/memory/journal"
	"memoria/memory/store"
)

// scrubStart begins the names of the folders in which backups are rewritten.
const scrubStart = "rewriting-"

// leftover lists the data of one agent that was destroyed in the store and is still in a backup.
type leftover struct {
	agent string
	whole bool // all of the agent
	store.Leftovers
}

// ForgetInBackups removes data that was destroyed in the store from the backups. It calls
// done before each backup with the number of finished ones; done may be nil.
func (v *Vault) ForgetInBackups(ctx context.Context, done func(n, of int)) error {
	if !v.begin() {
		return errClosed
	}
	defer v.tasks.Done()
	return v.scrubBackups(ctx, done)
}

// scrubBackups rewrites every backup that holds data which was destroyed in the store: a
// backup must neither restore it nor keep it on the disk (D2). The time and the name of
// the backup stay. Data whose deletion can still be undone stays. A backup that cannot be
// rewritten does not prevent the others.
func (v *Vault) scrubBackups(ctx context.Context, done func(n, of int)) error {
	v.keeper.scrubbing.Lock()
	defer v.keeper.scrubbing.Unlock()
	all, err := Backups(v.dir)
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
		found, err := v.forgottenIn(b)
		if err == nil && len(found) > 0 {
			err = v.rewrite(ctx, b, found)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrMissing): // the user removed it meanwhile
		case errors.Is(err, ErrDamaged):
			// It may hold deleted data.
			v.log.Warn("a backup is damaged", "backup", filepath.Base(b.Path), "error", err)
			const remedy = "may hold what was deleted; it is of no use and can be removed"
			errs = append(errs, fmt.Errorf("the backup %s is damaged and %s", filepath.Base(b.Path), remedy))
		case err != nil:
			errs = append(errs, fmt.Errorf("taking what was deleted out of %s: %w", filepath.Base(b.Path), err))
		}
	}
	return errors.Join(errs...)
}

// forgottenIn finds the data of a backup that was destroyed in the store.
func (v *Vault) forgottenIn(b Backup) (out []leftover, err error) {
	err = store.ViewFile(b.Path, v.log, func(old *store.Tx) error {
		return v.store.View(func(tx *store.Tx) error {
			before := tx.Now()
			if trash, err := tx.OldestTrash(); err != nil {
				return err
			} else if !trash.IsZero() {
				before = before.Add(-v.undoTime) // younger deletions can still be undone
			}
			out, err = leftovers(tx, old, b.Time, before)
			return err
		})
	})
	return out, err
}

// leftovers finds the data of an older state, made at a time, that was destroyed in tx before
// another.
func leftovers(tx, old *store.Tx, at, before time.Time) (out []leftover, err error) {
	agents, err := old.Agents()
	if err != nil {
		return nil, err
	}
	trashed, err := old.OldestTrash()
	if err != nil {
		return nil, err
	}
	for _, agent := range agents {
		g := leftover{agent: agent}
		// A recreated agent has no data in an older backup.
		if left, err := tx.DepartedAt(agent); err != nil {
			return nil, err
		} else if !left.IsZero() && !at.After(left) {
			g.whole = true
			out = append(out, g)
			continue
		}
		if g.Leftovers, err = tx.Leftovers(agent, old, before); err != nil {
			return nil, err
		}
		if g.Any() {
			out = append(out, g)
		}
	}
	// Deletions that were in the trash of the backup are final by now.
	if len(out) == 0 && !trashed.IsZero() && trashed.Before(before) {
		out = append(out, leftover{})
	}
	return out, nil
}

// rewrite replaces a backup by one without the data in found.
func (v *Vault) rewrite(ctx context.Context, b Backup, found []leftover) (err error) {
	v.keeper.making.Lock()
	defer v.keeper.making.Unlock()
	temp, partial, err := v.rewritten(ctx, b.Path, found)
	if err != nil {
		return err
	}
	path := backupPath(v.dir, b.Time, b.Kind, partial)
	if err = publish(temp, path); err == nil && path != b.Path {
		err = os.Remove(b.Path)
	}
	return kv.Refusal(err)
}

// rewritten makes a checked copy of the closed store at path without the data in found, and
// returns its temporary name beside path.
func (v *Vault) rewritten(ctx context.Context, path string, found []leftover) (temp string, partial bool, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), scrubStart)
	if err != nil {
		return "", false, kv.Refusal(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	work := filepath.Join(dir, StoreFile)
	if err := copyInterruptibly(ctx, path, work); err != nil {
		return "", false, kv.Refusal(err)
	}
	if err := v.withoutGone(ctx, work, found); err != nil {
		return "", false, err
	}
	temp = path + unchecked
	if err := os.Rename(work+".out", temp); err != nil {
		return "", false, kv.Refusal(err)
	}
	if partial, err = v.verifyCopy(ctx, temp, func() error { return Verify(ctx, path) }); err != nil {
		_ = os.Remove(temp)
	}
	return temp, partial, err
}

// withoutGone deletes the data in found from the copy at work and writes a compact copy of
// the rest to work.out.
func (v *Vault) withoutGone(ctx context.Context, work string, found []leftover) (err error) {
	st, err := store.Open(store.Options{Path: work, Now: v.now, Logger: slog.New(slog.DiscardHandler), NoSync: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	err = st.Update(func(tx *store.Tx) error {
		if err := dropLeftovers(tx, found, func() string { return v.ids.New(tx.Now()) }); err != nil {
			return err
		}
		_, _, err := tx.PurgeTrash(time.Time{})
		return err
	})
	if err != nil {
		return err
	}
	return st.DB().Backup(ctx, work+".out", nil)
}

// dropLeftovers moves the data in found to the trash. newID makes the ids of deletions.
func dropLeftovers(tx *store.Tx, found []leftover, newID func() string) error {
	for _, g := range found {
		if g.agent == "" { // the trash alone is emptied
			continue
		}
		if g.whole {
			err := indexer.Forget(tx, g.agent, journal.MarkPrefix+g.agent)
			if err == nil {
				_, err = tx.TrashAgent(g.agent, newID())
			}
			if err != nil {
				return err
			}
			continue
		}
		id := newID()
		if _, err := tx.Trash(g.agent, id, g.Sessions, g.Items, g.Records...); err != nil {
			return err
		}
		if err := tx.Redact(g.agent, id, g.Redactions); err != nil {
			return err
		}
		if len(g.Quoted) > 0 {
			if err := tx.TrashQuoted(g.agent, newID(), g.Quoted); err != nil {
				return err
			}
		}
		if err := forgetJournal(tx, g.agent); err != nil {
			return err
		}
		if g.Group {
			if err := tx.TrashGroup(g.agent, id); err != nil {
				return err
			}
		}
		if len(g.Profiles) > 0 {
			if _, err := tx.TrashProfiles(g.agent, newID(), g.Profiles, false); err != nil {
				return err
			}
		}
		if err := tx.DropIncoming(g.agent, g.Incoming); err != nil {
			return err
		}
	}
	return nil
}

// forgetJournal drops what a store knows of an agent's journal. The names of its files are
// made of messages; a run restores them from the files.
func forgetJournal(tx *store.Tx, agent string) error {
	return errors.Join(tx.DropJournal(agent), tx.KV().Unfollow(journal.MarkPrefix+agent))
}

// copyInterruptibly copies a file until ctx ends. The copy is a temporary one and is not
// synced.
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
	_, err = copyWhile(ctx, dst, src)
	return err
}
