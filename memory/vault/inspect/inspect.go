package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memoria/memory/store"
	"memoria/memory/vault"
)

// Options say where to look, and for which words.
type Options struct {
	Dir   string       // the data folder
	Store *store.Store // of the folder, open; nil if there is none
	// Others are files outside of the folder, such as the log and the configuration. Files
	// beside them whose names begin like theirs are read too.
	Others []string
	Words  []string
	// Progress is told how many files were read; it may be nil.
	Progress func(done, total int)
}

// Place is where a word was found. It does not say which.
type Place struct {
	File string `json:"file"` // relative to the data folder, or absolute
	// Part is a bucket of a store, or one of the Part constants.
	Part  string `json:"part"`
	Agent string `json:"agent,omitempty"`
	ID    string `json:"id,omitempty"` // of a message, an item or another record
}

// The parts of a file that is not a store, or of a store beside its buckets.
const (
	PartName    = "name"
	PartContent = "content"
	PartFree    = "free pages" // of a store; they hold no record
	PartIndex   = "index"
	// PartClosed is in the report of a file that cannot be read: it may hold the words.
	PartClosed = "cannot be read"
)

// Report is the result of [Search].
type Report struct {
	Files int     // that were read
	Found []Place // sorted
}

// Search looks for words. The error is the cause of ctx, or of a file that should be
// readable and is not; a damaged or encrypted file is in the report.
func Search(ctx context.Context, o Options) (Report, error) {
	s := &search{Options: o, places: map[Place]bool{}, holders: map[record][]bool{}}
	for _, w := range o.Words {
		s.needles = append(s.needles, newNeedle(w))
		for _, form := range s.needles[len(s.needles)-1].forms {
			s.longest = max(s.longest, len(form))
		}
	}
	files, err := s.files()
	if err != nil {
		return Report{}, fmt.Errorf("looking for files: %w", err)
	}
	if err := s.openStore(); err != nil {
		return Report{}, err
	}
	for i, f := range files {
		if o.Progress != nil {
			o.Progress(i, len(files))
		}
		if err := s.file(ctx, f); err != nil {
			return Report{}, err
		}
	}
	r := Report{Files: s.read}
	for p := range s.places {
		r.Found = append(r.Found, p)
	}
	slices.SortFunc(r.Found, func(a, b Place) int { return slices.Compare(a.parts(), b.parts()) })
	return r, nil
}

func (p Place) parts() []string { return []string{p.File, p.Part, p.Agent, p.ID} }

// search is a search in progress.
type search struct {
	Options
	needles []needle
	longest int // of their forms
	read    int
	places  map[Place]bool
	// holders are the records of the open store that hold a needle, and which they hold.
	holders map[record][]bool
}

// record is a message or an item.
type record struct{ agent, id string }

// files lists all files, those of the data folder first.
func (s *search) files() (out []string, err error) {
	err = s.below(s.Dir, map[string]bool{}, &out)
	for _, other := range s.Others {
		beside, gerr := filepath.Glob(filepath.Join(filepath.Dir(other), "*"))
		err = errors.Join(err, gerr)
		for _, path := range beside {
			info, serr := os.Stat(path)
			if serr == nil && info.Mode().IsRegular() && strings.HasPrefix(path, other) && !slices.Contains(out, path) {
				out = append(out, path)
			}
		}
	}
	return out, err
}

// below lists the files of a folder, and those that links lead to: the program writes there.
func (s *search) below(dir string, seen map[string]bool, out *[]string) error {
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) || seen[real] {
		return nil
	}
	if err != nil {
		return err
	}
	seen[real] = true
	root := dir + string(filepath.Separator) // the folder, also if it is a link
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // removed meanwhile, or never there
		case err != nil:
			return err
		case path == root:
			return nil
		case e.Type().IsRegular():
			*out = append(*out, path)
			return nil
		}
		s.name(path)
		if e.Type()&fs.ModeSymlink == 0 {
			return nil
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			s.found(path, Place{Part: PartClosed})
		case info.IsDir():
			return s.below(path, seen, out)
		case info.Mode().IsRegular():
			*out = append(*out, path)
		}
		return nil
	})
}

// found adds a place.
func (s *search) found(path string, p Place) {
	p.File = path
	if rel, err := filepath.Rel(s.Dir, path); err == nil && filepath.IsLocal(rel) {
		p.File = filepath.ToSlash(rel)
	}
	if p.Agent == "" && p.ID == "" {
		p.Agent, p.ID = belongs(p.File)
	}
	p.File, p.Agent, p.ID = s.hide(p.File), s.hide(p.Agent), s.hide(p.ID)
	s.places[p] = true
}

// belongs returns whose a file of the data folder is, and the message that it holds.
func belongs(file string) (agent, id string) {
	parts := strings.Split(file, "/")
	for i, folder := range parts {
		switch rest := parts[i+1:]; {
		case len(rest) < 2:
		case folder == vault.MessageFolder:
			return rest[0], strings.TrimSuffix(rest[len(rest)-1], filepath.Ext(rest[len(rest)-1]))
		case folder == vault.IndexFolder || folder == vault.JournalFolder:
			return rest[0], ""
		}
	}
	return "", ""
}

// name looks at the name of a file or folder.
func (s *search) name(path string) {
	base := filepath.Base(path)
	for _, n := range s.needles {
		if n.in(base) || n.in(name(base)) {
			s.found(path, Place{Part: PartName})
		}
	}
}
