package files

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

// DropEmpty removes the indexes of an agent without data, so that viewing an agent or
// mistyping its name leaves no folder. The next start recreates them. Its followers must be
// closed.
func (f *Files) DropEmpty(agent string) {
	left := 0
	err := f.Store.View(func(tx *store.Tx) error {
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
		err = f.DropIndexes(agent)
	}
	if err != nil {
		f.Log.Warn("an empty index was not removed", "error", err)
	}
}

// DropIndexes removes the indexes of an agent and their positions in the change feed. Its
// followers must be closed.
func (f *Files) DropIndexes(agent string) error {
	return errors.Join(
		os.RemoveAll(filepath.Join(f.Vault().Dir(), vault.IndexFolder, agent)),
		f.Vault().Update(func(tx *store.Tx) error { return indexer.Forget(tx, agent, journal.MarkPrefix+agent) }),
	)
}

// RemoveLeft removes the folders of agents without data and without trash.
func (f *Files) RemoveLeft() {
	for _, name := range f.foldersLeft() {
		dir := filepath.Join(f.Vault().Dir(), filepath.FromSlash(name))
		err := error(nil)
		if filepath.Base(filepath.Dir(dir)) == vault.IndexFolder {
			err = f.DropIndexes(filepath.Base(dir))
		} else {
			err = os.Remove(dir) // RemoveOrphans removes a file in it
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.Log.Info("a left-over folder stays for now", "error", err)
		}
	}
}

// foldersLeft lists them, relative to the data folder.
func (f *Files) foldersLeft() (out []string) {
	var known []string
	err := f.Store.View(func(tx *store.Tx) (err error) {
		known, err = tx.Agents()
		return err
	})
	if err != nil {
		return nil
	}
	known = append(known, f.Recall().Loaded()...)
	for _, in := range []string{vault.IndexFolder, vault.MessageFolder} {
		entries, err := os.ReadDir(filepath.Join(f.Vault().Dir(), in))
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
