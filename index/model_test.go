package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	diff "github.com/google/go-cmp/cmp"
)

// model is the plain truth that the index is compared with: documents in a
// map, BM25 worked out from its definition.
type model map[string]Document

func (m model) apply(b Batch) {
	for _, id := range b.Delete {
		delete(m, id)
	}
	for _, d := range b.Put {
		m[d.ID] = d
	}
}

func (m model) ids() []string {
	ids := make([]string, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func wordsOf(d Document) []string { return d.Words }
func gramsOf(d Document) []string { return d.Grams }

// bm25 is Σ boost · idf · tf/(tf + k1(1 − b + b·len/mean)) as in any textbook,
// but for the factor k1 + 1.
func (m model) bm25(terms []Term, field func(Document) []string) (map[string]float64, []TermStat) {
	n, total := float64(len(m)), 0
	for _, d := range m {
		total += len(field(d))
	}
	mean := float64(total) / n
	scores := map[string]float64{}
	var stats []TermStat
	for _, t := range terms {
		tf := map[string]int{}
		for id, d := range m {
			for _, w := range field(d) {
				if w == t.Text || t.Prefix && strings.HasPrefix(w, t.Text) {
					tf[id]++
				}
			}
		}
		df := float64(len(tf))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		stats = append(stats, TermStat{Text: t.Text, Boost: t.Boost, DocFrequency: uint64(len(tf)), IDF: idf})
		for id, f := range tf {
			length := float64(len(field(m[id])))
			f := float64(f)
			scores[id] += t.Boost * idf * f / (f + 1.2*(1-0.75+0.75*length/mean))
		}
	}
	return scores, stats
}

func (m model) search(q Query) Result {
	r := Result{Documents: uint64(len(m))}
	var words, grams map[string]float64
	words, r.Words = m.bm25(q.Words, wordsOf)
	grams, r.Grams = m.bm25(asTerms1(q.Grams), gramsOf)
	for _, s := range r.Words {
		r.WordsIDF += s.Boost * s.IDF
	}
	for _, s := range r.Grams {
		r.GramsIDF += s.Boost * s.IDF
	}
	for id, d := range m {
		h := Hit{ID: id, Words: words[id], Grams: grams[id], Marked: marked(d, q)}
		if r.WordsIDF > 0 {
			h.Score += h.Words / r.WordsIDF
		}
		if r.GramsIDF > 0 {
			h.Score += h.Grams / r.GramsIDF
		}
		labelsOnly := len(q.Words)+len(q.Grams) == 0 && len(q.Labels)+len(q.AnyLabels) > 0
		if passes(d, q) && (labelsOnly || h.Score > 0) {
			r.Hits = append(r.Hits, h)
		}
	}
	r.Matched = len(r.Hits)
	slices.SortFunc(r.Hits, func(a, b Hit) int {
		// The order of sums differs here, so nearly equal is equal.
		if math.Abs(a.Score-b.Score) > 1e-12 {
			return cmp.Compare(b.Score, a.Score)
		}
		return cmp.Compare(a.ID, b.ID)
	})
	if q.Limit > 0 && len(r.Hits) > q.Limit {
		r.Hits = r.Hits[:q.Limit]
	}
	return r
}

func marked(d Document, q Query) bool {
	return slices.ContainsFunc(q.Words, func(t Term) bool {
		return t.Mark && slices.ContainsFunc(d.Words, func(w string) bool {
			return w == t.Text || t.Prefix && strings.HasPrefix(w, t.Text)
		})
	})
}

func asTerms1(texts []string) []Term {
	var terms []Term
	for _, t := range texts {
		terms = append(terms, Term{Text: t, Boost: 1})
	}
	return terms
}

func passes(d Document, q Query) bool {
	for _, l := range q.Labels {
		if !slices.Contains(d.Labels, l) {
			return false
		}
	}
	return len(q.AnyLabels) == 0 || slices.ContainsFunc(q.AnyLabels, func(l string) bool {
		return slices.Contains(d.Labels, l)
	})
}

// sameResults says nothing when both are the same, scores within 1e-9.
func sameResults(got, want Result) string {
	return diff.Diff(want, got, cmpopts.EquateApprox(0, 1e-9), cmpopts.EquateEmpty())
}

// A small vocabulary, so that words repeat within and between documents.
var (
	vocabulary = []string{"python", "pythonic", "pyre", "go", "gopher", "tea", "coffee", "cat", "kernel", "fly", "pnpm", "über"}
	characters = []rune("代码部署喜欢猫茶")
	labels     = []string{"type:preference", "type:fact", "type:goal", "session:1", "session:2"}
)

func randomDocument(rng *rand.Rand, id string) Document {
	d := Document{ID: id}
	for range rng.IntN(9) {
		d.Words = append(d.Words, vocabulary[min(rng.IntN(len(vocabulary)), rng.IntN(len(vocabulary)))])
	}
	for i, last := 0, rune(0); i < rng.IntN(9); i++ {
		r := characters[rng.IntN(len(characters))]
		d.Grams = append(d.Grams, string(r))
		if last != 0 {
			d.Grams = append(d.Grams, string([]rune{last, r}))
		}
		last = r
	}
	for _, l := range labels {
		if rng.IntN(3) == 0 {
			d.Labels = append(d.Labels, l)
		}
	}
	return d
}

// randomBatch is a batch without an id both put and deleted or put twice.
func randomBatch(rng *rand.Rand, ids int) Batch {
	var b Batch
	for _, i := range rng.Perm(ids)[:1+rng.IntN(6)] {
		id := fmt.Sprintf("doc-%02d", i)
		if rng.IntN(4) == 0 {
			b.Delete = append(b.Delete, id)
		} else {
			b.Put = append(b.Put, randomDocument(rng, id))
		}
	}
	return b
}

func randomQuery(rng *rand.Rand) Query {
	q := Query{Limit: rng.IntN(4) * 5}
	for _, i := range rng.Perm(len(vocabulary))[:rng.IntN(5)] {
		t := Term{Text: vocabulary[i], Boost: 1 + float64(rng.IntN(3))/2, Mark: rng.IntN(2) == 0}
		if rng.IntN(3) == 0 {
			t.Text, t.Prefix = t.Text[:1+rng.IntN(len(t.Text)-1)], true
		}
		if slices.ContainsFunc(q.Words, func(o Term) bool { return o.Text == t.Text }) {
			continue // the model does not merge terms
		}
		q.Words = append(q.Words, t)
	}
	for _, i := range rng.Perm(len(characters))[:rng.IntN(4)] {
		q.Grams = append(q.Grams, string(characters[i]))
		if rng.IntN(2) == 0 {
			q.Grams = append(q.Grams, string([]rune{characters[i], characters[(i+1)%len(characters)]}))
		}
	}
	for _, l := range labels {
		switch rng.IntN(8) {
		case 0:
			q.Labels = append(q.Labels, l)
		case 1:
			q.AnyLabels = append(q.AnyLabels, l)
		}
	}
	return q
}

// agree compares everything the index can tell with the model.
func agree(tb testing.TB, ix *Index, m model, rng *rand.Rand, queries int) {
	tb.Helper()
	if problem := disagreement(ix, m, rng, queries); problem != "" {
		tb.Fatal(problem)
	}
}

func disagreement(ix *Index, m model, rng *rand.Rand, queries int) string {
	ids, err := ix.IDs(context.Background())
	if err != nil {
		return err.Error()
	}
	if d := diff.Diff(m.ids(), ids, cmpopts.EquateEmpty()); d != "" {
		return "ids: " + d
	}
	n, err := ix.Count()
	if err != nil || n != uint64(len(m)) {
		return fmt.Sprintf("count %d, %v; want %d", n, err, len(m))
	}
	for range queries {
		q := randomQuery(rng)
		got, err := ix.Search(context.Background(), q)
		if err != nil {
			return err.Error()
		}
		if d := sameResults(got, m.search(q)); d != "" {
			return fmt.Sprintf("query %+v: %s", q, d)
		}
	}
	return ""
}
