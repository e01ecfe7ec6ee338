package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

func mustOpen(tb testing.TB, o Options) *Index {
	tb.Helper()
	ix, err := Open(context.Background(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := ix.Close(); err != nil {
			tb.Error(err)
		}
	})
	return ix
}

func apply(tb testing.TB, ix *Index, sequence uint64, b Batch) {
	tb.Helper()
	if err := ix.Apply(b, sequence); err != nil {
		tb.Fatal(err)
	}
}

func mustSearch(tb testing.TB, ix *Index, q Query) Result {
	tb.Helper()
	r, err := ix.Search(context.Background(), q)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func hitIDs(r Result) []string {
	ids := make([]string, len(r.Hits))
	for i, h := range r.Hits {
		ids[i] = h.ID
	}
	return ids
}

func TestEmptyIndex(t *testing.T) {
	for _, o := range []Options{{InMemory: true}, {Dir: t.TempDir()}} {
		ix := mustOpen(t, o)
		if n, ok := ix.Sequence(); ok {
			t.Fatalf("new index has sequence %d", n)
		}
		r := mustSearch(t, ix, Query{Words: []Term{{Text: "tea"}}, Grams: []string{"茶"}, Limit: 5})
		if r.Matched != 0 || len(r.Hits) != 0 {
			t.Fatalf("found %+v", r)
		}
		if n, err := ix.Count(); n != 0 || err != nil {
			t.Fatalf("count %d, %v", n, err)
		}
	}
}

// Q3: the sequence and the documents of a batch come back together.
func TestReopen(t *testing.T) {
	o := Options{Dir: filepath.Join(t.TempDir(), "agent", "recall"), MappingVersion: 3}
	ix := mustOpen(t, o)
	apply(t, ix, 41, Batch{Put: []Document{{ID: "a", Words: []string{"tea"}}, {ID: "b", Words: []string{"tea"}}}})
	apply(t, ix, 42, Batch{Delete: []string{"a", "never was"}})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = mustOpen(t, o)
	if n, ok := ix.Sequence(); n != 42 || !ok {
		t.Fatalf("sequence %d, %v", n, ok)
	}
	if got := hitIDs(mustSearch(t, ix, Query{Words: []Term{{Text: "tea"}}})); !slices.Equal(got, []string{"b"}) {
		t.Fatalf("found %v", got)
	}
}

// A rebuild in several batches counts only when its last one is in.
func TestUnfinishedRebuild(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	ix := mustOpen(t, o)
	apply(t, ix, 0, Batch{Put: []Document{{ID: "a", Words: []string{"tea"}}}})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = mustOpen(t, o)
	if n, ok := ix.Sequence(); ok {
		t.Fatalf("sequence %d of an unfinished rebuild", n)
	}
	apply(t, ix, 7, Batch{Put: []Document{{ID: "b"}}})
	if n, ok := ix.Sequence(); n != 7 || !ok {
		t.Fatalf("sequence %d, %v", n, ok)
	}
}

func TestBatchRules(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	b := Batch{
		Put: []Document{
			{ID: "twice", Words: []string{"first"}},
			{ID: "twice", Words: []string{"last"}},
			{ID: "both", Words: []string{"last"}},
		},
		Delete: []string{"both", "gone", "gone"},
	}
	for i := range uint64(3) { // replaying changes nothing
		apply(t, ix, 5+i, b)
		r := mustSearch(t, ix, Query{Words: []Term{{Text: "last"}, {Text: "first"}}})
		if got := hitIDs(r); !slices.Equal(got, []string{"both", "twice"}) || r.Documents != 2 {
			t.Fatalf("found %v among %d", got, r.Documents)
		}
		if r.Words[1].DocFrequency != 0 {
			t.Fatal("the first of two documents with one id was kept")
		}
	}
	for _, id := range []string{"", markerID} {
		if err := ix.Apply(Batch{Put: []Document{{ID: id}}}, 9); !errors.Is(err, ErrID) {
			t.Errorf("putting %q: %v, want ErrID", id, err)
		}
		if err := ix.Apply(Batch{Delete: []string{id}}, 9); !errors.Is(err, ErrID) {
			t.Errorf("deleting %q: %v, want ErrID", id, err)
		}
	}
	if n, _ := ix.Sequence(); n != 7 {
		t.Fatalf("sequence %d after refused batches, want 7", n)
	}
}

// R7: what is deleted or replaced is found no more, with no word of it left in
// the figures.
func TestDeletedIsNotFound(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	apply(t, ix, 1, Batch{Put: []Document{
		{ID: "a", Words: []string{"tea"}, Grams: []string{"茶"}, Labels: []string{"x"}},
		{ID: "b", Words: []string{"tea"}, Grams: []string{"茶"}, Labels: []string{"x"}},
	}})
	apply(t, ix, 2, Batch{Put: []Document{{ID: "a", Words: []string{"coffee"}}}, Delete: []string{"b"}})
	for _, q := range []Query{
		{Words: []Term{{Text: "tea"}}}, {Grams: []string{"茶"}}, {Labels: []string{"x"}}, {AnyLabels: []string{"x"}},
		{Words: []Term{{Text: "te", Prefix: true}}},
	} {
		if r := mustSearch(t, ix, q); r.Matched != 0 || r.Documents != 1 {
			t.Errorf("%+v found %v among %d", q, hitIDs(r), r.Documents)
		}
	}
}

func TestFilters(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	apply(t, ix, 1, Batch{Put: []Document{
		{ID: "a", Words: []string{"tea"}, Labels: []string{"type:fact", "session:1"}},
		{ID: "b", Words: []string{"tea"}, Labels: []string{"type:fact", "session:2"}},
		{ID: "c", Words: []string{"tea"}, Labels: []string{"type:goal", "session:2"}},
		{ID: "d", Labels: []string{"type:fact", "session:2"}},
	}})
	tea := []Term{{Text: "tea"}}
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Words: tea, Labels: []string{"type:fact"}}, "a b"},
		{Query{Words: tea, Labels: []string{"type:fact", "type:fact", "session:2"}}, "b"},
		{Query{Words: tea, AnyLabels: []string{"session:1", "type:goal"}}, "a c"},
		{Query{Words: tea, Labels: []string{"session:2"}, AnyLabels: []string{"type:goal", "session:1"}}, "c"},
		{Query{Labels: []string{"type:fact"}}, "a b d"},
		{Query{Labels: []string{"type:fact"}, Limit: 2}, "a b"},
		{Query{Words: tea, Labels: []string{"type:none"}}, ""},
		{Query{}, ""},
		{Query{Words: []Term{{}}, Grams: []string{""}}, ""},
	} {
		if got := strings.Join(hitIDs(mustSearch(t, ix, c.q)), " "); got != c.want {
			t.Errorf("%+v found %q, want %q", c.q, got, c.want)
		}
	}
}

