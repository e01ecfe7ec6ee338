package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Query describes a search. A document matches if it holds any of the words or grams
// and passes the filter. A query with only labels matches every document that passes;
// an empty query matches none.
type Query struct {
	// Words are folded like the documents' words. Duplicates count once, with the
	// higher boost, and mark if either does.
	Words []Term
	// Grams count once each.
	Grams []string
	// Labels must all be on the document.
	Labels []string
	// AnyLabels, if not empty: at least one must be on the document.
	AnyLabels []string
	// LabelBoost multiplies the scores of documents with a label. Several labels
	// multiply.
	LabelBoost map[string]float64
	// Keep, if not nil, filters the documents found by ID. Rejected ones do not count.
	// It must not call the index.
	Keep func(id string) bool
	// Limit is the maximum number of hits; 0 or less means no limit.
	Limit int
}

// Term is one word of a query.
type Term struct {
	Text string
	// Prefix also matches longer words that begin with Text. The matches (the first
	// MaxExpansions in byte order) are scored as one word: their frequencies in a
	// document add up, and a document counts once in the document frequency. So a
	// prefix has one idf, like any word.
	Prefix bool
	// Boost multiplies score and idf; 0 or less means 1.
	Boost float64
	// Mark sets Hit.Marked on the hits that hold this term.
	Mark bool
}

// MaxExpansions bounds the words that one prefix matches.
const MaxExpansions = 64

// Result is the result of a search, with the figures of its scores.
type Result struct {
	// Hits are the best documents, highest Score first, ties by ID in byte
	// order.
	Hits []Hit
	// Matched counts the documents found, before Limit.
	Matched int
	// Documents is the N of the idf: the number of documents in the index.
	Documents uint64
	// Words and Grams describe the query's distinct terms, in its order.
	Words, Grams []TermStat
	// WordsIDF and GramsIDF are Σ boost · idf over Words and Grams, including words in
	// no document: the limit of a full match's score (spec R3a).
	WordsIDF, GramsIDF float64
}

// TermStat describes one term of the query.
type TermStat struct {
	Text         string
	Boost        float64
	DocFrequency uint64 // documents that hold it, before filters
	IDF          float64
}

// Hit is one document found.
type Hit struct {
	ID string
	// Words and Grams are the BM25 scores of the two fields, from 0 to
	// WordsIDF and GramsIDF.
	Words, Grams float64
	// Score orders the hits: Words/WordsIDF + Grams/GramsIDF, from 0 to 2.
	Score float64
	// Marked says that the document holds a term with Term.Mark.
	Marked bool
}

// Search finds documents in the state after the last Apply. All figures are exact over
// the live documents: deleted and replaced ones do not count, whether merged or not.
func (ix *Index) Search(ctx context.Context, q Query) (r Result, err error) {
	defer guard(ix.logger, &err)()
	release, err := ix.hold()
	if err != nil {
		return Result{}, err
	}
	defer release()
	s, err := ix.snapshot()
	if err != nil {
		return Result{}, err
	}
	defer s.release()

	c := newCollector(s)
	defer c.free()
	if r, err = c.collect(ctx, q); err != nil {
		return Result{}, fmt.Errorf("searching: %w", err)
	}
	return r, nil
}

func (c *collector) collect(ctx context.Context, q Query) (r Result, err error) {
	m, _ := c.marker()
	r.Documents = m.documents
	if err := c.filter(ctx, q.Labels, q.AnyLabels); err != nil {
		return r, err
	}
	words, grams := c.distinct(q.Words), c.distinct(asTerms(q.Grams))
	if r.Words, err = c.score(ctx, words, wordScore, m); err != nil {
		return r, err
	}
	if r.Grams, err = c.score(ctx, grams, gramScore, m); err != nil {
		return r, err
	}
	r.WordsIDF, r.GramsIDF = sumIDF(r.Words), sumIDF(r.Grams)
	if err := c.boost(ctx, q.LabelBoost); err != nil {
		return r, err
	}

	labelsOnly := len(words)+len(grams) == 0 && (c.required > 0 || c.wantsAny)
	limit := q.Limit
	if q.Keep != nil { // rejected documents make room for others
		limit = 0
	}
	r.Matched = c.candidates(labelsOnly, r.WordsIDF, r.GramsIDF, limit)
	if q.Keep != nil {
		if r.Matched, err = c.keep(ctx, q.Keep); err != nil {
			return r, err
		}
	}
	r.Hits, err = c.best(ctx, q.Limit)
	return r, err
}

func sumIDF(stats []TermStat) float64 {
	var sum float64
	for _, t := range stats {
		sum += t.Boost * t.IDF
	}
	return sum
}

func asTerms(texts []string) []Term {
	terms := make([]Term, len(texts))
	for i, t := range texts {
		terms[i].Text = t
	}
	return terms
}

