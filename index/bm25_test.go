package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// R3, R3a: order, scores, frequencies and idf are those of plain BM25 at every
// moment, through updates, deletes, merges and reopening.
func TestSearchIsPlainBM25(t *testing.T) {
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 3))
			o := Options{Dir: t.TempDir(), InMemory: seed%2 == 1}
			ix := mustOpen(t, o)
			ix.cache.budget = int(seed) * 2000 // from nothing to all that is asked for
			m := model{}
			for sequence, merges := uint64(1), 0; sequence <= 60 || merges == 0; sequence++ {
				b := randomBatch(rng, 60)
				apply(t, ix, sequence, b)
				m.apply(b)
				agree(t, ix, m, rng, 4)
				merges += mergedSegments(t, ix)
				if sequence%20 == 0 && !o.InMemory {
					if err := ix.Close(); err != nil {
						t.Fatal(err)
					}
					ix = mustOpen(t, o)
					agree(t, ix, m, rng, 4)
				}
			}
		})
	}
}

// mergedSegments counts the segments that hold more than one batch can.
func mergedSegments(t *testing.T, ix *Index) (n int) {
	t.Helper()
	s, err := ix.snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer s.release()
	for _, p := range s.parts {
		if p.Count() > 7 {
			n++
		}
	}
	return n
}

// R3a: a document that holds every word often comes near the normaliser, none
// passes it.
func TestFullMatchTendsToOne(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	b := Batch{Put: []Document{{ID: "full"}}}
	for range 300 {
		b.Put[0].Words = append(b.Put[0].Words, "rare", "word")
	}
	for i := range 20 {
		b.Put = append(b.Put, Document{ID: fmt.Sprint("long-", i), Words: make600(i)})
	}
	if err := ix.Apply(b, 1); err != nil {
		t.Fatal(err)
	}
	r := mustSearch(t, ix, Query{Words: []Term{{Text: "rare"}, {Text: "word"}}})
	if len(r.Hits) != 1 || r.Hits[0].Score < 0.99 || r.Hits[0].Score >= 1 {
		t.Fatalf("hits %+v, want one with a score just below 1", r.Hits)
	}
	if got, want := r.Hits[0].Words/r.WordsIDF, r.Hits[0].Score; math.Abs(got-want) > 1e-12 {
		t.Fatalf("words/idf %v, score %v", got, want)
	}
}

func make600(i int) []string {
	words := make([]string, 600)
	for j := range words {
		words[j] = fmt.Sprintf("filler-%d-%d", i, j)
	}
	return words
}

// R3: a prefix finds longer words and is scored as one word.
func TestPrefix(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	apply(t, ix, 1, Batch{Put: []Document{
		{ID: "a", Words: []string{"python", "pythonic"}},
		{ID: "b", Words: []string{"python", "tea"}},
		{ID: "c", Words: []string{"go", "tea"}},
	}})
	r := mustSearch(t, ix, Query{Words: []Term{{Text: "pyth", Prefix: true}}})
	if got := hitIDs(r); len(got) != 2 || got[0] != "a" || got[1] != "b" {
		t.Fatalf("found %v, want a (both words) before b", got)
	}
	if r.Words[0].DocFrequency != 2 {
		t.Fatalf("document frequency %d, want 2", r.Words[0].DocFrequency)
	}
	if r := mustSearch(t, ix, Query{Words: []Term{{Text: "pyth"}}}); len(r.Hits) != 0 {
		t.Fatalf("without Prefix found %v", hitIDs(r))
	}
}

// A prefix stands for the first MaxExpansions words that live documents hold:
// words of deleted documents use up none of them.
func TestPrefixExpansionsAreOfLiveDocuments(t *testing.T) {
	ix := mustOpen(t, Options{InMemory: true})
	var first, second Batch
	for i := range MaxExpansions {
		id := fmt.Sprintf("old-%03d", i)
		first.Put = append(first.Put, Document{ID: id, Words: []string{fmt.Sprintf("xa%03d", i)}})
		if i > 0 {
			second.Delete = append(second.Delete, id)
		}
	}
	for i := range MaxExpansions {
		second.Put = append(second.Put, Document{ID: fmt.Sprintf("new-%03d", i), Words: []string{fmt.Sprintf("xb%03d", i)}})
	}
	apply(t, ix, 1, first)
	apply(t, ix, 2, second)
	r := mustSearch(t, ix, Query{Words: []Term{{Text: "x", Prefix: true}}})
	if r.Matched != MaxExpansions || r.Words[0].DocFrequency != MaxExpansions {
		t.Fatalf("matched %d, want the %d first live words", r.Matched, MaxExpansions)
	}
}

func TestPrefixEnd(t *testing.T) {
	for prefix, want := range map[string]string{"a": "b", "a\xff": "b", "\xff\xff": "", "": ""} {
		if got := string(prefixEnd(prefix)); got != want {
			t.Errorf("prefixEnd(%q) = %q, want %q", prefix, got, want)
		}
	}
}
