package index

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/blevesearch/mmap-go"
	bluge "github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/index/lock"
	segment "github.com/blugelabs/bluge_segment_api"
)

const (
	kindSegment  = bluge.ItemKindSegment
	kindSnapshot = bluge.ItemKindSnapshot
	tempSuffix   = ".tmp"
)

// directory stores bluge's files in one folder. openDirectory opens, checks and locks
// it before bluge uses it, and the Index closes it.
//
// Segments are mapped into memory and checked at each load. Snapshots are read, since
// bluge uses a snapshot's bytes after closing it.
type directory struct {
	path     string
	found    os.FileInfo // identity of path's folder at open
	logger   *slog.Logger
	lock     lock.LockedFile
	stopping <-chan struct{}

	mu       sync.Mutex
	checked  map[uint64]bool   // segments checked by openDirectory
	mappings map[*mapping]bool // open mappings
	written  map[uint64]bool   // segments written and not loaded yet
	failures int               // consecutive, of Persist and Load
}

var _ bluge.Directory = (*directory)(nil)

type mapping struct {
	dir  *directory
	id   uint64 // of the segment
	data mmap.MMap
}

// Close unmaps the file. A second Close is a no-op.
func (m *mapping) Close() error {
	m.dir.mu.Lock()
	defer m.dir.mu.Unlock()
	if !m.dir.mappings[m] {
		return nil
	}
	delete(m.dir.mappings, m)
	return m.data.Unmap()
}

// close unmaps the remaining mappings and releases the lock.
func (d *directory) close() {
	d.mu.Lock()
	left := make([]*mapping, 0, len(d.mappings))
	for m := range d.mappings {
		left = append(left, m)
	}
	d.mu.Unlock()
	for _, m := range left {
		_ = m.Close()
	}
	_ = d.lock.Close()
}

func (d *directory) file(kind string, id uint64) string {
	return filepath.Join(d.path, fmt.Sprintf("%012x", id)+kind)
}

// Setup, Lock and Unlock are no-ops: openDirectory and close do their work.
func (d *directory) Setup(bool) error { return nil }
func (d *directory) Lock() error      { return nil }
func (d *directory) Unlock() error    { return nil }

// Sync is a no-op, see writeFile.
func (d *directory) Sync() error { return nil }

// List returns the numbers of the files of one kind, highest first.
func (d *directory) List(kind string) ([]uint64, error) { return listFiles(d.path, kind) }

func listFiles(path, kind string) ([]uint64, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var ids []uint64
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), kind)
		if !ok {
			continue
		}
		id, err := strconv.ParseUint(base, 16, 64)
		if err != nil {
			return nil, fmt.Errorf("file name %q: %w", e.Name(), ErrBroken)
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids, nil
}

// Load opens a file after verifying its checksum.
func (d *directory) Load(kind string, id uint64) (*segment.Data, io.Closer, error) {
	data, closer, err := d.load(kind, id)
	if err != nil {
		d.failed()
		return nil, nil, fmt.Errorf("loading %s: %w", filepath.Base(d.file(kind, id)), err)
	}
	return data, closer, nil
}

func (d *directory) load(kind string, id uint64) (*segment.Data, io.Closer, error) {
	if kind == kindSnapshot {
		content, err := d.readSnapshot(id)
		if err != nil {
			return nil, nil, err
		}
		return segment.NewDataBytes(content), nil, nil
	}
	d.mu.Lock()
	known := d.checked[id]
	delete(d.checked, id)
	d.mu.Unlock()
	if !known {
		if err := checkFile(d.file(kind, id), kind, id); err != nil {
			return nil, nil, err
		}
	}
	data, err := mapFile(d.file(kind, id))
	if err != nil {
		return nil, nil, broken(err)
	}
	m := &mapping{dir: d, id: id, data: data}
	d.mu.Lock()
	d.mappings[m] = true
	delete(d.written, id)
	d.mu.Unlock()
	return segment.NewDataBytes(data[:len(data)-trailerSize]), m, nil
}

func (d *directory) readSnapshot(id uint64) ([]byte, error) {
	file, err := os.ReadFile(d.file(kindSnapshot, id))
	if err != nil {
		return nil, broken(err)
	}
	return checkTrailer(file, kindSnapshot, id)
}

// Persist writes a file. bluge retries a failed write (a full disk) without a pause, so
// Persist waits before each retry, with backoff.
func (d *directory) Persist(kind string, id uint64, w bluge.WriterTo, closing chan struct{}) error {
	if err := d.backOff(closing); err != nil {
		return err
	}
	if kind == kindSegment {
		d.mu.Lock()
		d.written[id] = true
		d.mu.Unlock()
	}
	if err := writeFile(d.file(kind, id), kind, id, w, closing); err != nil {
		d.failed()
		return fmt.Errorf("writing %s: %w", filepath.Base(d.file(kind, id)), err)
	}
	d.mu.Lock()
	d.failures = 0
	d.mu.Unlock()
	return nil
}

func (d *directory) failed() {
	d.mu.Lock()
	d.failures++
	d.mu.Unlock()
}

const (
	firstPause = 50 * time.Millisecond
	lastPause  = 2 * time.Second
)

// pause returns the backoff after a number of consecutive failures. It doubles from
// firstPause to lastPause.
func pause(failures int) time.Duration {
	return min(firstPause<<min(failures-1, 16), lastPause)
}

func (d *directory) backOff(closing chan struct{}) error {
	d.mu.Lock()
	failures := d.failures
	d.mu.Unlock()
	if failures == 0 {
		return nil
	}
	timer := time.NewTimer(pause(failures))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-d.stopping:
		return ErrClosed
	case <-closing:
		return ErrClosed
	}
}

// Remove deletes a file. Existing mappings stay readable.
func (d *directory) Remove(kind string, id uint64) error {
	return os.Remove(d.file(kind, id))
}

// removeUnused removes the segments that are neither in use nor part of a snapshot on the
// disk, and reports whether other segments than those in parts are left. bluge forgets the
// segments that were merged before a snapshot with them was written.
func (d *directory) removeUnused(parts []part) (left bool, err error) {
	files, err := d.List(kindSegment)
	if err != nil {
		return false, err
	}
	d.mu.Lock()
	used := maps.Clone(d.written)
	for m := range d.mappings {
		used[m.id] = true
	}
	d.mu.Unlock()
	snapshots, err := d.List(kindSnapshot)
	if err != nil {
		return false, err
	}
	for _, id := range snapshots {
		ids, err := d.segmentsOf(id)
		if errors.Is(err, fs.ErrNotExist) {
			return true, nil // replaced meanwhile
		}
		if err != nil {
			return false, err
		}
		for _, id := range ids {
			used[id] = true
		}
	}
	for _, id := range files {
		switch {
		case slices.ContainsFunc(parts, func(p part) bool { return p.id == id }):
		case used[id]:
			left = true
		default:
			if err := d.Remove(kindSegment, id); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return true, err
			}
		}
	}
	return left, nil
}

// Stats returns the number and size of the files.
func (d *directory) Stats() (items, bytes uint64) {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return 0, 0
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			items++
			bytes += uint64(info.Size())
		}
	}
	return items, bytes
}