// distinct merges equal terms and drops empty ones.
func (c *collector) distinct(terms []Term) []Term {
	clear(c.seen)
	out := make([]Term, 0, len(terms))
	for _, t := range terms {
		if t.Text == "" {
			continue
		}
		if t.Boost <= 0 {
			t.Boost = 1
		}
		k := seenTerm{t.Text, t.Prefix}
		if i, ok := c.seen[k]; ok {
			out[i].Boost = max(out[i].Boost, t.Boost)
			out[i].Mark = out[i].Mark || t.Mark
			continue
		}
		c.seen[k] = len(out)
		out = append(out, t)
	}
	return out
}

type seenTerm struct {
	text   string
	prefix bool
}

// candidate is a document found, by its number.
type candidate struct {
	number uint32
	score  float64
}

// candidates finds the documents that pass the filter and hold a term, or all that pass
// for a query of only labels. It counts them, and keeps in c.found those that can be
// among the first limit, including ties at the cutoff.
func (c *collector) candidates(labelsOnly bool, wordsIDF, gramsIDF float64, limit int) (matched int) {
	c.found = c.found[:0]
	ofWords, ofGrams := inverse(wordsIDF), inverse(gramsIDF)
	words := c.scores[wordScore][:c.documents]
	grams := c.scores[gramScore][:len(words)]
	if c.gone > 0 { // deleted documents were scored too
		c.eachDeleted(func(n uint32) { words[n], grams[n] = 0, 0 })
	}
	least := highest{n: limit, heap: c.heap[:0]}
	take := func(n int, score float64) {
		least.admit(score)
		c.found = append(c.found, candidate{number: uint32(n), score: score})
	}
	if labelsOnly || c.required > 0 || c.wantsAny {
		for n, w := range words {
			if w+grams[n] <= 0 && !labelsOnly || !c.passes(uint32(n)) {
				continue
			}
			matched++
			if score := w*ofWords + grams[n]*ofGrams; score >= least.score() {
				take(n, score)
			}
		}
	} else {
		bar := math.SmallestNonzeroFloat64
		for n, w := range words {
			score := w*ofWords + grams[n]*ofGrams
			// Matches are unpredictable for the processor, so this must not become a
			// branch. Nearly all scores are below the bar.
			match := 0
			if score > 0 {
				match = 1
			}
			matched += match
			if score >= bar {
				take(n, score)
				bar = max(bar, least.score())
			}
		}
	}
	c.found = slices.DeleteFunc(c.found, func(f candidate) bool { return f.score < least.score() })
	c.heap = least.heap
	return matched
}

// keep filters the candidates with wanted and counts the rest.
func (c *collector) keep(ctx context.Context, wanted func(string) bool) (int, error) {
	out := c.found[:0]
	for i, found := range c.found {
		if i%1024 == 1023 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		id, err := c.knownID(found.number)
		if err != nil {
			return 0, err
		}
		if wanted(id) {
			out = append(out, found)
		}
	}
	c.found = out
	return len(out), nil
}

func inverse(whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return 1 / whole
}

// tie is the maximum difference of equal scores: sums of the same numbers, added in an
// order that depends on the segmentation.
const tie = 1e-12

// best returns the first limit of the candidates, sorted. Document numbers change with
// every merge, so they never decide: equal scores are ordered by id, also across the
// limit.
func (c *collector) best(ctx context.Context, limit int) ([]Hit, error) {
	candidates := c.found
	// Sorting only numbers and scores takes half the time of sorting hits.
	slices.SortFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	hits := make([]Hit, len(candidates))
	for i, found := range candidates {
		if i%1024 == 1023 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		id, err := c.knownID(found.number)
		if err != nil {
			return nil, err
		}
		n := found.number
		hits[i] = Hit{
			ID: id, Words: c.scores[wordScore][n], Grams: c.scores[gramScore][n], Score: found.score, Marked: c.marked[n],
		}
	}
	for i := 0; i < len(hits); {
		j := i + 1
		for j < len(hits) && hits[i].Score-hits[j].Score <= tie {
			j++
		}
		slices.SortFunc(hits[i:j], func(a, b Hit) int { return cmp.Compare(a.ID, b.ID) })
		i = j
	}
	if limit > 0 && len(hits) > limit {
		hits = hits[:limit]
	}
	return hits, nil
}

// highest keeps the n highest scores in a min-heap. n = 0 or less means no limit.
type highest struct {
	n    int
	heap []float64
}

// score returns the n-th highest score so far, the cutoff for others, or 0 while there
// are fewer.
func (h *highest) score() float64 {
	if h.n > 0 && len(h.heap) == h.n {
		return h.heap[0] - tie
	}
	return 0
}

// admit adds a score that is not below the n-th highest.
func (h *highest) admit(score float64) {
	switch {
	case h.n <= 0:
	case len(h.heap) < h.n:
		if h.heap = append(h.heap, score); len(h.heap) == h.n {
			slices.Sort(h.heap) // a sorted slice is a heap
		}
	case score > h.heap[0]:
		h.heap[0] = score
		h.sink()
	}
}

func (h *highest) sink() {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h.heap) {
			return
		}
		if child+1 < len(h.heap) && h.heap[child+1] < h.heap[child] {
			child++
		}
		if h.heap[i] <= h.heap[child] {
			return
		}
		h.heap[i], h.heap[child] = h.heap[child], h.heap[i]
		i = child
	}
}
