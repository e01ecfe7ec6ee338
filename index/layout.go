package index

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/index/lock"
)

// layoutVersion counts changes to the fields and files that this package writes.
const layoutVersion = 1

const (
	versionFile = "version"
	lockFile    = "lock"
)

// openDirectory creates or opens the folder, locks it, and checks every file that the
// newest snapshot needs. It removes all others: they are left over from a killed
// process.
func openDirectory(ctx context.Context, path string, version uint32, logger *slog.Logger, stopping <-chan struct{}) (*directory, error) {
	if path == "" {
		return nil, errors.New("no folder named")
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o700); err != nil {
		return nil, err
	}
	found, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	l, err := lockDirectory(path)
	if err != nil {
		return nil, err
	}
	d := &directory{
		path: path, found: found, logger: logger, lock: l, stopping: stopping,
		checked: make(map[uint64]bool), mappings: make(map[*mapping]bool), written: make(map[uint64]bool),
	}
	if err := d.prepare(ctx, version); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func lockDirectory(path string) (lock.LockedFile, error) {
	l, err := lock.OpenExclusive(filepath.Join(path, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("locking: %w: %w", err, ErrLocked)
	}
	return l, nil
}

func (d *directory) prepare(ctx context.Context, version uint32) (err error) {
	defer guard(d.logger, &err)()
	snapshots, err := d.List(kindSnapshot)
	if err != nil {
		return err
	}
	segments, err := d.List(kindSegment)
	if err != nil {
		return err
	}
	fresh := len(snapshots)+len(segments) == 0
	if err := checkVersion(d.path, version, fresh); err != nil {
		return err
	}
	if len(snapshots) == 0 && len(segments) > 0 {
		return fmt.Errorf("segments without a snapshot: %w", ErrBroken)
	}
	needed := make(map[string]bool)
	if len(snapshots) > 0 {
		if needed, err = d.checkSnapshot(ctx, snapshots[0]); err != nil {
			return err
		}
	}
	return d.sweep(needed)
}

// checkSnapshot checks a snapshot and its segments and returns their file names. If the
// newest snapshot is damaged, the index is damaged.
func (d *directory) checkSnapshot(ctx context.Context, id uint64) (map[string]bool, error) {
	name := filepath.Base(d.file(kindSnapshot, id))
	needed := map[string]bool{name: true}
	ids, err := d.segmentsOf(id)
	if err != nil {
		return nil, err
	}
	if err := d.checkSegments(ctx, ids); err != nil {
		return nil, err
	}
	for _, id := range ids {
		needed[filepath.Base(d.file(kindSegment, id))] = true
		d.checked[id] = true
	}
	return needed, nil
}

// segmentsOf reads a snapshot and returns the numbers of its segments.
func (d *directory) segmentsOf(id uint64) (ids []uint64, err error) {
	name := filepath.Base(d.file(kindSnapshot, id))
	content, err := d.readSnapshot(id)
	if err != nil {
		return nil, fmt.Errorf("checking %s: %w", name, err)
	}
	var s bluge.Snapshot
	if _, err := s.ReadFrom(bytes.NewReader(content)); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, broken(err))
	}
	for _, seg := range s.Segments() {
		ids = append(ids, seg.ID())
	}
	return ids, nil
}

// checkSegments compares segments with their checksums, in parallel on all processors,
// and returns the first error.
func (d *directory) checkSegments(ctx context.Context, ids []uint64) error {
	var next atomic.Int64
	check := func() error {
		for i := next.Add(1) - 1; int(i) < len(ids); i = next.Add(1) - 1 {
			if ctx.Err() != nil {
				return fmt.Errorf("checking segments: %w", context.Cause(ctx))
			}
			path := d.file(kindSegment, ids[i])
			if err := checkFile(path, kindSegment, ids[i]); err != nil {
				return fmt.Errorf("checking %s: %w", filepath.Base(path), err)
			}
		}
		return nil
	}
	var wait sync.WaitGroup
	errs := make([]error, min(runtime.GOMAXPROCS(0), len(ids)))
	for i := range errs {
		wait.Go(func() { errs[i] = check() })
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// sweep removes unneeded segments, snapshots and temporary files.
func (d *directory) sweep(needed map[string]bool) error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if needed[e.Name()] || !ours(e.Name()) || e.Name() == versionFile || e.Name() == lockFile {
			continue
		}
		if err := os.Remove(filepath.Join(d.path, e.Name())); err != nil {
			return err
		}
		d.logger.Debug("removed left-over index file", "file", e.Name())
	}
	return nil
}

// ours reports whether this package writes files of that name.
func ours(name string) bool {
	return name == versionFile || name == lockFile || strings.HasSuffix(name, tempSuffix) ||
		strings.HasSuffix(name, kindSegment) || strings.HasSuffix(name, kindSnapshot)
}

// versionLine is the content of the version file: one line ending in its own checksum.
func versionLine(layout, mapping uint32) string {
	s := fmt.Sprintf("memoria index layout %d mapping %d", layout, mapping)
	return fmt.Sprintf("%s %08x\n", s, crc32.Checksum([]byte(s), castagnoli))
}

// wholeVersion reports whether line is a valid version line, of any version.
func wholeVersion(line string) bool {
	var layout, mapping uint32
	n, err := fmt.Sscanf(line, "memoria index layout %d mapping %d", &layout, &mapping)
	return err == nil && n == 2 && line == versionLine(layout, mapping)
}

// checkVersion compares the version file with this program's version, and writes it in
// a new folder.
func checkVersion(path string, version uint32, fresh bool) error {
	name := filepath.Join(path, versionFile)
	want := versionLine(layoutVersion, version)
	got, err := os.ReadFile(name)
	switch {
	case fresh && (errors.Is(err, fs.ErrNotExist) || err == nil && string(got) != want):
		temp := name + tempSuffix
		if err := os.WriteFile(temp, []byte(want), 0o600); err != nil {
			return err
		}
		return os.Rename(temp, name)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no version file: %w", ErrBroken)
	case err != nil:
		return err
	case string(got) == want:
		return nil
	case wholeVersion(string(got)):
		return fmt.Errorf("%s: %w", strings.TrimSpace(string(got)), ErrOld)
	default:
		return fmt.Errorf("damaged version file: %w", ErrBroken)
	}
}

// Destroy removes the index in dir, so that Open creates a new one. A missing index is
// not an error. An open index is ErrLocked. Other files in dir stay.
func Destroy(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	l, err := lockDirectory(dir)
	if err != nil {
		return fmt.Errorf("destroying index: %w", err)
	}
	defer func() { _ = l.Close() }()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("destroying index: %w", err)
	}
	for _, e := range entries {
		if !ours(e.Name()) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("destroying index: %w", err)
		}
	}
	_ = os.Remove(dir) // fails if the folder has other files
	return nil
}
