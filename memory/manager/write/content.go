package write

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/vault"
)

// StoreLongContent writes a long content to a file of its own and returns the record to
// store, with the file's name instead of the content. The file is durable before the
// record is written, so a crash leaves at most an orphaned file; package manager removes it.
func (c *Core) StoreLongContent(ctx context.Context, r memory.Record) (memory.Record, error) {
	if len(r.Content) <= memory.MaxContent {
		return r, nil
	}
	if err := context.Cause(ctx); err != nil { // the record would not be written either
		return r, err
	}
	ref := filepath.Join(vault.MessageFolder, r.AgentID, r.ID+".txt")
	file := filepath.Join(c.vault.Dir(), ref)
	err := writeFile(file, r.Content)
	if err == nil {
		err = vault.SyncDirs(filepath.Dir(file), filepath.Clean(c.vault.Dir()))
	}
	if err != nil {
		return r, c.vault.NoteWrite(fmt.Errorf("writing a long message: %w", kv.Refusal(err)))
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
