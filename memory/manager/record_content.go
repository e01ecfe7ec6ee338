package manager

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// removeOrphans removes, in the background, the files of long contents that no
// record names: a crash came between the two. It looks only at files that are
// there now, before anything is written.
func (m *Manager) removeOrphans() {
	names, err := fs.Glob(os.DirFS(m.Vault().Dir()), vault.MessageFolder+"/*/*.txt")
	if err != nil || len(names) == 0 {
		return
	}
	m.Tasks.Go(func() {
		for _, name := range names {
			err := guard.Do(m.Log, "removing a left-over file", func() error { return m.removeOrphan(name) })
			if err != nil {
				m.Log.Warn("a left-over file was not removed", "file", path.Base(name), "error", err)
			}
		}
	})
}

// removeOrphan removes a file unless its record is there, or can still be taken
// back; name is below the data folder.
func (m *Manager) removeOrphan(name string) error {
	agent, id := path.Base(path.Dir(name)), strings.TrimSuffix(path.Base(name), ".txt")
	there := true
	err := m.Store.View(func(tx *store.Tx) (err error) {
		if there, err = tx.HasRecord(agent, id); there || err != nil {
			return err
		}
		there, err = tx.TrashedFile(agent, name)
		return err
	})
	if err != nil || there {
		return err
	}
	return os.Remove(filepath.Join(m.Vault().Dir(), filepath.FromSlash(name)))
}

func (m *Manager) removeAside(r memory.Record) {
	if r.ContentRef != "" {
		m.removeFiles([]string{r.ContentRef})
	}
}

// removeFiles removes contents by their names below the data folder. What stays is removed
// at the next start.
func (m *Manager) removeFiles(names []string) {
	for _, name := range names {
		if err := os.Remove(filepath.Join(m.Vault().Dir(), filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.Log.Warn("a long message's file was not removed", "file", path.Base(name), "error", err)
		}
	}
}
