package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
)

// ErrThere says that the file exists. It is overwritten only with force.
var ErrThere = errors.New("the file already exists")

// FolderError says that a file cannot be made in a folder.
type FolderError struct {
	Folder string
	Err    error // of the system; [fs.ErrNotExist] if there is no such folder
}

func (e *FolderError) Error() string { return "writing into " + e.Folder + ": " + e.Err.Error() }

// Unwrap returns the error of the system.
func (e *FolderError) Unwrap() error { return e.Err }

// Load reads a session for export: its current branch and, if all is set, the other
// branches. id is a complete id; name is the agent's display name.
func Load(ctx context.Context, m *manager.Manager, agentID, id, name string, all bool) (Session, error) {
	b, err := m.Lookup().Branch(ctx, agentID, id)
	if err != nil {
		return Session{}, err
	}
	s := Session{Session: b.Session, Agent: name, Records: b.Records, Before: b.Before, Gone: b.Gone}
	if f := b.Session.ForkedFrom; f != nil {
		if from, err := m.Lookup().Session(ctx, agentID, f.SessionID); err == nil {
			s.From = from.Title
		}
	}
	s.Names = namesIn(ctx, m, b)
	if all {
		records, err := m.Lookup().Records(ctx, agentID, id)
		if err != nil {
			return Session{}, err
		}
		in := map[string]bool{}
		for _, r := range b.Records {
			in[r.ID] = true
		}
		s.Others = slices.DeleteFunc(records, func(r memory.Record) bool { return in[r.ID] })
	}
	return s, nil
}

// namesIn returns the names of a group's speakers by id.
func namesIn(ctx context.Context, m *manager.Manager, b lookup.Branch) map[string]string {
	names := map[string]string{}
	for _, r := range b.Records {
		if r.Sender == "" || names[r.Sender] != "" {
			continue
		}
		if a, err := m.Lookup().Agent(ctx, r.Sender); err == nil {
			names[r.Sender] = a.Name
		}
		if names[r.Sender] != "" {
			continue
		}
		group := cmp.Or(b.Session.Group, b.Session.AgentID)
		if g, err := m.Lookup().Group(ctx, group); err == nil {
			names[r.Sender] = g.NameOf(r.Sender)
		}
	}
	return names
}

// Write writes a document to a file, as [To] does. A path that begins with "~/" is
// relative to home.
func Write(path, home, doc string, force bool) (written string, err error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		path = home + "/" + rest
	}
	return path, To(path, force, func(w io.Writer) error {
		_, err := io.WriteString(w, doc)
		return err
	})
}

// To makes a file with what write writes, which only its owner can read (D4). An error
// leaves no file, and an existing one unchanged. It wraps ErrThere if the file exists and
// force is not set, and is a *FolderError if none can be made there.
func To(path string, force bool, write func(io.Writer) error) error {
	switch stat, err := os.Stat(path); {
	case err == nil && !stat.Mode().IsRegular():
		return fmt.Errorf("exporting: %s is not a regular file", path)
	case err == nil && !force:
		return fmt.Errorf("%s: %w", path, ErrThere)
	}
	// Write to a temporary file first, so that a full disk leaves no partial document.
	f, err := os.CreateTemp(filepath.Dir(path), ".memoria-export-*")
	var at *fs.PathError
	if errors.As(err, &at) {
		return &FolderError{Folder: filepath.Dir(path), Err: at.Err}
	}
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	err = write(f)
	if err = errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("exporting: %w", err), os.Remove(f.Name()))
	}
	return nil
}
