package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/index/mergeplan"
	ice "github.com/blugelabs/ice"
)

// Errors that callers may branch on.
var (
	// ErrBroken says that files are missing or damaged. Destroy the index and rebuild
	// it from the store.
	ErrBroken = errors.New("index is broken")
	// ErrOld says that the index has another mapping version or an older layout.
	// Destroy it and rebuild it.
	ErrOld = errors.New("index has another version")
	// ErrLocked says that the index is already open, here or in another process.
	ErrLocked = errors.New("index is open already")
	// ErrClosed says that the index was closed.
	ErrClosed = errors.New("index is closed")
	// ErrID says that a document's id is empty or begins with a zero byte.
	ErrID = errors.New("illegal document id")
)

// Options configure [Open].
type Options struct {
	// Dir is the index's own folder, created if missing (mode 0700). It is ignored with
	// InMemory.
	Dir string
	// MappingVersion identifies how the caller cuts text into terms. An index with
	// another version is refused with ErrOld.
	MappingVersion uint32
	// Logger receives background events; nil discards them.
	Logger *slog.Logger
	// InMemory keeps everything in memory; Close discards it.
	InMemory bool
}

// Index is an open index. It is safe for concurrent use. Apply calls run one at a time,
// searches run concurrently.
type Index struct {
	logger *slog.Logger
	dir    *directory // nil in memory

	// life is held shared by every operation and exclusively by Close, since bluge
	// deadlocks when an update and a close overlap.
	life   sync.RWMutex
	closed bool

	// stopping is closed first by Close, so that an Apply waiting for a full disk gives
	// up.
	stopping chan struct{}
	stopOnce sync.Once

	apply   sync.Mutex
	erasing atomic.Int32 // running Erase calls
	writer  *bluge.Writer
	work    chan func() // bluge sends its analysis here

	cache segmentCache
	view  atomic.Pointer[view] // of the newest state seen
	views atomic.Uint64        // number of views created

	// durable is the marker of the last batch that is on disk.
	durable atomic.Pointer[marker]
}

// Open opens the index in o.Dir or creates it. It first verifies the checksum of every
// file. The error is ErrBroken, ErrOld, ErrLocked, or a file system error. On an error
// nothing stays open and no goroutine runs.
func Open(ctx context.Context, o Options) (*Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("opening index: %w", context.Cause(ctx))
	}
	ix := &Index{
		logger:   o.Logger,
		stopping: make(chan struct{}),
		work:     make(chan func()),
		cache:    segmentCache{budget: postingsBudget},
	}
	if ix.logger == nil {
		ix.logger = slog.New(slog.DiscardHandler)
	}
	var err error
	if !o.InMemory {
		if ix.dir, err = openDirectory(ctx, o.Dir, o.MappingVersion, ix.logger, ix.stopping); err != nil {
			return nil, fmt.Errorf("opening index: %w", err)
		}
	}
	if err = ix.start(); err != nil {
		if ix.dir != nil {
			ix.dir.close()
		}
		return nil, fmt.Errorf("opening index: %w", err)
	}
	return ix, nil
}

// start opens bluge over the checked files and compares them with the marker.
func (ix *Index) start() error {
	var err error
	if ix.writer, err = ix.openWriter(); err != nil {
		return err
	}
	go analyse(ix.work)

	m, err := ix.check()
	if err != nil {
		close(ix.work)
		_ = ix.writer.Close()
		return err
	}
	ix.durable.Store(m)
	return nil
}

func (ix *Index) config() bluge.Config {
	c := bluge.DefaultConfigWithDirectory(func() bluge.Directory {
		if ix.dir == nil {
			return bluge.NewInMemoryDirectory()
		}
		return ix.dir
	})
	// Never the second version of the segment format: it has data races.
	c.SegmentType, c.SegmentVersion = ice.Type, ice.Version
	c = c.WithSegmentPlugin(&bluge.SegmentPlugin{
		Type: ice.Type, Version: ice.Version, New: newSegment, Load: ice.Load, Merge: ice.Merge,
	})
	// Small segments are merged among themselves before they are merged into the large
	// ones. With bluge's own numbers (10 a tier, floor 2,000) single updates of 10,000
	// documents rewrite everything every few batches, and 500 of them left 28 segments
	// instead of 6.
	c.MergePlanOptions.MaxSegmentsPerTier = 3
	c.MergePlanOptions.FloorSegmentSize = 200 // documents
	c.MergePlanOptions.CalcBudget = func(total, first int64, o *mergeplan.Options) int {
		if ix.erasing.Load() > 0 {
			return 0 // merge all
		}
		return mergeplan.CalcBudget(total, first, o)
	}
	c.AsyncError = func(err error) {
		select {
		case <-ix.stopping: // interrupted by Close: not an error
		default:
			ix.logger.Warn("index background work failed", "error", err)
		}
	}
	// bluge's own workers leak when opening fails; analyse replaces them.
	c.NumAnalysisWorkers = 0
	c.AnalysisChan = ix.work
	return c
}

