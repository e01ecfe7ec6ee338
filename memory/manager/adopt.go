package manager

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// Adopt makes the memory whose file lies in dir the one of this folder, after it was
// brought there from another (K6): an [ErrForeign] is over. The indexes and the list of
// what was deleted are the other's and are made anew. It returns when the memory was last
// written. The error is [ErrMissing] when there is none, [ErrDamaged], or a [*LockedError].
func Adopt(dir string) (last time.Time, err error) {
	path := filepath.Join(dir, storeName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return last, fmt.Errorf("adopting: %w: there is no file %s", ErrMissing, path)
	}
	info, err := kv.Adopt(path, restorePatience)
	if err == nil {
		err = errors.Join(os.RemoveAll(filepath.Join(dir, recall.IndexFolder)), removed(store.GonePath(path)))
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
