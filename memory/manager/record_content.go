package manager

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
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// storeLongContent writes a long content to a file of its own and returns the record to
// store, with the file's name instead of the content. The file is durable before the
// record is written, so a crash leaves at most an orphaned file; see removeOrphans.
func (m *Manager) storeLongContent(ctx context.Context, r memory.Record) (memory.Record, error) {
	if len(r.Content) <= memory.MaxContent {
		return r, nil
	}
	if err := context.Cause(ctx); err != nil { // the record would not be written either
		return r, err
	}
	ref := filepath.Join(vault.MessageFolder, r.AgentID, r.ID+".txt")
	file := filepath.Join(m.Vault().Dir(), ref)
	err := writeFile(file, r.Content)
	if err == nil {
		err = vault.SyncDirs(filepath.Dir(file), filepath.Clean(m.Vault().Dir()))
	}
	if err != nil {
		return r, m.Vault().NoteWrite(fmt.Errorf("writing a long message: %w", kv.Refusal(err)))
	}
	r.ContentSum = recall.Checksum([]byte(r.Content))
	r.Content, r.ContentRef = "", filepath.ToSlash(ref)
	return r, nil
}

func writeFile(name, content string) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(name)
	}
	return err
}

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
