package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/store/gone"
)

// Restoration is a backup that is ready to replace the store of a data folder. It holds
// nothing that was deleted in this folder since. The caller ends it with
// [Restoration.Apply] or [Restoration.Discard].
type Restoration struct {
	Time            time.Time // of the backup
	Items, Messages int       // that it holds
	Deleted         int       // pieces of it that were deleted here since, and are left out
	// Partial says that some of its records cannot be read.
	Partial bool

	dir, scratch, contents string
	now                    func() time.Time
}

// restoringFolder begins the name of the folder with the long messages of a backup until
// they are in place.
const restoringFolder = "restoring-"

// PrepareRestore reads a backup: a file of [Vault.WriteBackup], decrypted, or a store from the
// folder of backups. It checks it and leaves the store of dir as it is. The errors are
// [ErrNoBackup], [ErrNewer], a [*SchemaError], a [*LockedError], the cause of ctx, and those
// of the system.
func PrepareRestore(ctx context.Context, dir string, from io.ReaderAt, size int64, now func() time.Time) (r *Restoration, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("restoring: %w", kv.Refusal(err))
	}
	path := filepath.Join(dir, StoreFile)
	unlock, err := kv.Lock(path, restorePatience)
	if err != nil {
		return nil, fmt.Errorf("restoring: %w", kv.Refusal(err))
	}
	r = &Restoration{dir: dir, scratch: kv.ScratchPath(path), now: now}
	err = errors.Join(r.prepare(ctx, path, from, size), unlock())
	if errors.Is(err, ErrNoBackup) || errors.Is(err, ErrNewer) {
		return nil, errors.Join(err, r.Discard())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("restoring: %w", kv.Refusal(err)), r.Discard())
	}
	return r, nil
}

func (r *Restoration) prepare(ctx context.Context, path string, from io.ReaderAt, size int64) (err error) {
	if err := r.Discard(); err != nil { // an earlier, interrupted one
		return err
	}
	if r.contents, err = os.MkdirTemp(r.dir, restoringFolder+"*"); err != nil {
		return err
	}
	if r.Time, err = unpack(ctx, from, size, r.scratch, r.contents); err != nil {
		return err
	}
	info, err := kv.CheckFile(ctx, r.scratch, nil)
	switch err = judge(err); {
	case errors.Is(err, ErrUnreadable):
		r.Partial = true
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrMissing):
		return fmt.Errorf("%w: its store is damaged or missing", ErrNoBackup)
	case err != nil:
		return err
	}
	if info.Schema > store.Schema {
		return &SchemaError{Path: path, Have: info.Schema, Want: store.Schema, By: info.By}
	}
	if r.Time.IsZero() {
		r.Time = info.Last
	}
	deleted, err := gone.Read(path)
	if err != nil {
		return err
	}
	if err := r.forget(ctx, path, deleted); err != nil {
		return err
	}
	if err := os.Rename(r.scratch+".out", r.scratch); err != nil {
		return err
	}
	if err = Verify(ctx, r.scratch); errors.Is(err, ErrUnreadable) && r.Partial {
		err = nil
	}
	return err
}

