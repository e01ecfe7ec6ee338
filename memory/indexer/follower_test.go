package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"memoria/index"
	"memoria/kv"
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
		State: memory.StateActive, IsActive: true, Version: 1, CreatedAt: now,
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
			if it.IsActive && it.State == memory.StateActive {
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

// Q3: an index that was closed goes on where it was; what happened meanwhile is
// read from the feed, not from the whole store.
func TestCatchUpAfterReopen(t *testing.T) {
	w := newWorld(t)
	items := w.fill(30)
	f := w.open(indexer.Recall)
	w.wantEqual(f)
	w.close(f)

	items[3].Content, items[3].Version = "plays the viola", 2
	items[4].State, items[4].IsActive = memory.StateMuted, false
	w.put(items[3], items[4], w.item("a flute"))
	w.update(func(tx *store.Tx) error { return tx.TrashItem(luna, items[5].ID, "D1") })
	w.passed()

	f = w.open(indexer.Recall)
	w.wantEqual(f)
	if reason, ok := wasBuilding(w.passed()); ok {
		t.Errorf("it was rebuilt: %s", reason)
	}
	if got := w.hits(f, "viola"); !slices.Equal(got, []string{items[3].ID}) {
		t.Errorf("the new words find %v", got)
	}
	if st := f.Status(); st.State != indexer.StateReady || st.Behind != 0 {
		t.Errorf("status: %+v", st)
	}
}

// One transaction of more changes than fit into a batch.
func TestManyChangesAtOnce(t *testing.T) {
	w := newWorld(t)
	f := w.open(indexer.Recall)
	w.wantEqual(f)
	w.fill(1203)
	w.wantEqual(f)
}

// Q3, R4: an index that cannot be gone on with is built anew, says why, and is
// then equal to the store.
func TestRebuild(t *testing.T) {
	eachFile := func(t *testing.T, dir, suffix string, fn func(path string) error) {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(dir, luna, "recall", "*"+suffix))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no index files: %v", err)
		}
		for _, p := range paths {
			if err := fn(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	flip := func(path string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b[len(b)/2] ^= 0x40
		return os.WriteFile(path, b, 0o600)
	}
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, w *world)
		want  string
	}{
		{"missing", func(t *testing.T, w *world) {
			if err := os.RemoveAll(w.dir); err != nil {
				t.Fatal(err)
			}
		}, "missing"},
		{"snapshots missing", func(t *testing.T, w *world) { eachFile(t, w.dir, ".snp", os.Remove) }, "broken"},
		{"segments missing", func(t *testing.T, w *world) { eachFile(t, w.dir, ".seg", os.Remove) }, "broken"},
		{"a byte of each segment is another", func(t *testing.T, w *world) { eachFile(t, w.dir, ".seg", flip) }, "broken"},
		{"a byte of each snapshot is another", func(t *testing.T, w *world) { eachFile(t, w.dir, ".snp", flip) }, "broken"},
		{"cut short", func(t *testing.T, w *world) {
			eachFile(t, w.dir, ".seg", func(p string) error { return os.Truncate(p, 10) })
		}, "broken"},
		{"of another store", func(t *testing.T, w *world) {
			other := newWorld(t)
			other.fill(7)
			f := other.open(indexer.Recall)
			other.wantEqual(f)
			other.close(f)
			if err := os.RemoveAll(w.dir); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(other.dir, w.dir); err != nil {
				t.Fatal(err)
			}
		}, "another version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.fill(40)
			f := w.open(indexer.Recall)
			w.wantEqual(f)
			w.close(f)
			c.spoil(t, w)
			w.passed()
			w.fill(3)
			f = w.open(indexer.Recall)
			w.wantEqual(f)
			if reason, ok := wasBuilding(w.passed()); !ok || !strings.Contains(reason, c.want) {
				t.Errorf("the reason is %q, want %q in it", reason, c.want)
			}
		})
	}
}

