package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"memoria/kv"
)

// erasingFile holds the [Erasing] of a data folder, so that a start continues what an
// earlier process left.
const erasingFile = "erasing.json"

// The parts of a data folder from which deleted data is removed, in this order.
const (
	PartJournals = "journals"
	PartIndexes  = "indexes"
	PartBackups  = "backups"
	PartReplaced = "old copies"
	PartStore    = "free pages"
)

// Parts lists the parts in their order.
func Parts() []string {
	return []string{PartJournals, PartIndexes, PartBackups, PartReplaced, PartStore}
}

// Erasing is the state of the removal of deleted data from the files (D2). It holds no
// content.
type Erasing struct {
	// Since is when data was destroyed that may still be in files; zero if there is none.
	Since time.Time `json:"since,omitzero"`
	// Part is being erased now; empty if none is. Done and Total count its pieces.
	Part  string `json:"part,omitempty"`
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`
	// Finished is when all of it was last removed.
	Finished time.Time `json:"finished,omitzero"`
	// Failed lists the parts that may still hold it, after the last attempt.
	Failed []EraseFailure `json:"failed,omitempty"`
}

// EraseFailure says why a part could not be erased.
type EraseFailure struct {
	Part string `json:"part"`
	Text string `json:"text"`
	Do   string `json:"do,omitempty"` // the remedy
}

// Pending reports whether deleted data may be in files.
func (e Erasing) Pending() bool { return !e.Since.IsZero() }

// ErasingIn reads the state of a data folder, which need not be open. Without a file nothing
// is pending. One that cannot be read may say otherwise: then all is pending since its last
// write.
func ErasingIn(dir string) (e Erasing) {
	path := filepath.Join(dir, erasingFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return e
	}
	if err == nil && json.Unmarshal(b, &e) == nil {
		return e
	}
	e = Erasing{Since: time.Unix(0, 0).UTC()}
	if info, err := os.Stat(path); err == nil {
		e.Since = info.ModTime().UTC()
	}
	return e
}

// erasing holds the state of the removal. v.mu guards it.
type erasing struct {
	Erasing
	marks int // how often data was destroyed
}

// Erasing returns the state of the removal of deleted data from the files.
func (v *Vault) Erasing() Erasing {
	v.mu.Lock()
	defer v.mu.Unlock()
	e := v.erasing.Erasing
	e.Failed = slices.Clone(e.Failed)
	return e
}

// MarkErasing records durably that data is about to be destroyed, so that files have to be
// erased. The caller commits the destruction afterwards: an extra mark is harmless.
func (v *Vault) MarkErasing() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.erasing.marks++
	if v.erasing.Pending() {
		return nil
	}
	v.erasing.Since = v.now().UTC()
	return v.keepErasing()
}

// BeginErasing returns a number for EndErasing.
func (v *Vault) BeginErasing() (marks int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.erasing.marks
}

// NoteErasing records what is being erased. An empty part means none.
func (v *Vault) NoteErasing(part string, done, total int) {
	v.mu.Lock()
	v.erasing.Part, v.erasing.Done, v.erasing.Total = part, done, total
	v.mu.Unlock()
	v.changed()
}

// EndErasing records the result of an erasing that began with marks. It reports whether more
// data was destroyed since, which is then still pending.
func (v *Vault) EndErasing(marks int, failed []EraseFailure) (more bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	e := &v.erasing
	e.Failed, e.Part, e.Done, e.Total = failed, "", 0, 0
	if more = e.marks != marks; !more && len(failed) == 0 {
		e.Since, e.Finished = time.Time{}, v.now().UTC()
	}
	return more, v.keepErasing()
}

// keepErasing writes the state; v.mu is held.
func (v *Vault) keepErasing() error {
	e := v.erasing.Erasing
	e.Part, e.Done, e.Total = "", 0, 0
	b, err := json.Marshal(e)
	if err == nil {
		err = replaceFile(filepath.Join(v.dir, erasingFile), b)
	}
	if err != nil {
		return fmt.Errorf("noting what is to be erased: %w", kv.Refusal(err))
	}
	return nil
}

// replaceFile writes a file durably and atomically, for its owner alone.
func replaceFile(path string, content []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	return SyncDirs(filepath.Dir(path), filepath.Dir(path))
}

// FailureOf describes an error of erasing a part, without the names of files: those of
// journals have words in them.
func FailureOf(part string, err error) EraseFailure {
	f := EraseFailure{Part: part, Text: err.Error(), Do: "It is tried again at the next start, and with: memoria forget --now"}
	var at *fs.PathError
	if part == PartJournals && errors.As(err, &at) {
		f.Text = at.Err.Error()
	}
	if errors.Is(err, ErrDamaged) {
		f.Do = "memoria doctor --repair offers to remove it."
	}
	return f
}
