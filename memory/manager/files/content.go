package files

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

// StoreLong writes a long content to a file of its own and returns the record to
// store, with the file's name instead of the content. The file is durable before the
// record is written, so a crash leaves at most an orphaned file; see RemoveOrphans.
func (f *Files) StoreLong(ctx context.Context, r memory.Record) (memory.Record, error) {
	if len(r.Content) <= memory.MaxContent {
		return r, nil
	}
	if err := context.Cause(ctx); err != nil { // the record would not be written either
		return r, err
	}
	ref := filepath.Join(vault.MessageFolder, r.AgentID, r.ID+".txt")
	file := filepath.Join(f.Vault().Dir(), ref)
	err := writeFile(file, r.Content)
	if err == nil {
		err = vault.SyncDirs(filepath.Dir(file), filepath.Clean(f.Vault().Dir()))
	}
	if err != nil {
		return r, f.Vault().NoteWrite(fmt.Errorf("writing a long message: %w", kv.Refusal(err)))
	}
	r.ContentSum = recall.Checksum([]byte(r.Content))
	r.Content, r.ContentRef = "", filepath.ToSlash(ref)
	return r, nil
}

func writeFile(name, content string) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		_ = os.Remove(name)
	}
	return err
}

// RemoveOrphans removes the files of long contents that no record names, which a crash
// leaves, in the background. It considers only the files that exist when it is called,
// before the first write.
func (f *Files) RemoveOrphans() {
	names, err := fs.Glob(os.DirFS(f.Vault().Dir()), vault.MessageFolder+"/*/*.txt")
	if err != nil || len(names) == 0 {
		return
	}
	f.Tasks.Go(func() {
		for _, name := range names {
			err := guard.Do(f.Log, "removing a left-over file", func() error { return f.removeOrphan(name) })
			if err != nil {
				f.Log.Warn("a left-over file was not removed", "file", path.Base(name), "error", err)
			}
		}
	})
}

// removeOrphan removes a file unless its record exists or can be restored. name is relative
// to the data folder.
func (f *Files) removeOrphan(name string) error {
	agent, id := path.Base(path.Dir(name)), strings.TrimSuffix(path.Base(name), ".txt")
	there := true
	err := f.Store.View(func(tx *store.Tx) (err error) {
		if there, err = tx.HasRecord(agent, id); there || err != nil {
			return err
		}
		there, err = tx.TrashedFile(agent, name)
		return err
	})
	if err != nil || there {
		return err
	}
	return os.Remove(filepath.Join(f.Vault().Dir(), filepath.FromSlash(name)))
}

// Remove removes contents by their names relative to the data folder. Failures are logged,
// and the next start tries again.
func (f *Files) Remove(names []string) {
	for _, name := range names {
		if !vault.IsContentRef(name) {
			f.Log.Warn("a long message's file was not removed", "error", fs.ErrInvalid)
			continue
		}
		if err := os.Remove(filepath.Join(f.Vault().Dir(), filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.Log.Warn("a long message's file was not removed", "file", path.Base(name), "error", err)
		}
	}
}
