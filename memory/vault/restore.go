package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
)

// LostError says that the store cannot be opened, and which backup could replace it.
// Nothing was changed.
type LostError struct {
	Dir string
	// Backup is the newest whole backup, or else the newest partial one, or nil.
	Backup *Backup
	Err    error // ErrDamaged, ErrMissing or ErrForeign
}

func (e *LostError) Error() string {
	if e.Backup == nil {
		return fmt.Sprintf("%v; there is no backup in %s", e.Err, backupDir(e.Dir))
	}
	but := ""
	if e.Backup.Partial {
		but = ", with records that cannot be read"
	}
	return fmt.Sprintf("%v; the newest good backup is of %s (%s)%s: restore it with: %s",
		e.Err, e.Backup.Time.Format("2006-01-02 15:04 MST"), e.Backup.Path, but, RepairCommand)
}

// Unwrap returns Err.
func (e *LostError) Unwrap() error { return e.Err }

// Path returns the path of the store's file, which may be missing.
func (e *LostError) Path() string { return filepath.Join(e.Dir, StoreFile) }

// RepairCommand is the command that restores a backup.
const RepairCommand = "memoria doctor --repair"

// lost turns an error of opening the store into a [LostError] where a backup may help.
func lost(ctx context.Context, dir string, err error) error {
	if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrMissing) && !errors.Is(err, ErrForeign) {
		return err
	}
	out := &LostError{Dir: dir, Err: err}
	all, lerr := Backups(dir)
	if lerr == nil {
		out.Backup = newestGood(ctx, all)
	}
	return out
}

// look is [kv.Look] for a data folder. A folder with backups had a store, even if nothing
// else is left.
func look(dir string) (there bool, err error) {
	path := filepath.Join(dir, StoreFile)
	if there, err = kv.Look(path); err != nil {
		return there, fmt.Errorf("looking at %s: %w", path, kv.Refusal(err))
	}
	if there {
		return true, nil
	}
	all, err := Backups(dir)
	if err == nil && len(all) > 0 {
		return true, fmt.Errorf("%w: %s is gone, and there are backups of it", ErrMissing, path)
	}
	return false, err
}

// Exists reports whether a data folder has a store, or had one.
func Exists(dir string) bool {
	there, err := look(dir)
	return there || err != nil
}

// newestGood returns the newest whole backup, or else the newest of which only records
// cannot be read, or nil.
func newestGood(ctx context.Context, all []Backup) (good *Backup) {
	for _, b := range all {
		if ctx.Err() != nil {
			return nil
		}
		err := Verify(ctx, b.Path)
		if b.Partial = errors.Is(err, ErrUnreadable); err == nil {
			return &b
		}
		if b.Partial && good == nil {
			good = &b
		}
	}
	return good
}

// asideFormat is the name of the folder to which [Restore] moves the old store.
const asideFormat = "replaced-20060102T150405.000Z"

// Restore checks a backup and replaces the store with it; no process may have the store
// open. The old store is moved to the folder kept, below dir, and never deleted. The files
// of long messages stay, and are kept there too. The indexes are removed; the next start
// rebuilds them. A backup with unreadable records is restored as it is.
func Restore(ctx context.Context, dir string, b Backup, now func() time.Time) (kept string, err error) {
	if err := Verify(ctx, b.Path); err != nil && !errors.Is(err, ErrUnreadable) {
		return "", fmt.Errorf("checking backup %s: %w", b.Path, err)
	}
	kept = filepath.Join(dir, now().UTC().Format(asideFormat))
	if err := restore(dir, b, kept); err != nil {
		return "", fmt.Errorf("restoring backup %s: %w", b.Path, err)
	}
	return kept, nil
}

func restore(dir string, b Backup, kept string) error {
	unlock, err := kv.Lock(filepath.Join(dir, StoreFile), restorePatience)
	if err != nil {
		return err
	}
	// The next start removes the files of messages that the restored store does not know. The
	// old indexes would not be recognised as newer than the store.
	err = keepMessages(filepath.Join(dir, MessageFolder), filepath.Join(kept, MessageFolder))
	if err == nil {
		err = os.RemoveAll(filepath.Join(dir, IndexFolder))
	}
	if err := errors.Join(err, unlock()); err != nil {
		return kv.Refusal(err)
	}
	return kv.Replace(filepath.Join(dir, StoreFile), b.Path, kept, restorePatience)
}

// restorePatience limits the wait for another process to close the store.
const restorePatience = time.Second

// keepMessages links all files below from to the same names below to, or copies them where
// links are not possible.
func keepMessages(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		rel, rerr := filepath.Rel(from, path)
		if err := errors.Join(err, rerr); err != nil {
			return err
		}
		dst := filepath.Join(to, rel)
		if e.IsDir() {
			return os.MkdirAll(dst, 0o700)
		}
		if os.Link(path, dst) == nil {
			return nil
		}
		return copyMessage(path, dst)
	})
}

func copyMessage(from, to string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Sync(), dst.Close())
}
