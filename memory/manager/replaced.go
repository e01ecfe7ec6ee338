package manager

import (
	"errors"
	"fmt"
	"io/fs"
	"memoria/kv"
	"os"
	"path/filepath"
	"time"
)

// Replaced is what [Restore] has set aside: a memory that is damaged and cannot
// be opened, so that nothing is deleted in it.
type Replaced struct {
	Path  string    `json:"path"` // a folder
	Time  time.Time `json:"time"` // of the restore
	Bytes int64     `json:"bytes"`
}

// ReplacedIn lists what restoring has set aside in a data folder, oldest first.
func ReplacedIn(dir string) (out []Replaced, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries { // in the order of their names, which is that of time
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

// Replaced lists what restoring has set aside of this memory, oldest first.
func (m *Manager) Replaced() ([]Replaced, error) { return ReplacedIn(m.dir) }

// Remove destroys it. It is the last copy of what no backup had.
func (r Replaced) Remove() error {
	if _, err := time.Parse(asideFormat, filepath.Base(r.Path)); err != nil {
		return fmt.Errorf("%s was not set aside by a restore: %w", r.Path, ErrInvalid)
	}
	if err := os.RemoveAll(r.Path); err != nil {
		return fmt.Errorf("removing what was set aside: %w", err)
	}
	return nil
}
