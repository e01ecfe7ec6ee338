package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
	"memoria/memory/store/gone"
)

// Adopt makes a store that was copied into dir from another folder the store of dir, so
// that opening it no longer fails with [ErrForeign] (K6). It removes the indexes and the
// list of deletions, which belong to the other folder. It returns the time of the store's
// last write. The error is [ErrMissing] if there is no store, [ErrDamaged], or a
// [*LockedError].
func Adopt(dir string) (last time.Time, err error) {
	path := filepath.Join(dir, StoreFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return last, fmt.Errorf("adopting: %w: there is no file %s", ErrMissing, path)
	}
	info, err := kv.Adopt(path, restorePatience)
	if err == nil {
		err = errors.Join(os.RemoveAll(filepath.Join(dir, IndexFolder)), removed(gone.Path(path)))
	}
	if err != nil {
		return last, fmt.Errorf("adopting: %w", kv.Refusal(err))
	}
	return info.Last, nil
}

func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
