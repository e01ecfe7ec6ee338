package indexer

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/store"
)

// ErrNotReady says that the index cannot answer now; the caller scans instead.
var ErrNotReady = errors.New("index is not ready")

// State is the state of an index.
type State string

// The states of an index.
const (
	StateOpening  State = "opening"  // being read, or catching up for the first time
	StateBuilding State = "building" // being rebuilt
	StateReady    State = "ready"
	StateDegraded State = "degraded" // unavailable after a failure; it is retried
	StateClosed   State = "closed"
)

// Status is the state of an index with its numbers.
type Status struct {
	State State `json:"state"`
	// Done and Total count records while building.
	Done  int `json:"done,omitempty"`
	Total int `json:"total,omitempty"`
	// Behind is the number of unread feed entries.
	Behind uint64 `json:"behind"`
	// Reason says why the index is degraded, or is being rebuilt.
	Reason string `json:"reason,omitempty"`
}

const (
	freshness  = 50 * time.Millisecond // maximum wait of a search for the newest change
	patience   = time.Second           // maximum wait of a search for an opening index
	retryAfter = 5 * time.Second       // after a failure
)

// Follower maintains one index of one agent.
type Follower struct {
	store  *store.Store
	agent  string
	src    source
	name   string // of its mark in the feed
	dir    string
	idle   bool // see Options
	log    *slog.Logger
	notify func()

	stop context.CancelFunc
	done chan struct{}
	kick chan struct{}

	// Only run and its callees access these, so the index is opened, deleted and closed
	// in one goroutine.
	ix         *index.Index // nil unless open
	written    uint64       // the sequence in its marker
	registered bool         // it has a mark

	mu     sync.Mutex
	ready  *index.Index  // ix while searches may use it
	passed uint64        // feed entries up to here are in ix
	moved  chan struct{} // closed when one of the fields here changes
	status Status
	spoilt string // why ix must be rebuilt; empty otherwise
}

// Options configure [Open].
type Options struct {
	Store *store.Store
	// Dir holds the indexes of all agents.
	Dir    string
	Agent  string
	Kind   Kind
	Logger *slog.Logger
	// Notify is called, from any goroutine, when the status changes.
	Notify func()
	// Content reads the words of a record whose content is in a separate file; nil
	// leaves such records without words.
	Content func(memory.Record) string
	// Idle disables the index and leaves its files alone: the state is degraded, and
	// searches scan.
	Idle bool
}

// Open starts a follower. It returns at once; the index is opened, and rebuilt if
// needed, in the background.
func Open(o Options) *Follower {
	ctx, stop := context.WithCancel(context.Background())
	f := &Follower{
		store: o.Store, agent: o.Agent, src: sourceOf(o), name: markPrefix + o.Agent + "/" + string(o.Kind),
		dir:  filepath.Join(o.Dir, o.Agent, string(o.Kind)),
		log:  o.Logger.With("agent", o.Agent, "index", string(o.Kind)),
		stop: stop, done: make(chan struct{}), moved: make(chan struct{}), kick: make(chan struct{}, 1),
		status: Status{State: StateOpening}, idle: o.Idle,
	}
	f.notify = func() {
		if o.Notify != nil {
			_ = guard.Do(f.log, "telling the state of an index", func() error { o.Notify(); return nil })
		}
	}
	go f.run(ctx)
	return f
}

// Close stops following, closes the index and waits for both. An interrupted rebuild
// restarts at the next start.
func (f *Follower) Close() error {
	f.stop()
	<-f.done
	return nil
}

// Status returns the state of the index.
func (f *Follower) Status() Status {
	f.mu.Lock()
	ix, st, passed := f.ready, f.status, f.passed
	f.mu.Unlock()
	if ix != nil {
		if err := ix.Attached(); err != nil {
			f.discard(ix, StateDegraded, err.Error())
			return Status{State: StateDegraded, Reason: err.Error()}
		}
	}
	if st.State == StateReady || st.State == StateOpening && passed > 0 {
		if last, err := f.last(); err == nil && last > passed {
			st.Behind = last - passed
		}
	}
	return st
}

// Search searches the index. It waits up to a second for an opening index, and up to 50
// ms for a ready one to see the newest change, but not for a rebuild. It returns
// [ErrNotReady] if the index cannot answer, and ctx's cause if ctx ends first.
func (f *Follower) Search(ctx context.Context, q index.Query) (index.Result, error) {
	last, err := f.last()
	if err != nil {
		return index.Result{}, err
	}
	ix := f.await(ctx, last)
	if ix == nil {
		return index.Result{}, cmp.Or(context.Cause(ctx), ErrNotReady)
	}
	res, err := ix.Search(ctx, q)
	switch {
	case errors.Is(err, index.ErrClosed):
		return index.Result{}, ErrNotReady // taken out of use meanwhile
	case errors.Is(err, index.ErrBroken):
		f.discard(ix, StateDegraded, err.Error())
	}
	return res, err
}