// Ties go by id, whatever segment a document lies in.
func TestTiesAreDeterministic(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	for i, id := range []string{"m", "c", "z", "a", "k"} {
		apply(t, ix, uint64(i+1), Batch{Put: []Document{{ID: id, Words: []string{"tea"}}}})
	}
	for limit := range 6 {
		want := []string{"a", "c", "k", "m", "z"}
		if limit > 0 {
			want = want[:limit]
		}
		if got := hitIDs(mustSearch(t, ix, Query{Words: []Term{{Text: "tea"}}, Limit: limit})); !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
	}
}

func TestClosed(t *testing.T) {
	ix := mustOpen(t, Options{Dir: t.TempDir()})
	for range 2 {
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, searchErr := ix.Search(context.Background(), Query{})
	_, countErr := ix.Count()
	_, idsErr := ix.IDs(context.Background())
	for _, err := range []error{ix.Apply(Batch{}, 1), searchErr, countErr, idsErr} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: %v, want ErrClosed", err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	apply(t, ix, 1, Batch{Put: []Document{{ID: "a", Words: []string{"tea"}}}})
	cause := errors.New("user left")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := ix.Search(ctx, Query{Words: []Term{{Text: "tea"}}}); !errors.Is(err, cause) {
		t.Errorf("search: %v", err)
	}
	if _, err := Open(ctx, Options{InMemory: true}); !errors.Is(err, cause) {
		t.Errorf("open: %v", err)
	}
}

// Searches see whole batches while others are applied, and Close may come at
// any moment.
func TestConcurrentUse(t *testing.T) {
	for round := range 6 {
		ix := mustOpen(t, Options{Dir: t.TempDir(), InMemory: round%2 == 0})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for {
					r, err := ix.Search(context.Background(), Query{Words: []Term{{Text: "tea"}}})
					if errors.Is(err, ErrClosed) {
						return
					}
					if err != nil || r.Matched%3 != 0 || r.Documents != uint64(r.Matched) {
						t.Errorf("saw %d of %d documents, %v", r.Matched, r.Documents, err)
						return
					}
				}
			})
		}
		var applied sync.WaitGroup
		applied.Add(20)
		wg.Go(func() {
			for i := range 1_000_000 {
				b := Batch{}
				for j := range 3 {
					b.Put = append(b.Put, Document{ID: fmt.Sprint((i%10)*3 + j), Words: []string{"tea"}})
				}
				err := ix.Apply(b, uint64(i+1))
				if errors.Is(err, ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
				}
				if i < 20 {
					applied.Done()
				}
			}
		})
		applied.Wait()
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
	}
}

// The index in memory runs where time is not real.
func TestInsideSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ix := mustOpen(t, Options{InMemory: true})
		for i := range uint64(30) {
			apply(t, ix, i+1, Batch{Put: []Document{{ID: fmt.Sprint(i), Words: []string{"tea"}}}})
		}
		synctest.Wait()
		if r := mustSearch(t, ix, Query{Words: []Term{{Text: "tea"}}}); r.Matched != 30 {
			t.Fatalf("found %d", r.Matched)
		}
	})
}

func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		os.Exit(child(role))
	}
	goleak.VerifyTestMain(m)
}
