package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
	maxFile  = 4 << 20 // bytes of a file that are searched; nobody writes so much by hand
	partial  = ".writing"
	aside    = ".before"
)

// disk is the agent's folder. Links in it are not followed: what they lead to is not the
// journal's.
type disk struct{ dir string }

func (d disk) file(p string) string { return filepath.Join(d.dir, filepath.FromSlash(p)) }

// seen is what the file system says of a file.
type seen struct {
	size    int64
	changed time.Time
}

// list returns the files of the journal that are there, by path.
func (d disk) list() (map[string]seen, error) {
	out := map[string]seen{}
	if err := d.check(); err != nil {
		return nil, err
	}
	add := func(p string, e fs.DirEntry) {
		if strings.HasPrefix(e.Name(), ".") {
			return // an editor's
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && ours(p) {
			out[p] = seen{info.Size(), changedAt(info)}
		}
	}
	for _, dir := range []string{".", recentDir, summaryDir} {
		all, err := os.ReadDir(d.file(dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading the journal: %w", err)
		}
		for _, e := range all {
			add(path.Join(dir, e.Name()), e)
		}
	}
	return out, nil
}

// ErrLink says that a folder of the journal is a link: the program writes nowhere else than
// in its own folder.
var ErrLink = errors.New("a folder of the journal is a link; to have the journal elsewhere, set --data-dir, or let a program copy it")

// check refuses folders that lead elsewhere.
func (d disk) check() error {
	for _, dir := range []string{".", recentDir, summaryDir} {
		info, err := os.Lstat(filepath.Clean(d.file(dir)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s: %w", d.file(dir), ErrLink)
		}
	}
	return nil
}

// look says what is to be seen of one file; fs.ErrNotExist when it is not there.
func (d disk) look(p string) (seen, error) {
	info, err := os.Lstat(d.file(p))
	if err != nil {
		return seen{}, err
	}
	if !info.Mode().IsRegular() {
		return seen{}, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	}
	return seen{info.Size(), changedAt(info)}, nil
}

// read returns the words of a file, of a huge one only the first, and the sum of all of it.
func (d disk) read(p string) (words, sum string, err error) { return d.readTo(p, maxFile) }

// whole is read without a limit.
func (d disk) whole(p string) (words, sum string, err error) { return d.readTo(p, math.MaxInt64) }

func (d disk) readTo(p string, most int64) (words, sum string, err error) {
	if _, err := d.look(p); err != nil {
		return "", "", err
	}
	f, err := os.Open(d.file(p))
	if err != nil {
		return "", "", err
	}
	defer func() { _ = f.Close() }()
	all := sha256.New()
	b, err := io.ReadAll(io.TeeReader(io.LimitReader(f, most), all))
	if err == nil {
		_, err = io.Copy(all, f)
	}
	if err != nil {
		return "", "", err
	}
	return strings.ToValidUTF8(string(b), "\ufffd"), hex.EncodeToString(all.Sum(nil)), nil
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// errEdited says that a file has other words than the program wrote.
var errEdited = errors.New("the file was edited")

// replace writes a file in one step, unless it has words whose sum is none of ours: then it
// is left alone and the error is errEdited. What an editor saves in the very moment of the
// exchange is kept too: it is set aside, its new path returned.
func (d disk) replace(p, words string, ours ...string) (kept string, err error) {
	name := d.file(p)
	if err := d.check(); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(name), dirMode); err != nil {
		return "", err
	}
	_, sum, err := d.read(p)
	there := err == nil
	switch {
	case there && !slices.Contains(ours, sum):
		return "", errEdited
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if _, err := os.Lstat(name); err == nil && !there {
		return "", errEdited // a link or a folder stands there
	}
	if err := writeFile(name+partial, words); err != nil {
		return "", errors.Join(err, os.Remove(name+partial))
	}
	linked := there && os.Link(name, name+aside) == nil
	if err := os.Rename(name+partial, name); err != nil {
		return "", errors.Join(err, os.Remove(name+partial))
	}
	if err = nil; linked {
		kept, err = d.settle(p, ours)
	}
	return kept, errors.Join(err, syncDir(filepath.Dir(name)))
}

// settle removes what a file was before, or gives it a name of its own when an editor had
// just saved it.
func (d disk) settle(p string, ours []string) (kept string, err error) {
	was := d.file(p) + aside
	b, err := os.ReadFile(was)
	if err != nil || slices.Contains(ours, sumOf(b)) {
		return "", os.Remove(was)
	}
	kept = d.free(p)
	return kept, os.Rename(was, d.file(kept))
}

// free returns a path beside p at which there is nothing.
func (d disk) free(p string) string {
	for n := 2; ; n++ {
		if other := numbered(p, n); !d.occupied(other) {
			return other
		}
	}
}

// occupied reports whether anything stands at p, even what is not the journal's.
func (d disk) occupied(p string) bool {
	_, err := os.Lstat(d.file(p))
	return !errors.Is(err, fs.ErrNotExist)
}

// blocked reports whether something stands at p that is not a file.
func (d disk) blocked(p string) bool {
	_, err := d.look(p)
	return errors.Is(err, fs.ErrNotExist) && d.occupied(p)
}

// writeFile writes a new file. What stands in its place goes, and is not written through.
func writeFile(name, words string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(words)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncDir makes a rename last; where a folder cannot be synced, nobody else can either.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return nil //nolint:nilerr // the file itself is written
	}
	_ = f.Sync()
	return f.Close()
}

// remove deletes a file; one that is not there is deleted.
func (d disk) remove(p string) error {
	if err := os.Remove(d.file(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes what a killed process left half written. What it had set aside was either
// the program's own, or an editor's, which gets a name of its own.
func (d disk) sweep(isOurs func(p, sum string) bool) error {
	for _, dir := range []string{".", recentDir, summaryDir} {
		all, err := os.ReadDir(d.file(dir))
		if err != nil {
			continue
		}
		for _, e := range all {
			p := path.Join(dir, e.Name())
			if strings.HasSuffix(p, extension+partial) {
				if err := d.remove(p); err != nil {
					return err
				}
			}
			if base, ok := strings.CutSuffix(p, aside); ok && ours(base) {
				b, err := os.ReadFile(d.file(p))
				if err != nil || isOurs(base, sumOf(b)) {
					err = d.remove(p)
				} else {
					err = os.Rename(d.file(p), d.file(d.free(base)))
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}