// A feed is not kept for an index that nobody opens, and such an index is not
// silently incomplete when somebody does.
func TestTrim(t *testing.T) {
	w := newWorld(t)
	w.fill(10)
	w.update(func(tx *store.Tx) error {
		return tx.AppendRecord(memory.Record{ID: "R1", AgentID: luna, SessionID: "S1", Content: "a flute"})
	})
	for _, kind := range []indexer.Kind{indexer.Recall, indexer.Archive} {
		f := w.open(kind)
		w.settle(f)
		w.close(f)
	}
	bounds := func() (oldest, last uint64) {
		err := w.store.View(func(tx *store.Tx) (err error) { oldest, last, err = tx.KV().FeedBounds(); return err })
		if err != nil {
			t.Fatal(err)
		}
		return oldest, last
	}
	trim := func() {
		t.Helper()
		if err := indexer.Trim(w.store); err != nil {
			t.Fatal(err)
		}
	}
	busy := func(n int) {
		t.Helper()
		w.update(func(tx *store.Tx) error {
			for range n {
				if _, err := tx.KV().Append(kv.Change{Agent: luna, Kind: "other", Op: "put"}); err != nil {
					return err
				}
			}
			return nil
		})
		f := w.open(indexer.Recall)
		w.settle(f)
		w.close(f)
		trim()
	}
	trim()
	if oldest, last := bounds(); oldest != last+1 {
		t.Errorf("all have seen everything, and the feed keeps %d to %d", oldest, last)
	}
	busy(100)
	if oldest, last := bounds(); last-oldest+1 != 100 {
		t.Errorf("the archive has not seen 100 entries, and the feed keeps %d to %d", oldest, last)
	}
	busy(20_000)
	if oldest, last := bounds(); oldest != last+1 {
		t.Errorf("the feed is kept for an index that nobody opens: %d to %d", oldest, last)
	}
	w.update(func(tx *store.Tx) error {
		return tx.AppendRecord(memory.Record{ID: "R2", AgentID: luna, SessionID: "S1", Content: "a viola"})
	})
	f := w.open(indexer.Archive)
	w.settle(f)
	w.wantIDs(f, []string{"R1", "R2"})
}

// A rebuild reports how far it is; searches meanwhile are told to scan, and
// never get an error or a part of the answer.
func TestSearchWhileBuilding(t *testing.T) {
	w := newWorld(t)
	n := len(w.fill(3000))
	f := w.open(indexer.Recall)
	full := 0
	for f.Status().State != indexer.StateReady || full == 0 {
		res, err := f.Search(t.Context(), index.Query{Words: []index.Term{{Text: "tea"}}})
		switch {
		case errors.Is(err, indexer.ErrNotReady):
			pause(t, f)
		case err != nil:
			t.Fatal(err)
		case len(res.Hits) != n:
			t.Fatalf("%d of %d found", len(res.Hits), n)
		default:
			full++
		}
	}
	part := false
	for _, st := range w.passed() {
		if st.State == indexer.StateBuilding {
			if st.Total != 0 && st.Total != n || st.Done > n {
				t.Errorf("progress: %+v", st)
			}
			part = part || st.Done > 0 && st.Done < n
		}
	}
	if !part {
		t.Error("no progress was reported between beginning and end")
	}
}

// R4: what cannot be written takes the index out of use, because an old answer
// would be wrong; a later try brings it back.
func TestFailureTakesOutOfUse(t *testing.T) {
	w := newWorld(t)
	w.fill(5)
	if err := os.WriteFile(w.dir, []byte("in the way"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := w.open(indexer.Recall)
	until(t, f, indexer.StateDegraded)
	if _, err := f.Search(t.Context(), find("tea")); !errors.Is(err, indexer.ErrNotReady) {
		t.Errorf("search: %v", err)
	}
	if st := f.Status(); st.Reason == "" {
		t.Errorf("no reason: %+v", st)
	}
	if err := os.Remove(w.dir); err != nil {
		t.Fatal(err)
	}
	f.Rebuild()
	w.wantEqual(f)
}

// until waits for a state by way of the follower's own wake-ups.
func until(t *testing.T, f *indexer.Follower, want indexer.State) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for f.Status().State != want {
		if time.Now().After(deadline) {
			t.Fatalf("status is %+v, want %s", f.Status(), want)
		}
		pause(t, f)
	}
}

// pause waits a moment, or until the follower has settled.
func pause(t *testing.T, f *indexer.Follower) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_ = f.Settle(ctx)
}

