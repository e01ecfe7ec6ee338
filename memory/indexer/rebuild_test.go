package indexer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memoria/index"
	"memoria/kv"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
)

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
