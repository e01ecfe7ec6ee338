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
	maxFile  = 4 << 20 // maximum bytes of a file that are searched
	partial  = ".writing"
	aside    = ".before"
)

// disk is the agent's folder. It does not follow links, since their targets are not the
// journal's.
type disk struct{ dir string }

func (d disk) file(p string) string { return filepath.Join(d.dir, filepath.FromSlash(p)) }

// seen holds a file's size and time in the file system.
type seen struct {
	size    int64
	changed time.Time
}

// list returns the existing journal files, by path.
func (d disk) list() (map[string]seen, error) {
	out := map[string]seen{}
	if err := d.check(); err != nil {
		return nil, err
	}
	add := func(p string, e fs.DirEntry) {
		if strings.HasPrefix(e.Name(), ".") {
			return // an editor's temporary file
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

// ErrLink says that a folder of the journal is a link. The program writes only in its own
// folder.
var ErrLink = errors.New("a folder of the journal is a link; to have the journal elsewhere, set --data-dir, or let a program copy it")

// check returns an error for folders that are links.
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

// look returns the size and time of a file, or fs.ErrNotExist.
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

// read returns the content of a file, up to maxFile, and the checksum of all of its bytes.
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

// errEdited says that a file's content is not the program's.
var errEdited = errors.New("the file was edited")

// replace writes a file atomically. If its content has none of the checksums in ours, it is
// left unchanged and the error is errEdited. If an editor saves during the exchange, its
// version is kept too, under the returned path.
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
		return "", errEdited // a link or a folder is in the way
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

// settle removes a file's previous version, or gives it its own name if an editor had
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

// free returns an unused path like p.
func (d disk) free(p string) string {
	for n := 2; ; n++ {
		if other := numbered(p, n); !d.occupied(other) {
			return other
		}
	}
}

// occupied reports whether anything exists at p, including foreign objects.
func (d disk) occupied(p string) bool {
	_, err := os.Lstat(d.file(p))
	return !errors.Is(err, fs.ErrNotExist)
}

// blocked reports whether something other than a file exists at p.
func (d disk) blocked(p string) bool {
	_, err := d.look(p)
	return errors.Is(err, fs.ErrNotExist) && d.occupied(p)
}

// writeFile writes a new file. It replaces an existing object and does not follow links.
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

// syncDir makes a rename durable. It ignores file systems that cannot sync a folder.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return nil //nolint:nilerr // the file itself is written
	}
	_ = f.Sync()
	return f.Close()
}

// remove deletes a file. It is a no-op if there is none.
func (d disk) remove(p string) error {
	if err := os.Remove(d.file(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes the temporary files of a killed process. A set-aside version is the
// program's or an editor's; the latter gets its own name.
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
