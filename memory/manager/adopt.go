package manager

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
	"memoria/memory/store"
)

// Adopt makes the store in dir the one of this folder, after it was copied here from
// another folder (K6). It resolves an [ErrForeign]. The indexes and the list of deletions
// belong to the other folder; they are removed and built again. last is the time of the
// last write. The error is [ErrMissing] if there is no store, [ErrDamaged], or a
// [*LockedError].
func Adopt(dir string) (last time.Time, err error) {
	path := filepath.Join(dir, storeName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return last, fmt.Errorf("adopting: %w: there is no file %s", ErrMissing, path)
	}
	info, err := kv.Adopt(path, restorePatience)
	if err == nil {
		err = errors.Join(os.RemoveAll(filepath.Join(dir, indexFolder)), removed(store.GonePath(path)))
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
