package index

import (
	"fmt"
	"io"
	"log/slog"
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

// directory keeps bluge's files in one folder. It is opened, checked and
// locked by openDirectory before bluge sees it, and closed by the Index.
//
// Segments are mapped into memory and checked each time they are loaded,
// snapshots are read: bluge goes on using a snapshot's bytes after it has
// given them back.
type directory struct {
	path     string
	found    os.FileInfo // which folder path was when it was opened
	logger   *slog.Logger
	lock     lock.LockedFile
	stopping <-chan struct{}

	mu       sync.Mutex
	checked  map[uint64]bool   // segments whose checksum openDirectory saw
	mappings map[*mapping]bool // what is mapped now
	failures int               // of Persist and Load in a row
}

var _ bluge.Directory = (*directory)(nil)

type mapping struct {
	dir  *directory
	data mmap.MMap
}

// Close unmaps the file, once.
func (m *mapping) Close() error {
	m.dir.mu.Lock()
	defer m.dir.mu.Unlock()
	if !m.dir.mappings[m] {
		return nil
	}
	delete(m.dir.mappings, m)
	return m.data.Unmap()
}

// close unmaps what bluge left mapped and frees the lock.
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

// Setup, Lock and Unlock have nothing to do: openDirectory and close do it.
func (d *directory) Setup(bool) error { return nil }
func (d *directory) Lock() error      { return nil }
func (d *directory) Unlock() error    { return nil }

// Sync does nothing, see writeFile.
func (d *directory) Sync() error { return nil }

// List gives the numbers of the files of one kind, highest first.
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

// Load opens a file whose checksum is right.
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
	m := &mapping{dir: d, data: data}
	d.mu.Lock()
	d.mappings[m] = true
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

// Persist writes a file. bluge tries again without a pause when it fails (a
// full disk), so each try after a failure waits first, longer and longer.
func (d *directory) Persist(kind string, id uint64, w bluge.WriterTo, closing chan struct{}) error {
	if err := d.backOff(closing); err != nil {
		return err
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

// pause is the wait after so many failures in a row: doubling from firstPause
// to lastPause.
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

// Remove deletes a file. What is mapped stays readable.
func (d *directory) Remove(kind string, id uint64) error {
	return os.Remove(d.file(kind, id))
}

// Stats gives the number and size of the files.
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
