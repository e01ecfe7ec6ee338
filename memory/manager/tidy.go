package manager

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/journal"
	"memoria/memory/store"
	"memoria/memory/store/counter"
	"memoria/memory/vault"
)

// dropEmpty removes the indexes of an agent that has nothing: who only looks at
// an agent, or mistypes its name, leaves no folder behind. The next start makes
// them anew. Its followers must be closed.
func (m *Manager) dropEmpty(agent string) {
	left := 0
	err := m.Store.View(func(tx *store.Tx) error {
		for _, name := range []counter.Name{counter.Items, counter.Held, counter.Records, counter.Sessions} {
			n, err := tx.Count(agent, name)
			if err != nil {
				return err
			}
			left += n
		}
		return nil
	})
	if err == nil && left == 0 {
		err = m.dropIndexes(agent)
	}
	if err != nil {
		m.Log.Warn("an empty index was not removed", "error", err)
	}
}

// dropIndexes removes the indexes of an agent and their places in the change feed.
// Its followers must be closed.
func (m *Manager) dropIndexes(agent string) error {
	return errors.Join(
		os.RemoveAll(filepath.Join(m.Vault().Dir(), vault.IndexFolder, agent)),
		m.Vault().Update(func(tx *store.Tx) error { return indexer.Forget(tx, agent, journal.MarkPrefix+agent) }),
	)
}

// removeLeft removes the folders that bear the id of an agent of which there is
// nothing any more, not even to be taken back.
func (m *Manager) removeLeft() {
	for _, name := range m.foldersLeft() {
		dir := filepath.Join(m.Vault().Dir(), filepath.FromSlash(name))
		err := error(nil)
		if filepath.Base(filepath.Dir(dir)) == vault.IndexFolder {
			err = m.dropIndexes(filepath.Base(dir))
		} else {
			err = os.Remove(dir) // a file in it is seen to by removeOrphans
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.Log.Info("a left-over folder stays for now", "error", err)
		}
	}
}

// foldersLeft lists them, below the data folder.
func (m *Manager) foldersLeft() (out []string) {
	var known []string
	err := m.Store.View(func(tx *store.Tx) (err error) {
		known, err = tx.Agents()
		return err
	})
	if err != nil {
		return nil
	}
	known = append(known, m.Recall().Loaded()...)
	for _, in := range []string{vault.IndexFolder, vault.MessageFolder} {
		entries, err := os.ReadDir(filepath.Join(m.Vault().Dir(), in))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && memory.ValidAgentID(e.Name()) && !slices.Contains(known, e.Name()) {
				out = append(out, in+"/"+e.Name())
			}
		}
	}
	return out
}
