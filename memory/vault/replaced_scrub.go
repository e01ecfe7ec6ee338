package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"memoria/kv"
	"memoria/memory/store"
)

// ForgetInReplaced removes data that was destroyed in the store from the stores that were
// set aside, and from the files of long messages beside them. A damaged one cannot be
// rewritten: the error is then an [ErrDamaged] that names it. The others are rewritten
// nevertheless.
func (v *Vault) ForgetInReplaced(ctx context.Context) error {
	if !v.begin() {
		return errClosed
	}
	defer v.tasks.Done()
	v.keeper.scrubbing.Lock()
	defer v.keeper.scrubbing.Unlock()
	all, err := ReplacedIn(v.dir)
	errs := []error{err}
	for _, old := range all {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := v.forgetInReplaced(ctx, old); err != nil {
			errs = append(errs, fmt.Errorf("taking what was deleted out of %s: %w", filepath.Base(old.Path), err))
		}
	}
	return errors.Join(errs...)
}

func (v *Vault) forgetInReplaced(ctx context.Context, old Replaced) error {
	if err := v.removeScraps(old.Path); err != nil {
		return err
	}
	file := filepath.Join(old.Path, StoreFile)
	found, err := v.forgottenIn(Backup{Path: file, Time: old.Time})
	if err == nil && len(found) > 0 {
		err = v.rewriteReplaced(ctx, file, found)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrMissing) {
		err = nil // there was no store, or the user removed it
	}
	return errors.Join(err, v.forgetContents(old.Path))
}

// rewriteReplaced replaces a store that was set aside by one without the data in found.
func (v *Vault) rewriteReplaced(ctx context.Context, file string, found []leftover) error {
	temp, _, err := v.rewritten(ctx, file, found)
	if err != nil {
		return err
	}
	return kv.Refusal(publish(temp, file))
}

// removeScraps removes what a process that died left while it rewrote.
func (v *Vault) removeScraps(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.Contains(e.Name(), unchecked) || strings.HasPrefix(e.Name(), scrubStart) || strings.Contains(e.Name(), ".new-") {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// forgetContents removes the files of long messages that a store which was set aside does
// not have any more.
func (v *Vault) forgetContents(dir string) error {
	names, err := fs.Glob(os.DirFS(dir), MessageFolder+"/*/*.txt")
	if err != nil || len(names) == 0 {
		return err
	}
	err = store.ViewFile(filepath.Join(dir, StoreFile), v.log, func(tx *store.Tx) error {
		for _, name := range names {
			agent := path.Base(path.Dir(name))
			there, err := tx.HasRecord(agent, strings.TrimSuffix(path.Base(name), ".txt"))
			if !there && err == nil {
				there, err = tx.TrashedFile(agent, name)
			}
			if !there && err == nil {
				err = os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, ErrMissing) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