// openWriter loads the files. bluge starts its goroutines after loading, so a panic
// leaks none.
func (ix *Index) openWriter() (w *bluge.Writer, err error) {
	defer guard(ix.logger, &err)()
	w, err = bluge.OpenWriter(ix.config())
	if err != nil {
		return nil, fmt.Errorf("loading: %v: %w", err, ErrBroken)
	}
	return w, nil
}

// analyse runs the functions that Writer.Batch sends. Documents come analysed, so they
// do almost nothing.
func analyse(work <-chan func()) {
	for f := range work {
		f()
	}
}

// check compares the marker with the number of documents. An empty index is new and has
// no marker.
func (ix *Index) check() (m *marker, err error) {
	defer guard(ix.logger, &err)()
	s, err := ix.snapshot()
	if err != nil {
		return nil, broken(err)
	}
	defer s.release()
	count, err := s.Count()
	if err != nil {
		return nil, fmt.Errorf("counting documents: %w", err)
	}
	found, ok := s.marker()
	switch {
	case !ok && count == 0:
		return nil, nil
	case !ok:
		return nil, fmt.Errorf("%d documents and no marker: %w", count, ErrBroken)
	case found.documents+1 != count:
		return nil, fmt.Errorf("%d documents, marker says %d: %w", count-1, found.documents, ErrBroken)
	}
	return &found, nil
}

// guard turns a panic on damaged files into ErrBroken. It includes a fault in a mapped
// file truncated by another program. Use: defer guard(logger, &err)().
func guard(logger *slog.Logger, err *error) func() {
	former := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(former)
		if r := recover(); r != nil {
			kind := panicKind(r)
			logger.Error("index panicked", "panic", kind, "stack", string(debug.Stack()))
			*err = fmt.Errorf("panic (%s): %w", kind, ErrBroken)
		}
	}
}

// panicKind describes a panic without its value, which may hold words of a document:
// the text of a runtime error, else the type.
func panicKind(v any) string {
	if e, ok := v.(runtime.Error); ok {
		return e.Error()
	}
	return fmt.Sprintf("%T", v)
}

// hold blocks Close until release is called.
func (ix *Index) hold() (release func(), err error) {
	ix.life.RLock()
	if ix.closed {
		ix.life.RUnlock()
		return nil, ErrClosed
	}
	return ix.life.RUnlock, nil
}

// Sequence returns the sequence that the last Apply wrote to disk. It returns false if
// there is none: the index is new, or its rebuild did not finish (sequence 0). Then the
// index must be built from the store.
func (ix *Index) Sequence() (uint64, bool) {
	m := ix.durable.Load()
	if m == nil || m.sequence == 0 {
		return 0, false
	}
	return m.sequence, true
}

// Count returns the number of documents visible to searches.
func (ix *Index) Count() (n uint64, err error) {
	defer guard(ix.logger, &err)()
	release, err := ix.hold()
	if err != nil {
		return 0, err
	}
	defer release()
	s, err := ix.snapshot()
	if err != nil {
		return 0, err
	}
	defer s.release()
	m, _ := s.marker()
	return m.documents, nil
}

// IDs returns the ids of all documents, in byte order, for comparison with the store.
func (ix *Index) IDs(ctx context.Context) (ids []string, err error) {
	defer guard(ix.logger, &err)()
	release, err := ix.hold()
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := ix.snapshot()
	if err != nil {
		return nil, err
	}
	defer s.release()
	if ids, err = s.ids(ctx); err != nil {
		return nil, fmt.Errorf("listing documents: %w", err)
	}
	slices.Sort(ids)
	return ids, nil
}

// Close stops the index's background work and releases its files. It waits for running
// calls; later ones return ErrClosed. A second Close is a no-op.
func (ix *Index) Close() error {
	ix.stopOnce.Do(func() { close(ix.stopping) })
	ix.life.Lock()
	defer ix.life.Unlock()
	if ix.closed {
		return nil
	}
	ix.closed = true
	err := ix.writer.Close()
	close(ix.work)
	if ix.dir != nil {
		ix.dir.close()
	}
	if err != nil {
		return fmt.Errorf("closing index: %w", err)
	}
	return nil
}
