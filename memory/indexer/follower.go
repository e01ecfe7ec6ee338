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

// State is how an index is doing.
type State string

// The states of an index.
const (
	StateOpening  State = "opening"  // being read, or catching up for the first time
	StateBuilding State = "building" // being made anew
	StateReady    State = "ready"
	StateDegraded State = "degraded" // a failure took it out of use; it is tried again
	StateClosed   State = "closed"
)

// Status is the state of an index in numbers.
type Status struct {
	State State `json:"state"`
	// Done and Total count records while building.
	Done  int `json:"done,omitempty"`
	Total int `json:"total,omitempty"`
	// Behind is the number of feed entries not yet looked at.
	Behind uint64 `json:"behind"`
	// Reason says why the index is degraded, or is being rebuilt.
	Reason string `json:"reason,omitempty"`
}

const (
	freshness  = 50 * time.Millisecond // how long a search waits for the newest change
	patience   = time.Second           // how long a search waits for an index that is opening
	retryAfter = 5 * time.Second       // after a failure
)

// Follower keeps one index of one agent.
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

	// Only run and what it calls touch these. So an index is opened, thrown
	// away and closed in one place, whoever wants it.
	ix         *index.Index // nil unless open
	written    uint64       // the sequence in its marker
	registered bool         // it has a mark

	mu     sync.Mutex
	ready  *index.Index  // ix while searches may use it
	passed uint64        // feed entries up to here are in ix
	moved  chan struct{} // closed when one of the fields here changes
	status Status
	spoilt string // why ix must be thrown away; empty when it need not
}

// Options says what a follower follows.
type Options struct {
	Store *store.Store
	// Dir holds the indexes of all agents.
	Dir    string
	Agent  string
	Kind   Kind
	Logger *slog.Logger
	// Notify is called, from any goroutine, when the status changes.
	Notify func()
	// Content reads the words of a record whose content lies in a file of its
	// own; nil leaves such records without words.
	Content func(memory.Record) string
	// Idle leaves the files of the index alone: its state is degraded, and searches scan.
	Idle bool
}

// Open starts a follower. It returns at once; the index is opened, and rebuilt
// where that is needed, in the background.
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

// Close stops following, closes the index and waits for both. A rebuild is cut
// off and begun again at the next start.
func (f *Follower) Close() error {
	f.stop()
	<-f.done
	return nil
}

// Status returns how the index is doing.
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

// Search asks the index. It waits up to a second for an index that is opening,
// and up to 50 ms for one that is ready to see the newest change. It does not wait
// for an index that is being built. It returns [ErrNotReady] when the index cannot
// answer, and the cause of ctx when ctx ends first.
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
		return index.Result{}, ErrNotReady // taken out of use a moment ago
	case errors.Is(err, index.ErrBroken):
		f.discard(ix, StateDegraded, err.Error())
	}
	return res, err
}

// Rebuild throws the index away and begins it anew in the background. Nothing
// that was written before stays in its files.
func (f *Follower) Rebuild() { f.discard(nil, StateBuilding, "a rebuild was asked for") }

// IDs returns the ids in the index, in byte order, for a comparison with the
// store; [ErrNotReady] when it cannot answer.
func (f *Follower) IDs(ctx context.Context) ([]string, error) {
	f.mu.Lock()
	ix := f.ready
	f.mu.Unlock()
	if ix == nil {
		return nil, ErrNotReady
	}
	return ix.IDs(ctx)
}

// Settle waits until the index is ready and has seen the whole feed, or ctx
// ends. It returns ErrNotReady when the follower is closed.
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

// Opened waits until the index is no longer opening: until it is ready, must be
// built, or failed. It is for callers that are more patient than Search, as a look
// into a large archive is. It returns ErrNotReady when the follower is closed, and
// the cause of ctx when ctx ends first.
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
// freshness, until the feed's entries up to seq are in the index. It returns the
// index if it may be searched.
func (f *Follower) await(ctx context.Context, seq uint64) *index.Index {
	var fresh, patient <-chan time.Time // made when there is something to wait for
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

// discard takes the index out of use and has run build a new one. ix is the one
// that failed: when it is not in use any more, nothing happens. nil is any.
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

// withdraw keeps searches away from the index; f.mu is held.
func (f *Follower) withdraw(st Status) {
	f.ready, f.status = nil, st
	f.progressed()
}

// progressed wakes all who wait; f.mu is held.
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
