package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

func numbered(n int) string { return fmt.Sprint("id", n) }

// ownWords returns words of a document that no other document has.
func ownWords(id string) []string { return []string{"own" + id, "also" + id} }

func ownDocument(id string) Document {
	return Document{ID: id, Words: append(ownWords(id), "common"), Grams: []string{"陶" + id, "陶"}, Labels: []string{"label" + id}}
}

// wantErased checks that the files hold the words of the live documents alone.
func wantErased(t *testing.T, dir string, live map[string]bool, all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+kindSegment))
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	for _, f := range files {
		if err := Inspect(t.Context(), f, func(v string, _ func() []string) { held[v] = true }); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range all {
		for _, v := range append(ownWords(id), "陶"+id, "label"+id, id) {
			if held[v] != live[id] {
				t.Errorf("%q is in the files: %t, but its document is live: %t", v, held[v], live[id])
			}
		}
	}
}

// TestErase checks that no word of a deleted document is left in any file, whatever the
// order of writes, replacements and deletions, and that the others are found (D2).
func TestErase(t *testing.T) {
	var all []string
	for i := range 26 {
		all = append(all, string(rune('a'+i)))
	}
	seeds := uint64(20)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 0))
		o := Options{Dir: t.TempDir()}
		ix := mustOpen(t, o)
		live := map[string]bool{}
		batches := 1 + random.IntN(25)
		for seq := range batches {
			var b Batch
			for range random.IntN(7) {
				if id := all[random.IntN(len(all))]; random.IntN(2) == 0 {
					b.Delete = append(b.Delete, id)
				} else {
					b.Put = append(b.Put, ownDocument(id))
				}
			}
			for _, id := range b.Delete {
				live[id] = false
			}
			for _, d := range b.Put {
				live[d.ID] = true
			}
			apply(t, ix, uint64(seq+1), b)
			if last := seq == batches-1; !last && random.IntN(10) > 0 {
				continue
			}
			if err := ix.Erase(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantErased(t, o.Dir, live, all)
			if now, ok := ix.Sequence(); !ok || now != uint64(seq+1) {
				t.Errorf("the sequence is %d instead of %d", now, seq+1)
			}
		}
		ids, err := ix.IDs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range all {
			if slices.Contains(ids, id) != live[id] {
				t.Errorf("seed %d: %s is found: %t", seed, id, !live[id])
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestEraseWhileInUse checks that documents can be written, deleted and found while the
// files are erased.
func TestEraseWhileInUse(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	ix := mustOpen(t, o)
	var writers sync.WaitGroup
	writers.Go(func() {
		for i := range 150 {
			b := Batch{Put: []Document{ownDocument(numbered(i))}}
			if i >= 3 {
				b.Delete = []string{numbered(i - 3)}
			}
			if err := ix.Apply(b, uint64(i+1)); err != nil {
				t.Error(err)
			}
		}
	})
	writers.Go(func() {
		for range 20 {
			if err := ix.Erase(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := ix.Search(t.Context(), Query{Words: []Term{{Text: "common"}}, Limit: 10}); err != nil {
				t.Error(err)
			}
		}
	})
	writers.Wait()
	if err := ix.Erase(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range 150 {
		all = append(all, numbered(i))
	}
	wantErased(t, o.Dir, map[string]bool{numbered(147): true, numbered(148): true, numbered(149): true}, all)
}

// TestEraseEnds checks that Erase ends with its context and with the index, and that it is
// cheap when nothing was deleted.
func TestEraseEnds(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	ix := mustOpen(t, o)
	apply(t, ix, 1, Batch{Put: []Document{ownDocument("a"), ownDocument("b")}})
	for tries := 0; ; tries++ { // a merge may still be about to end
		before := ix.durable.Load()
		if err := ix.Erase(t.Context()); err != nil {
			t.Fatal(err)
		}
		if ix.durable.Load() == before {
			break
		}
		if tries == 20 {
			t.Fatal("nothing was deleted, and each time something was written")
		}
	}
	apply(t, ix, 2, Batch{Delete: []string{"a"}})
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Nanosecond, context.Canceled)
	defer cancel()
	<-ctx.Done()
	if err := ix.Erase(ctx); err != nil && ctx.Err() == nil {
		t.Errorf("cancelled: %v", err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := ix.Erase(t.Context()); err == nil {
		t.Error("a closed index is erased")
	}
}

// BenchmarkErase measures erasing one document of many, with the index open.
func BenchmarkErase(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ix, err := Open(b.Context(), Options{Dir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = ix.Close() }()
			random := rand.New(rand.NewPCG(1, 2))
			for i := 0; i < n; i += 5000 {
				var batch Batch
				for j := i; j < min(n, i+5000); j++ {
					d := Document{ID: fmt.Sprintf("%08d", j)}
					for range 12 {
						d.Words = append(d.Words, fmt.Sprint("word", random.ExpFloat64()*3000))
					}
					batch.Put = append(batch.Put, d)
				}
				if err := ix.Apply(batch, uint64(i+1)); err != nil {
					b.Fatal(err)
				}
			}
			victim := 0
			for b.Loop() {
				if err := ix.Apply(Batch{Delete: []string{fmt.Sprintf("%08d", victim)}}, uint64(n+victim)); err != nil {
					b.Fatal(err)
				}
				victim++
				if err := ix.Erase(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
