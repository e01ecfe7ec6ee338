package tomlfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// MaxSize is the largest file that is read, in bytes.
const MaxSize = 1 << 20

// tries is how often a file is edited that another program writes at the same time.
const tries = 5

// How often a lock that another process holds is requested, and for how long in all. A
// process holds it while it writes one small file, unless it was stopped.
const (
	lockEvery = 5 * time.Millisecond
	lockTries = 6000
)

// Errors that a caller may branch on.
var (
	ErrReadOnly = errors.New("the file is read-only")
	// ErrBusy means that another program kept writing the file.
	ErrBusy = errors.New("the file is being written by somebody else")
)

// changing serializes the changes of this process.
var changing sync.Mutex

// Change replaces a file's text by the result of edit. A missing file is created from
// head, with its folder. When edit fails, returns the text it got, or cannot be written
// whole, the file stays as it is. edit may be called more than once.
func Change(path, head string, edit func(text string) (string, error)) error {
	changing.Lock()
	defer changing.Unlock()
	target, err := follow(path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(target)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		if after, err := edit(head); err != nil || after == head {
			return err
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	release, err := lock(folder, filepath.Base(target))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer release()
	for range tries {
		before, err := read(target)
		if err != nil {
			return err
		}
		from := before.text
		if before.missing {
			from = head
		}
		after, err := edit(from)
		if err != nil || after == from {
			return err
		}
		if replaced, err := replace(target, before, after); err != nil || replaced {
			return err
		}
	}
	return fmt.Errorf("%s: %w", path, ErrBusy)
}

// lock keeps other processes from changing the files of a folder until release. The
// system releases the lock when a process ends, and no file of it remains. On a system
// without locks, only a change in the last moment before the rename is lost.
func lock(folder, name string) (release func(), err error) {
	for range lockTries {
		release, taken := tryLock(folder, name)
		if !taken {
			return release, nil
		}
		time.Sleep(lockEvery)
	}
	return nil, ErrBusy
}

// follow returns the target of a chain of links, which may be missing.
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

// state is a file as it was read.
type state struct {
	text    string
	mode    fs.FileMode
	missing bool
}

// read reads a file that may be replaced.
func read(path string) (state, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return state{mode: 0o600, missing: true}, nil
	}
	if err != nil {
		return state{}, err
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	switch {
	case err != nil:
		return state{}, err
	case !st.Mode().IsRegular():
		return state{}, fmt.Errorf("%s is no file", path)
	case st.Mode().Perm()&0o200 == 0:
		return state{}, fmt.Errorf("%s: %w", path, ErrReadOnly)
	}
	w, err := os.OpenFile(path, os.O_WRONLY, 0) // fails for a file of another user
	if err != nil {
		return state{}, err
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err == nil && len(b) > MaxSize {
		err = fmt.Errorf("%s is larger than 1 MB", path)
	}
	return state{text: string(b), mode: st.Mode().Perm()}, errors.Join(err, w.Close())
}

// replace puts a text in the place of a file, if the file is still as it was before.
func replace(path string, before state, after string) (done bool, err error) {
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
	if err := errors.Join(err, f.Chmod(before.mode), f.Sync(), f.Close()); err != nil {
		return false, err
	}
	if now, err := read(path); err != nil || now != before {
		return false, err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return false, err
	}
	if d, err := os.Open(dir); err == nil { // the name must survive a power failure too
		_ = d.Sync()
		_ = d.Close()
	}
	return true, nil
}
