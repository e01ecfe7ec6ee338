package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memoria/kv"
)

// Replaced is a store that [Restore], [Repair.Apply] or [Restoration.Apply] has set aside.
// Data that is deleted later is removed from it, unless it is damaged: then it keeps the
// data until it is removed ([Vault.ForgetInReplaced]).
type Replaced struct {
	Path  string    `json:"path"` // a folder
	Time  time.Time `json:"time"` // of the restore
	Bytes int64     `json:"bytes"`
}

// ReplacedIn lists the stores that were set aside in a data folder, oldest first.
func ReplacedIn(dir string) (out []Replaced, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries { // sorted by name, which is by time
		at, perr := time.Parse(asideFormat, e.Name())
		if perr != nil || !e.IsDir() {
			continue
		}
		r := Replaced{Path: filepath.Join(dir, e.Name()), Time: at}
		var serr error
		r.Bytes, serr = kv.FolderSize(r.Path)
		out, err = append(out, r), errors.Join(err, serr)
	}
	if err != nil {
		return out, fmt.Errorf("looking for what was set aside: %w", err)
	}
	return out, nil
}

// ErrNotReplaced says that a folder was not set aside by a restore.
var ErrNotReplaced = errors.New("it was not set aside by a restore")

// Remove destroys the store, which may be the last copy of data that no backup has.
func (r Replaced) Remove() error {
	if _, err := time.Parse(asideFormat, filepath.Base(r.Path)); err != nil {
		return fmt.Errorf("%s: %w", r.Path, ErrNotReplaced)
	}
	if err := os.RemoveAll(r.Path); err != nil {
		return fmt.Errorf("removing what was set aside: %w", err)
	}
	return nil
}