// Near returns, by term, the words spelt almost like terms that at most rare documents have, see
// [index.Index.Near]. It does not wait: a search that follows does, and needs it more. An index that is
// not ready has none.
func (f *Follower) Near(ctx context.Context, terms []string, rare int) (map[string][]string, error) {
	f.mu.Lock()
	ix := f.ready
	f.mu.Unlock()
	if ix == nil {
		return nil, nil
	}
	found := map[string][]string{}
	for _, t := range terms {
		near, err := ix.Near(ctx, t, rare)
		if errors.Is(err, index.ErrClosed) {
			return nil, nil // taken out of use meanwhile
		}
		if err != nil {
			return nil, err
		}
		found[t] = near
	}
	return found, nil
}

// Rebuild deletes the index and rebuilds it in the background. Its files keep no
// earlier content.
func (f *Follower) Rebuild() { f.discard(nil, StateBuilding, "a rebuild was asked for") }

// Erase waits until the index has seen the whole feed, and removes the words of deleted
// records from its files. The index stays in use. The errors are those of Settle and of
// [index.Index.Erase]; a later Erase continues.
func (f *Follower) Erase(ctx context.Context) error {
	for {
		if err := f.Settle(ctx); err != nil {
			return err
		}
		f.mu.Lock()
		ix := f.ready
		f.mu.Unlock()
		if ix == nil {
			continue // taken out of use meanwhile
		}
		if err := ix.Erase(ctx); !errors.Is(err, index.ErrClosed) {
			return err
		}
	}
}

// IDs returns the ids in the index, in byte order, for comparison with the store, or
// [ErrNotReady].
func (f *Follower) IDs(ctx context.Context) ([]string, error) {
	f.mu.Lock()
	ix := f.ready
	f.mu.Unlock()
	if ix == nil {
		return nil, ErrNotReady
	}
	return ix.IDs(ctx)
}

// Settle waits until the index is ready and has seen the whole feed, or ctx ends. It
// returns ErrNotReady if the follower is closed.
func (f *Follower) Settle(ctx context.Context) error {
	for {
		last, err := f.last()
		if err != nil {
			return err
		}
		f.mu.Lock()
		ready, moved := f.ready != nil && f.passed >= last, f.moved
		f.mu.Unlock()
		if ready {
			return nil
		}
		select {
		case <-moved:
		case <-f.done:
			return ErrNotReady
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Opened waits until the index is no longer opening: until it is ready, must be built,
// or has failed. It is for callers more patient than Search, such as a search of a
// large archive. It returns ErrNotReady if the follower is closed, and ctx's cause if
// ctx ends first.
func (f *Follower) Opened(ctx context.Context) error {
	for {
		f.mu.Lock()
		state, moved := f.status.State, f.moved
		f.mu.Unlock()
		switch state {
		case StateOpening:
		case StateClosed:
			return ErrNotReady
		default:
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// await waits, within patience, until the index is no longer opening and, within
// freshness, until the feed's entries up to seq are indexed. It returns the index if it
// may be searched.
func (f *Follower) await(ctx context.Context, seq uint64) *index.Index {
	var fresh, patient <-chan time.Time // created on demand
	for {
		f.mu.Lock()
		ix, moved, opening := f.ready, f.moved, f.status.State == StateOpening
		behind := ix != nil && f.passed < seq
		f.mu.Unlock()
		if !opening && !behind {
			return ix
		}
		if fresh == nil {
			fresh, patient = time.After(freshness), time.After(patience)
		}
		timeout := fresh
		if opening {
			timeout = patient
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ix
		case <-timeout:
			return ix
		}
	}
}

func (f *Follower) last() (last uint64, err error) {
	err = f.store.View(func(tx *store.Tx) error {
		_, last, err = tx.KV().FeedBounds()
		return err
	})
	return last, err
}

// discard takes the index out of use and has run rebuild it. If ix is not nil and no
// longer in use, it is a no-op.
func (f *Follower) discard(ix *index.Index, state State, why string) {
	f.mu.Lock()
	if ix != nil && f.ready != ix || f.status.State == StateClosed {
		f.mu.Unlock()
		return
	}
	f.spoilt = why
	f.withdraw(Status{State: state, Reason: why})
	f.mu.Unlock()
	f.notify()
	select {
	case f.kick <- struct{}{}:
	default:
	}
}

// withdraw hides the index from searches; f.mu is held.
func (f *Follower) withdraw(st Status) {
	f.ready, f.status = nil, st
	f.progressed()
}

// progressed wakes all waiters; f.mu is held.
func (f *Follower) progressed() {
	close(f.moved)
	f.moved = make(chan struct{})
}

func (f *Follower) setStatus(st Status) {
	f.mu.Lock()
	f.withdraw(st)
	f.mu.Unlock()
	f.notify()
}
