package vault

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/gone"
)

// Repair is a repaired copy of a damaged store (K1, K2). It holds every record that can be
// read; from the newest good backup, what the damaged store lacks; and in the inbox, what
// was found on unreachable pages. It holds no deleted data. The caller ends it with
// [Repair.Apply] or [Repair.Discard].
type Repair struct {
	store.Mended
	// Salvaged counts what was read from the damaged file; zero if Whole.
	Salvaged kv.Salvaged
	// Backup is the backup that filled the gaps; nil if there is none. Whole says that the
	// copy consists of the backup alone: nothing of the damaged file could be read.
	Backup *Backup
	Whole  bool

	dir, scratch string
	now          func() time.Time
}

// ErrNothingLeft says that neither the store nor a backup can be read.
var ErrNothingLeft = errors.New("neither the memory's file nor a backup can be read")

// PrepareRepair makes a repaired copy of the damaged store in dir and leaves the store as
// it is. The error is [ErrNothingLeft], a [*LockedError], the cause of ctx, or an error of
// the system.
func PrepareRepair(ctx context.Context, dir string, now func() time.Time) (*Repair, error) {
	path := filepath.Join(dir, StoreFile)
	unlock, err := kv.Lock(path, restorePatience)
	if err != nil {
		return nil, fmt.Errorf("repairing: %w", kv.Refusal(err))
	}
	r := &Repair{dir: dir, scratch: kv.ScratchPath(path), now: now}
	err = errors.Join(r.prepare(ctx, path), unlock())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("repairing: %w", kv.Refusal(err)), r.Discard())
	}
	return r, nil
}

func (r *Repair) prepare(ctx context.Context, path string) error {
	if err := r.Discard(); err != nil { // an earlier, interrupted repair
		return err
	}
	all, err := Backups(r.dir)
	if err != nil {
		return err
	}
	r.Backup = newestGood(ctx, all)
	var found []kv.Found
	r.Salvaged, err = kv.Salvage(ctx, path, r.scratch, store.BucketNames(), store.Wanted(), store.Schema)
	found, r.Salvaged.Found = r.Salvaged.Found, nil
	if errors.Is(err, ErrDamaged) || errors.Is(err, os.ErrNotExist) || err == nil && r.Salvaged.Records == 0 && r.Backup != nil {
		if r.Backup == nil {
			return ErrNothingLeft
		}
		r.Whole, r.Salvaged = true, kv.Salvaged{}
		_ = os.Remove(r.scratch)
		err = copyInterruptibly(ctx, r.Backup.Path, r.scratch)
	}
	if err != nil {
		return err
	}
	deleted, err := gone.Read(path)
	if err != nil {
		return err
	}
	if err := r.mend(ctx, deleted, found); err != nil {
		return err
	}
	if err := os.Rename(r.scratch+".out", r.scratch); err != nil {
		return err
	}
	return Verify(ctx, r.scratch)
}

// mend completes the copied records and writes them, compact, to a file with the suffix
// .out.
func (r *Repair) mend(ctx context.Context, deleted *gone.List, found []kv.Found) (err error) {
	quiet := slog.New(slog.DiscardHandler)
	st, err := store.Open(store.Options{Path: r.scratch, Now: r.now, Logger: quiet, NoSync: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	ids := memory.NewIDs(nil)
	newID := func() string { return ids.New(r.now()) }
	m := store.Mending{Gone: deleted, Found: found, NewID: newID}
	update := func() error {
		return st.Update(func(tx *store.Tx) error {
			if r.Whole {
				if err := tx.DropGone(deleted, newID, nil); err != nil {
					return err
				}
			}
			var err error
			r.Mended, err = tx.Mend(m)
			return err
		})
	}
	if r.Backup != nil && !r.Whole {
		m.BackupTime = r.Backup.Time
		err = store.ViewFile(r.Backup.Path, quiet, func(old *store.Tx) error {
			m.Backup = old
			return update()
		})
	} else {
		err = update()
	}
	if err != nil {
		return err
	}
	// Free pages still hold deleted data; the compact copy has none.
	return st.DB().Backup(ctx, r.scratch+".out", nil)
}

// Apply replaces the damaged store with the repaired copy. The damaged store is moved to
// the folder kept, below the data folder, and never deleted. The next start rebuilds the
// indexes.
func (r *Repair) Apply() (kept string, err error) {
	kept = filepath.Join(r.dir, r.now().UTC().Format(asideFormat))
	if err := restore(r.dir, Backup{Path: r.scratch}, kept); err != nil {
		return "", errors.Join(fmt.Errorf("putting the repaired memory in place: %w", err), r.Discard())
	}
	return kept, r.Discard()
}

// Discard removes the repaired copy.
func (r *Repair) Discard() error {
	entries, err := os.ReadDir(r.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(r.scratch)) {
			err = errors.Join(err, os.Remove(filepath.Join(r.dir, e.Name())))
		}
	}
	return err
}
