package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	diff "github.com/google/go-cmp/cmp"
)

// FuzzCachedSearch compares what is found with the postings of earlier searches
// at hand, in a cache of any size, with what is found when every one is read from
// its segment, to the last bit, and with plain BM25.
func FuzzCachedSearch(f *testing.F) {
	f.Add(uint64(1), uint16(0))
	f.Add(uint64(2), uint16(3000))
	f.Add(uint64(3), uint16(60_000))
	f.Fuzz(func(t *testing.T, seed uint64, budget uint16) {
		rng := rand.New(rand.NewPCG(seed, 5))
		ix := mustOpen(t, Options{InMemory: true})
		m := model{}
		for sequence := uint64(1); sequence <= 12; sequence++ {
			b := randomBatch(rng, 30)
			apply(t, ix, sequence, b)
			m.apply(b)
			for range 4 {
				q := randomQuery(rng)
				ix.cache.budget = int(budget)
				first, warm := mustSearch(t, ix, q), mustSearch(t, ix, q)
				ix.cache.young, ix.cache.old, ix.cache.size, ix.cache.segments = nil, nil, 0, nil
				for name, got := range map[string]Result{"again": warm, "uncached": mustSearch(t, ix, q)} {
					if d := diff.Diff(first, got); d != "" {
						t.Fatalf("%s, query %+v: %s", name, q, d)
					}
				}
				if d := sameResults(first, m.search(q)); d != "" {
					t.Fatalf("query %+v: %s", q, d)
				}
			}
		}
	})
}

// The postings in memory stay within their budget, whatever is asked for.
func TestCacheIsBounded(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	var b Batch
	for i := range 300 {
		b.Put = append(b.Put, Document{ID: fmt.Sprint(i), Words: []string{"every", fmt.Sprint("word-", i)}})
	}
	apply(t, ix, 1, b)
	ix.cache.budget = 20_000
	largest := 0
	for round := range 3 {
		for i := range 300 {
			q := Query{Words: []Term{{Text: "every"}, {Text: fmt.Sprint("word-", i)}}, Limit: 1}
			if _, err := ix.Search(context.Background(), q); err != nil {
				t.Fatal(err)
			}
			size := 0
			for _, generation := range []map[termKey]termPostings{ix.cache.young, ix.cache.old} {
				for k, p := range generation {
					size += p.bytes(k)
					largest = max(largest, p.bytes(k))
				}
			}
			if size > ix.cache.budget+2*largest {
				t.Fatalf("round %d: %d bytes in memory, the budget is %d", round, size, ix.cache.budget)
			}
		}
	}
	if k := (termKey{fieldWords, "every"}); ix.cache.young[k].lists == nil && ix.cache.old[k].lists == nil {
		t.Fatal("what every search asks for was forgotten")
	}
}
