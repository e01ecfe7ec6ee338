package indexer_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
)

// Every goroutine ends with its follower.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const luna = "luna"

// world is a store with the folder of its indexes.
type world struct {
	testing.TB
	store *store.Store
	dir   string
	ids   *memory.IDs

	mu       sync.Mutex
	statuses []indexer.Status
}

func newWorld(t testing.TB) *world { return newWorldAt(t, t.TempDir()) }

func newWorldAt(t testing.TB, dir string) *world {
	t.Helper()
	st, err := store.Open(store.Options{
		Path: filepath.Join(dir, "memoria.db"), Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return &world{TB: t, store: st, dir: filepath.Join(dir, "index"), ids: memory.NewIDs(nil)}
}

// open starts a follower that is closed with the test.
func (w *world) open(kind indexer.Kind) *indexer.Follower {
	var f *indexer.Follower
	ready := make(chan struct{})
	f = indexer.Open(indexer.Options{
		Store: w.store, Dir: w.dir, Agent: luna, Kind: kind, Logger: slog.New(slog.DiscardHandler),
		Notify: func() {
			<-ready
			st := f.Status()
			w.mu.Lock()
			w.statuses = append(w.statuses, st)
			w.mu.Unlock()
		},
		Content: func(r memory.Record) string { return "read from " + r.ContentRef },
	})
	close(ready)
	w.Cleanup(func() { _ = f.Close() })
	return f
}

// passed returns the statuses that were announced since the last call.
func (w *world) passed() []indexer.Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.statuses
	w.statuses = nil
	return out
}

func (w *world) update(fn func(tx *store.Tx) error) {
	w.Helper()
	if err := w.store.Update(fn); err != nil {
		w.Fatal(err)
	}
}

func (w *world) item(content string) memory.Item {
	now := time.Now()
	return memory.Item{
		ID: w.ids.New(now), AgentID: luna, Type: memory.TypeFact, Content: content,
		State: memory.StateActive, Version: 1, CreatedAt: now,
	}
}

func (w *world) put(items ...memory.Item) {
	w.Helper()
	w.update(func(tx *store.Tx) error {
		for _, it := range items {
			if err := tx.PutItem(it, w.ids.New(tx.Now()), memory.Change{Action: memory.ActionAdded}); err != nil {
				return err
			}
		}
		return nil
	})
}

// fill writes n items in one transaction.
func (w *world) fill(n int) []memory.Item {
	w.Helper()
	items := make([]memory.Item, n)
	for i := range items {
		items[i] = w.item(fmt.Sprintf("memory number %d about tea 喜欢茶", i))
	}
	w.put(items...)
	return items
}

func (w *world) settle(f *indexer.Follower) {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := f.Settle(ctx); err != nil {
		w.Fatalf("settling: %v (status %+v)", err, f.Status())
	}
}

// wantEqual compares the recall index with the items that may be recalled.
func (w *world) wantEqual(f *indexer.Follower) {
	w.Helper()
	w.settle(f)
	want := []string{}
	err := w.store.View(func(tx *store.Tx) error {
		for it, err := range tx.Items(luna) {
			if err != nil {
				return err
			}
			if it.IsActive() {
				want = append(want, it.ID)
			}
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	slices.Sort(want)
	w.wantIDs(f, want)
}

func (w *world) wantIDs(f *indexer.Follower, want []string) {
	w.Helper()
	got, err := f.IDs(context.Background())
	if err != nil {
		w.Fatal(err)
	}
	if diff := cmp.Diff(want, append([]string{}, got...)); diff != "" {
		w.Fatalf("store and index differ (-store +index):\n%s", diff)
	}
}

func (w *world) close(f *indexer.Follower) {
	w.Helper()
	if err := f.Close(); err != nil {
		w.Fatal(err)
	}
}

func find(word string) index.Query { return index.Query{Words: []index.Term{{Text: word}}, Limit: 10} }

// hits searches for a folded word once the index has settled.
func (w *world) hits(f *indexer.Follower, word string) []string {
	w.Helper()
	w.settle(f)
	res, err := f.Search(context.Background(), find(word))
	if err != nil {
		w.Fatal(err)
	}
	ids := []string{}
	for _, h := range res.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func wasBuilding(statuses []indexer.Status) (reason string, ok bool) {
	for _, st := range statuses {
		if st.State == indexer.StateBuilding {
			return st.Reason, true
		}
	}
	return "", false
}
