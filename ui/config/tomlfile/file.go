package tomlfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// MaxSize is the largest file that is read, in bytes.
const MaxSize = 1 << 20

// tries is how often a file is edited that somebody else writes at the same time.
const tries = 5

// Errors that a caller may branch on.
var (
	// ErrReadOnly: the file's permissions say that it is not to be written.
	ErrReadOnly = errors.New("the file is read-only")
	// ErrBusy: somebody else went on writing the file.
	ErrBusy = errors.New("the file is being written by somebody else")
)

// changing lets one change in this process follow the other.
var changing sync.Mutex

// Change replaces a file's text by what edit makes of it. A file that is not there
// is made, from head, with its folder. When edit fails, returns the text it got, or cannot be
// written whole, the file stays as it is. edit may be called more than once.
func Change(path, head string, edit func(text string) (string, error)) error {
	changing.Lock()
	defer changing.Unlock()
	target, err := follow(path)
	if err != nil {
		return err
	}
	folder, name := filepath.Split(target)
	release, err := lock(filepath.Clean(folder), name)
	if errors.Is(err, fs.ErrNotExist) {
		if after, err := edit(head); err != nil || after == head {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		release, err = lock(filepath.Clean(folder), name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer release()
	for range tries {
		before, mode, err := read(target)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return err
		}
		from := before
		if missing {
			from = head
		}
		after, err := edit(from)
		if err != nil {
			return err
		}
		if after == from {
			return nil
		}
		if missing {
			mode = 0o600
		}
		replaced, err := replace(target, before, after, mode, missing)
		if err != nil || replaced {
			return err
		}
	}
	return fmt.Errorf("%s: %w", path, ErrBusy)
}

// follow is where a chain of links leads to, also when nothing is there yet.
func follow(path string) (string, error) {
	const longest = 40
	for range longest {
		to, err := os.Readlink(path)
		if err != nil { // no link, or nothing
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// read reads a file that may be replaced.
func read(path string) (text string, mode fs.FileMode, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	switch {
	case !st.Mode().IsRegular():
		return "", 0, fmt.Errorf("%s is no file", path)
	case st.Mode().Perm()&0o200 == 0:
		return "", 0, fmt.Errorf("%s: %w", path, ErrReadOnly)
	}
	if w, err := os.OpenFile(path, os.O_WRONLY, 0); err != nil { // somebody else's
		return "", 0, err
	} else if err := w.Close(); err != nil {
		return "", 0, err
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err == nil && len(b) > MaxSize {
		err = fmt.Errorf("%s is larger than 1 MB", path)
	}
	return string(b), st.Mode().Perm(), err
}

// replace puts a text in the place of a file, if the file still says what it said
// before, or is still missing.
func replace(path, before, after string, mode fs.FileMode, missing bool) (done bool, err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return false, err
	}
	defer func() {
		if !done {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.WriteString(after)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return false, err
	}
	now, _, err := read(path)
	if gone := errors.Is(err, fs.ErrNotExist); gone != missing || !gone && (err != nil || now != before) {
		if gone || err == nil {
			return false, nil // somebody else was here
		}
		return false, err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return false, err
	}
	if d, err := os.Open(dir); err == nil { // the name is to survive a power cut too
		_ = d.Sync()
		_ = d.Close()
	}
	return true, nil
}
