package indexer

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"memoria/index"
	"memoria/kv"
	"memoria/memory/store"
)

// ErrNotReady says that the index cannot answer now; the caller scans instead.
var ErrNotReady = errors.New("index is not ready")

// State is how an index is doing.
type State string

// The states of an index.
const (
	StateOpening  State = "opening"
	StateBuilding State = "building"
	StateReady    State = "ready"
	StateDegraded State = "degraded"
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
	pageSize   = 500                   // records read and written at once
	freshness  = 50 * time.Millisecond // how long a search waits for the newest change
	retryAfter = 5 * time.Second       // after a failure
)

// Follower keeps one index of one agent.
type Follower struct {
	store  *store.Store
	agent  string
	kind   Kind
	src    source
	dir    string
	log    *slog.Logger
	notify func()

	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	ix      *index.Index // nil unless ready
	passed  uint64       // feed entries up to here are in the index
	moved   chan struct{}
	kick    chan struct{}
	status  Status
	written uint64 // the sequence in the index's marker
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
}

// Open starts a follower. It returns at once; the index is opened, and rebuilt
// where that is needed, in the background.
func Open(o Options) *Follower {
	ctx, stop := context.WithCancel(context.Background())
	f := &Follower{
		store: o.Store, agent: o.Agent, kind: o.Kind, src: sources[o.Kind],
		dir:    filepath.Join(o.Dir, o.Agent, string(o.Kind)),
		log:    o.Logger.With("agent", o.Agent, "index", string(o.Kind)),
		notify: o.Notify, stop: stop, done: make(chan struct{}), moved: make(chan struct{}), kick: make(chan struct{}, 1),
		status: Status{State: StateOpening},
	}
	go f.run(ctx)
	return f
}

// Close stops following and closes the index.
func (f *Follower) Close() error {
	f.stop()
	<-f.done
	return nil
}

// Status returns how the index is doing.
func (f *Follower) Status() Status {
	f.mu.Lock()
	st, passed := f.status, f.passed
	f.mu.Unlock()
	if st.State == StateReady {
		if last, err := f.last(); err == nil && last > passed {
			st.Behind = last - passed
		}
	}
	return st
}

// Search asks the index after giving it a moment to see the newest change. It
// returns [ErrNotReady] when the index cannot answer.
func (f *Follower) Search(ctx context.Context, q index.Query) (index.Result, error) {
	last, err := f.last()
	if err != nil {
		return index.Result{}, err
	}
	f.await(ctx, last)
	f.mu.Lock()
	ix := f.ix
	f.mu.Unlock()
	if ix == nil {
		return index.Result{}, ErrNotReady
	}
	res, err := ix.Search(ctx, q)
	if errors.Is(err, index.ErrBroken) {
		f.degrade(ix, err)
	}
	return res, err
}

// Rebuild throws the index away and begins it anew.
func (f *Follower) Rebuild() {
	f.mu.Lock()
	ix := f.ix
	f.mu.Unlock()
	if ix != nil {
		f.degrade(ix, errors.New("a rebuild was asked for"))
	}
}

