package indexer

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"memoria/index/vector"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/retrieve"
	"memoria/memory/store"
	"memoria/memory/store/codec"
)

// ErrRefused says that the model refuses a text.
var ErrRefused = errors.New("the embedding model refuses the text")

// VectorStatus is the state of an agent's vectors with its numbers.
type VectorStatus struct {
	// Status has the existing vectors in Done, the expected ones in Total, and the
	// waiting items in Behind.
	Status
	Model   string `json:"model"`
	Count   int    `json:"count"`
	Refused int    `json:"refused,omitempty"` // items that the model refuses

	passed uint64 // feed entries read
}

const (
	vectorMark  = "/vectors"
	firstPause  = 5 * time.Second // after a failure; doubled each time
	longPause   = 10 * time.Minute
	shortRest   = 15 * time.Second // queries use no vectors, after one that waited in vain
	remembered  = 16               // cached query vectors
	maxEmbedded = 2000             // maximum characters of an item to embed
)

// VectorOptions configure [OpenVectors].
type VectorOptions struct {
	Store    *store.Store
	Agent    string
	Embedder Embedder
	// Should decides which items get a vector (P1).
	Should func(memory.Item) bool
	// Gate is shared by all background requests to the embedder.
	Gate   *Gate
	Logger *slog.Logger
	// Notify is called, from any goroutine, when the status changes.
	Notify func()
}

// Vectors maintains the vectors of one agent's items, in the store and in memory for
// searches.
type Vectors struct {
	store  *store.Store
	agent  string
	by     Embedder
	about  About
	should func(memory.Item) bool
	gate   *Gate
	log    *slog.Logger
	notify func()
	name   string // of its mark in the feed

	stop context.CancelFunc
	done chan struct{}
	kick chan struct{}

	// Only run and its callees access these.
	loaded  bool
	scaled  bool             // the model is measured
	seen    uint64           // feed entries up to here are in waiting, or processed
	marked  uint64           // the stored mark
	there   bool             // there is a stored mark
	waiting []string         // items in the order of the feed, including finished ones
	queued  map[string]bool  // items still waiting
	single  int              // number of requests to make with one text each
	pause   time.Duration    // after the next failure
	retry   *time.Timer      // after a failure
	resting bool             // until then
	results chan vectorBatch // of the running request, or nil

	mu      sync.Mutex
	ix      *vector.Index // nil until the first vector
	scale   *retrieve.Scale
	status  VectorStatus
	moved   chan struct{} // closed when one of the fields here changes
	again   rebuild
	tired   bool // queries do not wait for vectors now
	recent  map[string][]float32
	recents []string // of recent, oldest first
}

type rebuild int

const (
	rebuildNone  rebuild = iota
	rebuildIndex         // from the store, with missing vectors
	rebuildAll           // also every vector
)

// OpenVectors starts to maintain the vectors of an agent. It returns at once.
func OpenVectors(o VectorOptions) *Vectors {
	ctx, stop := context.WithCancel(context.Background())
	v := &Vectors{
		store: o.Store, agent: o.Agent, by: o.Embedder, about: o.Embedder.About(), should: o.Should, gate: o.Gate,
		log: o.Logger.With("agent", o.Agent, "index", "vectors"), name: VectorMark(o.Agent),
		stop: stop, done: make(chan struct{}), kick: make(chan struct{}, 1), moved: make(chan struct{}),
		queued: map[string]bool{}, recent: map[string][]float32{}, pause: firstPause,
	}
	v.status = VectorStatus{Status: Status{State: StateOpening}, Model: v.about.Name}
	v.notify = func() {
		if o.Notify != nil {
			_ = guard.Do(v.log, "telling the state of vectors", func() error { o.Notify(); return nil })
		}
	}
	go v.run(ctx)
	return v
}

// VectorMark names the mark of an agent's vectors in the change feed.
func VectorMark(agent string) string { return markPrefix + agent + vectorMark }

// Close stops the background work and waits for it. Missing vectors are generated after
// the next start.
func (v *Vectors) Close() error {
	v.stop()
	<-v.done
	return nil
}

// About describes the embedder.
func (v *Vectors) About() About { return v.about }

// Status returns the state of the vectors.
func (v *Vectors) Status() VectorStatus {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.status
}

// Rebuild rebuilds the index from the stored vectors, in the background, and looks for
// items without one. With all, every vector is deleted and requested again.
func (v *Vectors) Rebuild(all bool) {
	v.mu.Lock()
	v.again = max(v.again, rebuildIndex)
	if all {
		v.again = rebuildAll
	}
	v.status.State, v.status.Reason = StateBuilding, "a rebuild was asked for"
	v.progressed()
	v.mu.Unlock()
	v.notify()
	select {
	case v.kick <- struct{}{}:
	default:
	}
}