// Files that are cut short under a running program: the search fails once, and
// the index makes itself anew.
func TestBrokenWhileRunning(t *testing.T) {
	w := newWorld(t)
	w.fill(300)
	f := w.open(indexer.Recall)
	w.wantEqual(f)
	w.passed()
	paths, err := filepath.Glob(filepath.Join(w.dir, luna, "recall", "*.seg"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no segments: %v", err)
	}
	for _, p := range paths {
		if err := os.Truncate(p, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Search(t.Context(), find("tea")); !errors.Is(err, index.ErrBroken) {
		t.Fatalf("search over nothing: %v", err)
	}
	w.wantEqual(f)
	if _, ok := wasBuilding(w.passed()); !ok {
		t.Error("it was not rebuilt")
	}
}

// Only what may be recalled is in the recall index (R7).
func TestOnlyRecallable(t *testing.T) {
	w := newWorld(t)
	f := w.open(indexer.Recall)
	it := w.item("plays the oboe")
	for _, c := range []struct {
		state  memory.State
		active bool
		want   []string
	}{
		{memory.StateHeld, false, []string{}},
		{memory.StateActive, true, []string{it.ID}},
		{memory.StateMuted, false, []string{}},
		{memory.StateActive, false, []string{}},
		{memory.StateActive, true, []string{it.ID}},
		{memory.StateInactive, false, []string{}},
	} {
		it.State, it.IsActive = c.state, c.active
		it.Version++
		w.put(it)
		w.settle(f)
		w.wantIDs(f, c.want)
	}
	other := w.item("plays the oboe")
	other.AgentID = "sol"
	w.put(other)
	w.settle(f)
	w.wantIDs(f, []string{})
}

// The program's own words are never indexed; a content that lies in a file of
// its own is.
func TestArchive(t *testing.T) {
	w := newWorld(t)
	w.update(func(tx *store.Tx) error {
		return errors.Join(
			tx.AppendRecord(memory.Record{ID: "R1", AgentID: luna, SessionID: "S1", Role: memory.RoleUser, Content: "a flute"}),
			tx.AppendRecord(memory.Record{ID: "R2", AgentID: luna, SessionID: "S1", Role: memory.RoleAssistant, Content: "a flute", Model: memory.ModelOffline}),
			tx.AppendRecord(memory.Record{ID: "R3", AgentID: luna, SessionID: "S1", Role: memory.RoleUser, ContentRef: "content/luna/viola.txt"}),
		)
	})
	f := w.open(indexer.Archive)
	w.settle(f)
	w.wantIDs(f, []string{"R1", "R3"})
	w.update(func(tx *store.Tx) error {
		return errors.Join(
			tx.AppendRecord(memory.Record{ID: "R4", AgentID: luna, SessionID: "S2", Content: "a flute", Model: memory.ModelOffline}),
			tx.AppendRecord(memory.Record{ID: "R5", AgentID: luna, SessionID: "S2", Content: "a flute", Model: "gpt"}),
		)
	})
	w.settle(f)
	w.wantIDs(f, []string{"R1", "R3", "R5"})
	if got := w.hits(f, "viola"); !slices.Equal(got, []string{"R3"}) {
		t.Errorf("the words in the file find %v", got)
	}
	res, err := f.Search(t.Context(), index.Query{Words: []index.Term{{Text: "flute"}}, Labels: []string{"session:S2"}})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != "R5" {
		t.Errorf("in one session: %+v, %v", res.Hits, err)
	}
}

// A record that cannot be read keeps nobody else out of the index, neither when
// the feed names it nor in a rebuild.
func TestUnreadableRecord(t *testing.T) {
	w := newWorld(t)
	items := w.fill(3)
	f := w.open(indexer.Recall)
	w.settle(f)
	raw := kv.NewBucket("items", 1, kv.Bytes())
	w.update(func(tx *store.Tx) error {
		if err := raw.Put(tx.KV(), kv.Key(luna, items[1].ID), []byte("not an item")); err != nil {
			return err
		}
		_, err := tx.KV().Append(kv.Change{Agent: luna, Kind: store.KindItem, ID: items[1].ID, Op: store.OpPut})
		return err
	})
	w.settle(f)
	want := []string{items[0].ID, items[2].ID}
	w.wantIDs(f, want)
	f.Rebuild()
	w.settle(f)
	w.wantIDs(f, want)
}

// An entry of the feed that cannot be read may have named anything: the index is
// made anew and goes on behind it.
func TestUnreadableFeed(t *testing.T) {
	w := newWorld(t)
	w.fill(3)
	f := w.open(indexer.Recall)
	w.settle(f)
	w.close(f)
	w.fill(3)
	feed := kv.NewBucket("kv.feed", 1, kv.Bytes())
	w.update(func(tx *store.Tx) error { return feed.Put(tx.KV(), kv.Key(uint64(5)), []byte("?")) })
	f = w.open(indexer.Recall)
	w.wantEqual(f)
	w.fill(2)
	w.wantEqual(f)
}