// await waits until the feed's entries up to seq are in the index, but not
// longer than freshness.
func (f *Follower) await(ctx context.Context, seq uint64) {
	ctx, cancel := context.WithTimeout(ctx, freshness)
	defer cancel()
	for {
		f.mu.Lock()
		ready, moved := f.passed >= seq || f.ix == nil, f.moved
		f.mu.Unlock()
		if ready {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
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

// degrade takes a failing index out of use; run opens it anew.
func (f *Follower) degrade(ix *index.Index, why error) {
	f.mu.Lock()
	if f.ix != ix {
		f.mu.Unlock()
		return
	}
	f.ix = nil
	f.status = Status{State: StateDegraded, Reason: why.Error()}
	f.progressed()
	f.mu.Unlock()
	_ = ix.Close()
	_ = index.Destroy(f.dir)
	f.notify()
	select {
	case f.kick <- struct{}{}:
	default:
	}
}

// progressed wakes all who wait; f.mu is held.
func (f *Follower) progressed() {
	close(f.moved)
	f.moved = make(chan struct{})
}

func (f *Follower) setStatus(st Status) {
	f.mu.Lock()
	f.status = st
	f.mu.Unlock()
	f.notify()
}

func (f *Follower) run(ctx context.Context) {
	defer close(f.done)
	defer f.finish()
	wake := f.store.DB().Watch(ctx)
	retry := time.NewTimer(0)
	defer retry.Stop()
	for {
		select {
		case _, ok := <-wake:
			if !ok {
				return
			}
		case <-f.kick:
		case <-retry.C:
		}
		if err := f.step(ctx); err != nil && ctx.Err() == nil {
			f.log.Warn("index fell behind", "error", err)
			f.setStatus(Status{State: StateDegraded, Reason: err.Error()})
			retry.Reset(retryAfter)
		}
	}
}

// step brings the index up to the end of the feed, opening or rebuilding it
// when it must be.
func (f *Follower) step(ctx context.Context) error {
	f.mu.Lock()
	ix := f.ix
	f.mu.Unlock()
	if ix == nil {
		var err error
		if ix, err = f.open(ctx); err != nil {
			return err
		}
	}
	err := f.catchUp(ix)
	switch {
	case errors.Is(err, kv.ErrTrimmed), errors.Is(err, index.ErrBroken), errors.Is(err, errAhead):
		f.degrade(ix, err)
		if ix, err = f.rebuild(ctx, err.Error()); err != nil {
			return err
		}
		if err = f.catchUp(ix); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	f.mu.Lock()
	changed := f.status.State != StateReady
	f.status = Status{State: StateReady}
	f.mu.Unlock()
	if changed {
		f.notify()
	}
	return nil
}

var errAhead = errors.New("the index knows changes that the store does not")

func (f *Follower) options() index.Options {
	id := crc32.ChecksumIEEE([]byte(f.store.DB().ID()))
	// An index of another store is as useless as one with another mapping.
	return index.Options{Dir: f.dir, MappingVersion: id ^ mapping, Logger: f.log}
}

// open opens the index as it lies on disk, or rebuilds it.
func (f *Follower) open(ctx context.Context) (*index.Index, error) {
	ix, err := index.Open(ctx, f.options())
	if errors.Is(err, index.ErrBroken) || errors.Is(err, index.ErrOld) {
		return f.rebuild(ctx, err.Error())
	}
	if err != nil {
		return nil, fmt.Errorf("opening the index: %w", err)
	}
	seq, ok := ix.Sequence()
	complete, err := f.complete(ix, seq)
	if err != nil || !ok || !complete {
		_ = ix.Close()
		if err != nil {
			return nil, err
		}
		return f.rebuild(ctx, "it is missing or incomplete")
	}
	f.adopt(ix, seq)
	return ix, nil
}

// complete reports whether the feed still leads from seq to the present.
func (f *Follower) complete(_ *index.Index, seq uint64) (ok bool, err error) {
	err = f.store.View(func(tx *store.Tx) error {
		oldest, last, err := tx.KV().FeedBounds()
		ok = seq > 0 && seq <= last && seq+1 >= oldest
		return err
	})
	return ok, err
}

// adopt puts an open index to use.
func (f *Follower) adopt(ix *index.Index, seq uint64) {
	f.mu.Lock()
	f.ix, f.passed, f.written = ix, seq, seq
	f.progressed()
	f.mu.Unlock()
}

// rebuild makes the index anew from the store.
func (f *Follower) rebuild(ctx context.Context, reason string) (*index.Index, error) {
	f.log.Info("index is rebuilt", "reason", reason)
	if err := index.Destroy(f.dir); err != nil {
		return nil, fmt.Errorf("removing the old index: %w", err)
	}
	ix, err := index.Open(ctx, f.options())
	if err != nil {
		return nil, fmt.Errorf("creating the index: %w", err)
	}
	seq, err := f.fill(ctx, ix, reason)
	if err != nil {
		_ = ix.Close()
		return nil, fmt.Errorf("rebuilding the index: %w", err)
	}
	f.adopt(ix, seq)
	return ix, nil
}

// fill writes every record of the agent into an empty index and returns the
// sequence from which the feed must be read on.
func (f *Follower) fill(ctx context.Context, ix *index.Index, reason string) (seq uint64, err error) {
	st := Status{State: StateBuilding, Reason: reason}
	err = f.store.View(func(tx *store.Tx) error {
		if _, seq, err = tx.KV().FeedBounds(); err != nil {
			return err
		}
		st.Total, err = f.src.total(tx, f.agent)
		return err
	})
	for after, seen := "", -1; err == nil && seen != 0; {
		f.setStatus(st)
		if err = ctx.Err(); err != nil {
			break
		}
		var docs []index.Document
		err = f.store.View(func(tx *store.Tx) error {
			docs, after, seen, err = f.src.page(tx, f.agent, after, pageSize)
			return err
		})
		if err == nil && len(docs) > 0 {
			err = ix.Apply(index.Batch{Put: docs}, 0)
		}
		st.Done += seen
	}
	if err != nil {
		return 0, err
	}
	return seq, ix.Apply(index.Batch{}, seq)
}

// catchUp applies what the feed has after the index's position.
func (f *Follower) catchUp(ix *index.Index) error {
	for {
		f.mu.Lock()
		from, written := f.passed, f.written
		f.mu.Unlock()
		batch, to, more, err := f.collect(from)
		if err != nil {
			return err
		}
		// What concerns others moves the position, not the index, until it
		// would have to be looked at again after a restart.
		if len(batch.Put)+len(batch.Delete) > 0 || to-written > 10*pageSize {
			if err := ix.Apply(batch, to); err != nil {
				return fmt.Errorf("updating the index: %w", err)
			}
			written = to
		}
		f.mu.Lock()
		f.passed, f.written = to, written
		f.progressed()
		f.mu.Unlock()
		if !more {
			return nil
		}
	}
}

// collect reads at most pageSize entries of the feed after from and returns the
// newest version of each record they name.
func (f *Follower) collect(from uint64) (batch index.Batch, to uint64, more bool, err error) {
	to = from
	err = f.store.View(func(tx *store.Tx) error {
		_, last, err := tx.KV().FeedBounds()
		if err != nil {
			return err
		}
		if from > last {
			return errAhead
		}
		var ids []string
		seen := map[string]bool{}
		for c, err := range tx.KV().Changes(from) {
			if err != nil {
				return err
			}
			to = c.Seq
			if c.Agent == f.agent && c.Kind == f.src.feedKind && !seen[c.ID] {
				seen[c.ID] = true
				ids = append(ids, c.ID)
			}
			if to-from >= pageSize {
				break
			}
		}
		more = to < last
		for _, id := range ids {
			doc, ok, err := f.src.document(tx, f.agent, id)
			switch {
			case err != nil:
				return err
			case ok:
				batch.Put = append(batch.Put, doc)
			default:
				batch.Delete = append(batch.Delete, id)
			}
		}
		return nil
	})
	return batch, to, more, err
}

// finish writes the position down, so that the feed can be trimmed and the next
// start has little to read, and closes the index.
func (f *Follower) finish() {
	f.mu.Lock()
	ix, passed, written := f.ix, f.passed, f.written
	f.ix, f.status = nil, Status{State: StateClosed}
	f.progressed()
	f.mu.Unlock()
	if ix == nil {
		return
	}
	if passed > written && ix.Apply(index.Batch{}, passed) == nil {
		written = passed
	}
	if err := ix.Close(); err != nil {
		f.log.Warn("index was not closed cleanly", "error", err)
		return
	}
	if err := f.store.Update(func(tx *store.Tx) error { return tx.KV().SetMark(f.name(), written) }); err != nil {
		f.log.Warn("index position was not kept", "error", err)
	}
}

func (f *Follower) name() string { return "index/" + f.agent + "/" + string(f.kind) }

// Settle waits until the index is ready and has seen the whole feed, or ctx
// ends.
func (f *Follower) Settle(ctx context.Context) error {
	for {
		last, err := f.last()
		if err != nil {
			return err
		}
		f.mu.Lock()
		ready, moved := f.ix != nil && f.passed >= last, f.moved
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
