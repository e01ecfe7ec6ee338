package kv

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// FolderSize returns the total size of the files below a folder, 0 if there is none.
// Files may come and go meanwhile.
func FolderSize(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				n += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measuring a folder: %w", err)
	}
	return n, nil
}