// Settle waits until every item has its vector, or ctx ends. If the embedder is
// unavailable, the error says why.
func (v *Vectors) Settle(ctx context.Context) error {
	for {
		var last uint64
		err := v.store.View(func(tx *store.Tx) (err error) {
			_, last, err = tx.KV().FeedBounds()
			return err
		})
		if err != nil {
			return err
		}
		v.mu.Lock()
		st, moved := v.status, v.moved
		v.mu.Unlock()
		switch {
		case st.State == StateReady && st.Behind == 0 && v.passed(last):
			return nil
		case st.State == StateDegraded:
			return errors.New(st.Reason)
		}
		select {
		case <-moved:
		case <-v.done:
			return ErrNotReady
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Scale returns the model's scale, or false before it is measured.
func (v *Vectors) Scale() (retrieve.Scale, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.scale == nil {
		return retrieve.Scale{}, false
	}
	return *v.scale, true
}

// Search returns the k items nearest to a vector of [Vectors.Query]. The error is
// [ErrNotReady] if there are no vectors.
func (v *Vectors) Search(q []float32, k int) ([]vector.Hit, vector.Spread, error) {
	ix := v.index()
	if ix == nil {
		return nil, vector.Spread{}, ErrNotReady
	}
	return ix.Search(q, k)
}

// Compact removes the tombstones from the index (R9).
func (v *Vectors) Compact() {
	if ix := v.index(); ix != nil {
		ix.Compact()
	}
}

// Opened waits until the stored vectors have been read, or ctx ends.
func (v *Vectors) Opened(ctx context.Context) error {
	for {
		v.mu.Lock()
		opening, moved := v.status.State == StateOpening, v.moved
		v.mu.Unlock()
		if !opening {
			return nil
		}
		select {
		case <-moved:
		case <-v.done:
			return ErrNotReady
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Cosines returns the cosine of a vector with those of the items that have one.
func (v *Vectors) Cosines(q []float32, items []string) map[string]float32 {
	if ix := v.index(); ix != nil {
		return ix.Cosines(q, items)
	}
	return nil
}

// Vector returns the vector of an item.
func (v *Vectors) Vector(item string) ([]float32, bool) {
	if ix := v.index(); ix != nil {
		return ix.Vector(item)
	}
	return nil, false
}

// IDs returns the indexed items, in byte order, for comparison with the store.
func (v *Vectors) IDs() []string {
	if ix := v.index(); ix != nil {
		return ix.IDs()
	}
	return nil
}

func (v *Vectors) index() *vector.Index {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.ix
}

// Query returns the vector of a message. Background requests yield to it. After a
// failed or late request it fails at once for a while, so that later messages do not
// wait for an unavailable server. It caches the vectors of the last messages.
func (v *Vectors) Query(ctx context.Context, text string) ([]float32, error) {
	v.mu.Lock()
	known, tired := v.recent[text], v.tired
	v.mu.Unlock()
	switch {
	case known != nil:
		return known, nil
	case tired:
		return nil, ErrUnavailable
	}
	defer v.gate.Hold()()
	got, err := v.by.Embed(ctx, ForQuery, []string{text})
	if err == nil && len(got) != 1 {
		err = ErrUnavailable
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if err != nil {
		if !errors.Is(err, ErrRefused) && !errors.Is(context.Cause(ctx), context.Canceled) {
			v.tire()
		}
		return nil, err
	}
	if v.ix != nil && len(got[0]) != v.ix.Dimension() {
		return nil, &vector.DimensionError{Got: len(got[0]), Want: v.ix.Dimension()}
	}
	v.remember(text, got[0])
	return got[0], nil
}

// remember caches the vector of a message; v.mu is held.
func (v *Vectors) remember(text string, q []float32) {
	if v.recent[text] == nil {
		if v.recents = append(v.recents, text); len(v.recents) > remembered {
			delete(v.recent, v.recents[0])
			v.recents = v.recents[1:]
		}
	}
	v.recent[text] = q
}

// tire makes queries use no vectors for a while; v.mu is held.
func (v *Vectors) tire() {
	if v.tired {
		return
	}
	v.tired = true
	time.AfterFunc(shortRest, func() {
		v.mu.Lock()
		v.tired = false
		v.mu.Unlock()
	})
}

// progressed wakes all waiters; v.mu is held.
func (v *Vectors) progressed() {
	close(v.moved)
	v.moved = make(chan struct{})
}

// tell changes the status.
func (v *Vectors) tell(change func(*VectorStatus)) {
	v.mu.Lock()
	before := v.status
	change(&v.status)
	changed := v.status != before
	if changed {
		v.progressed()
	}
	v.mu.Unlock()
	if changed {
		v.notify()
	}
}

// scaleOf decodes a stored scale.
func scaleOf(set codec.VectorSet) *retrieve.Scale {
	var s retrieve.Scale
	if len(set.Scale) == 0 || json.Unmarshal(set.Scale, &s) != nil {
		return nil
	}
	return &s
}
