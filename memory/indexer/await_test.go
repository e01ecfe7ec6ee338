package indexer

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"memoria/index"
	"memoria/kv"
	"memoria/memory/store"
)

// R4: a search waits for an index that is opening, and for the newest change, but
// not for an index that is being built.
func TestSearchWaits(t *testing.T) {
	const at = 700 * time.Millisecond // when something happens
	for _, c := range []struct {
		name   string
		status Status // at the beginning
		ready  bool   // at the beginning
		then   func(f *Follower, ix *index.Index, cancel func())
		took   time.Duration
		err    error
	}{
		{name: "opens in time", status: Status{State: StateOpening}, took: at,
			then: func(f *Follower, ix *index.Index, _ func()) {
				f.ready, f.status, f.passed = ix, Status{State: StateReady}, 1
			}},
		{name: "opens in time and is behind", status: Status{State: StateOpening}, took: at,
			then: func(f *Follower, ix *index.Index, _ func()) { f.ready, f.status = ix, Status{State: StateReady} }},
		{name: "opens too late", status: Status{State: StateOpening}, took: patience, err: ErrNotReady},
		{name: "must be built", status: Status{State: StateOpening}, took: at, err: ErrNotReady,
			then: func(f *Follower, _ *index.Index, _ func()) { f.status = Status{State: StateBuilding} }},
		{name: "is being built", status: Status{State: StateBuilding}, err: ErrNotReady},
		{name: "failed", status: Status{State: StateDegraded}, err: ErrNotReady},
		{name: "is behind", status: Status{State: StateReady}, ready: true, took: freshness},
		{name: "is canceled", status: Status{State: StateOpening}, took: at, err: context.Canceled,
			then: func(_ *Follower, _ *index.Index, cancel func()) { cancel() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, ix := still(t)
				f.status = c.status
				if c.ready {
					f.ready = ix
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.then != nil {
					time.AfterFunc(at, func() {
						f.mu.Lock()
						defer f.mu.Unlock()
						c.then(f, ix, cancel)
						f.progressed()
					})
				}
				begun := time.Now()
				if _, err := f.Search(ctx, index.Query{}); !errors.Is(err, c.err) {
					t.Errorf("the error is %v, want %v", err, c.err)
				}
				if took := time.Since(begun); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
			})
		})
	}
}

// R4: a caller may wait longer for an index that is opening.
func TestOpened(t *testing.T) {
	for _, c := range []struct {
		then    State
		wait    time.Duration
		timeout time.Duration
		err     error
	}{
		{StateReady, 3 * time.Second, time.Minute, nil},
		{StateBuilding, 3 * time.Second, time.Minute, nil},
		{StateClosed, 3 * time.Second, time.Minute, ErrNotReady},
		{StateReady, 3 * time.Second, time.Second, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			f, _ := still(t)
			time.AfterFunc(c.wait, func() {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.withdraw(Status{State: c.then})
			})
			ctx, cancel := context.WithTimeout(t.Context(), c.timeout)
			defer cancel()
			begun := time.Now()
			if err := f.Opened(ctx); !errors.Is(err, c.err) {
				t.Errorf("%+v: %v", c, err)
			}
			if took := time.Since(begun); took != min(c.wait, c.timeout) {
				t.Errorf("%+v: it took %v", c, took)
			}
		})
	}
}

// still is a follower of a store with one change that is opening and does nothing,
// and an empty index that it may be given.
func still(t *testing.T) (*Follower, *index.Index) {
	t.Helper()
	st, err := store.Open(store.Options{
		Path: filepath.Join(t.TempDir(), "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	err = st.Update(func(tx *store.Tx) error {
		_, err := tx.KV().Append(kv.Change{Agent: "luna", Kind: store.KindItem, ID: "I1", Op: store.OpPut})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.Open(t.Context(), index.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ix.Close() })
	return &Follower{store: st, notify: func() {}, moved: make(chan struct{}), status: Status{State: StateOpening}}, ix
}