// forget removes what was deleted in this folder from the unpacked store, and writes the
// rest, compact, to a file with the suffix .out. The store of the folder, if it can be read,
// knows the deletions best; the list beside it has those that it lost.
func (r *Restoration) forget(ctx context.Context, path string, deleted *gone.List) (err error) {
	quiet := slog.New(slog.DiscardHandler)
	st, err := store.Open(store.Options{
		Path: r.scratch, Now: r.now, Logger: quiet, NoSync: true, MigrationCopy: func(uint64) string { return r.scratch + ".old" },
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	ids := memory.NewIDs(nil)
	newID := func() string { return ids.New(r.now()) }
	update := func(present *store.Tx) error {
		return st.Update(func(tx *store.Tx) error { return r.forgetIn(tx, present, deleted, newID) })
	}
	err = store.ViewFile(path, quiet, update)
	switch {
	case err == nil:
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrMissing), errors.Is(err, fs.ErrNotExist):
		err = update(nil)
	}
	if err != nil {
		return err
	}
	// Free pages still hold deleted data; the compact copy has none.
	return st.DB().Backup(ctx, r.scratch+".out", nil)
}

func (r *Restoration) forgetIn(tx, present *store.Tx, deleted *gone.List, newID func() string) error {
	r.Items, r.Messages = 0, 0
	before, err := r.count(tx)
	if err != nil {
		return err
	}
	if present != nil {
		found, err := leftovers(present, tx, r.Time, r.now().Add(time.Hour)) // also what can still be undone
		if err != nil {
			return err
		}
		if err := dropLeftovers(tx, found, newID); err != nil {
			return err
		}
		if err := takeSilenced(tx, present); err != nil {
			return err
		}
	}
	if err := tx.DropGone(deleted, newID, present); err != nil { // empties the trash
		return err
	}
	agents, err := tx.Agents()
	if err != nil {
		return err
	}
	for _, agent := range agents {
		if err := forgetJournal(tx, agent); err != nil {
			return err
		}
	}
	after, err := r.count(tx)
	r.Deleted = before - after
	return err
}

// takeSilenced takes over the ignore lists of sessions, which have the words whose memory was
// deleted, with the titles that were made without these words.
func takeSilenced(tx, present *store.Tx) error {
	agents, err := tx.Agents()
	if err != nil {
		return err
	}
	for _, agent := range agents {
		for now, err := range present.Sessions(agent) {
			if err != nil {
				return err
			}
			s, err := tx.Session(agent, now.ID)
			if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			had := len(s.Silenced)
			for _, ev := range now.Silenced {
				if !slices.Contains(s.Silenced, ev) {
					s.Silenced = append(s.Silenced, ev)
				}
			}
			if len(s.Silenced) == had {
				continue
			}
			s.Title, s.Named = now.Title, now.Named
			if err := errors.Join(tx.Unsummarise(agent, &s), tx.PutSession(s)); err != nil {
				return err
			}
		}
	}
	return nil
}

// count counts the items and messages of all agents.
func (r *Restoration) count(tx *store.Tx) (n int, err error) {
	agents, err := tx.Agents()
	r.Items, r.Messages = 0, 0
	for _, agent := range agents {
		items, ierr := tx.Count(agent, counter.Items)
		messages, merr := tx.Count(agent, counter.Records)
		if err = errors.Join(err, ierr, merr); err != nil {
			return 0, err
		}
		r.Items, r.Messages = r.Items+items, r.Messages+messages
	}
	return r.Items + r.Messages, err
}

// Apply replaces the store with the backup. What was there is moved to the folder kept,
// below the data folder, and never deleted; kept is empty if nothing was there. The next
// start rebuilds the indexes. If it is interrupted, the folder has the old store or the new
// one.
func (r *Restoration) Apply() (kept string, err error) {
	kept = filepath.Join(r.dir, r.now().UTC().Format(asideFormat))
	if err = r.placeContents(); err == nil {
		err = restore(r.dir, Backup{Path: r.scratch}, kept)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("putting the backup in place: %w", kv.Refusal(err)), r.Discard())
	}
	if _, err := os.Stat(filepath.Join(kept, StoreFile)); errors.Is(err, fs.ErrNotExist) && os.RemoveAll(kept) == nil {
		kept = "" // there was no store
	}
	return kept, r.Discard()
}

// placeContents puts the long messages of the backup in place. Until the store is replaced,
// no record names those that were not there.
func (r *Restoration) placeContents() error {
	return store.ViewFile(r.scratch, slog.New(slog.DiscardHandler), func(tx *store.Tx) error {
		names, err := fs.Glob(os.DirFS(r.contents), MessageFolder+"/*/*.txt")
		for _, name := range names {
			from, to := filepath.Join(r.contents, filepath.FromSlash(name)), filepath.Join(r.dir, filepath.FromSlash(name))
			parts := strings.Split(name, "/")
			there, herr := tx.HasRecord(parts[1], strings.TrimSuffix(parts[2], ".txt"))
			switch {
			case herr != nil:
				return herr
			case !there: // deleted since
				continue
			}
			if err = os.MkdirAll(filepath.Dir(to), 0o700); err == nil {
				err = os.Rename(from, to) // the copy that is kept aside stays as it is
			}
			if err == nil {
				err = SyncDirs(filepath.Dir(to), filepath.Clean(r.dir))
			}
			if err != nil {
				return err
			}
		}
		return err
	})
}

// Discard removes what was prepared.
func (r *Restoration) Discard() error {
	entries, err := os.ReadDir(r.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(r.scratch)) || strings.HasPrefix(e.Name(), restoringFolder) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(r.dir, e.Name())))
		}
	}
	return err
}
