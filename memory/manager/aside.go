package manager

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"memoria/memory"
)

// aside is the folder of contents that are too long for the store (A1).
const aside = "content"

// putAside writes a long content to a file of its own and returns the record as
// it is stored: with the file's name instead of the content. The file is on
// disk before the record is, so a crash leaves at most a file nobody names.
func (m *Manager) putAside(r memory.Record) (memory.Record, error) {
	if len(r.Content) <= memory.MaxContent {
		return r, nil
	}
	ref := filepath.Join(aside, r.AgentID, r.ID+".txt")
	if err := writeFile(filepath.Join(m.dir, ref), r.Content); err != nil {
		return r, fmt.Errorf("writing a long message: %w", err)
	}
	r.Content, r.ContentRef = "", filepath.ToSlash(ref)
	return r, nil
}

func writeFile(path, content string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.WriteString(content); err != nil {
		return err
	}
	return f.Sync()
}

// fetch returns a stored record with its content.
func (m *Manager) fetch(r memory.Record) memory.Record {
	if r.ContentRef == "" || r.Content != "" {
		return r
	}
	b, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(r.ContentRef)))
	if err != nil {
		m.log.Warn("a long message cannot be read", "record", r.ID, "error", err)
		r.Content = "[this message's file cannot be read]"
		return r
	}
	r.Content = string(b)
	return r
}

func (m *Manager) fetchAll(records []memory.Record) []memory.Record {
	for i := range records {
		records[i] = m.fetch(records[i])
	}
	return records
}

func (m *Manager) removeAside(r memory.Record) {
	if r.ContentRef != "" {
		if err := os.Remove(filepath.Join(m.dir, filepath.FromSlash(r.ContentRef))); err != nil {
			m.log.Warn("a long message's file was not removed", "record", r.ID, "error", err)
		}
	}
}
