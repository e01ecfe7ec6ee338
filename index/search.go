package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Query says what to find. A document is found when it holds any of the words
// or grams and passes the filter. A query of labels alone finds every document
// that passes; one without anything finds nothing.
type Query struct {
	// Words are folded like the documents' words. One named twice counts once,
	// with its higher boost, and marks when one of the two does.
	Words []Term
	// Grams count once each.
	Grams []string
	// Labels must all be on the document.
	Labels []string
	// AnyLabels, when there are any: at least one must be on the document.
	AnyLabels []string
	// Keep, when there is one, is asked about the ID of each document found; the
	// others do not count. It must not call the index.
	Keep func(id string) bool
	// Limit is the highest number of hits; 0 or less is no limit.
	Limit int
}

// Term is one word of a query.
type Term struct {
	Text string
	// Prefix also finds longer words that begin with Text. The words found
	// (the first MaxExpansions in byte order) are scored as if they were one
	// word: their frequencies in a document add up, and a document counts once
	// in the document frequency. So a prefix has one idf, like any word.
	Prefix bool
	// Boost multiplies score and idf; 0 or less means 1.
	Boost float64
	// Mark has the hits that hold this term say so, see Hit.Marked.
	Mark bool
}

// MaxExpansions bounds the words that one prefix stands for.
const MaxExpansions = 64

// Result is what a search found, and the figures its scores are made of.
type Result struct {
	// Hits are the best documents, highest Score first, ties by ID in byte
	// order.
	Hits []Hit
	// Matched counts the documents found, before Limit.
	Matched int
	// Documents is the N of the idf: all documents in the index.
	Documents uint64
	// Words and Grams describe the query's distinct terms, in its order.
	Words, Grams []TermStat
	// WordsIDF and GramsIDF are Σ boost · idf over them, words that no document
	// holds included: the score that a full match tends to (spec R3a).
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

// Search finds documents in the state that the last Apply left. All figures
// are exact over the documents that are there now: deleted and replaced ones
// do not count, merged into one segment or not.
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

	m, ok, err := s.marker()
	if err != nil {
		return Result{}, fmt.Errorf("searching: %w", err)
	}
	if !ok {
		m = marker{}
	}
	c := newCollector(s)
	defer c.free()
	if r, err = c.collect(ctx, q, m); err != nil {
		return Result{}, fmt.Errorf("searching: %w", err)
	}
	return r, nil
}

func (c *collector) collect(ctx context.Context, q Query, m marker) (r Result, err error) {
	r.Documents = m.documents
	if err := c.filter(ctx, q.Labels, q.AnyLabels); err != nil {
		return r, err
	}
	words, grams := distinct(q.Words), distinct(asTerms(q.Grams))
	if r.Words, err = c.score(ctx, words, wordScore, m); err != nil {
		return r, err
	}
	if r.Grams, err = c.score(ctx, grams, gramScore, m); err != nil {
		return r, err
	}
	r.WordsIDF, r.GramsIDF = sumIDF(r.Words), sumIDF(r.Grams)

	labelsOnly := len(words)+len(grams) == 0 && (c.required > 0 || c.wantsAny)
	candidates := c.candidates(labelsOnly, r.WordsIDF, r.GramsIDF)
	if candidates, err = c.kept(ctx, candidates, q.Keep); err != nil {
		return r, err
	}
	r.Matched = len(candidates)
	r.Hits, err = c.best(ctx, candidates, q.Limit)
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

// distinct merges terms that are the same, and drops empty ones.
func distinct(terms []Term) []Term {
	type key struct {
		text   string
		prefix bool
	}
	at := make(map[key]int, len(terms))
	out := make([]Term, 0, len(terms))
	for _, t := range terms {
		if t.Text == "" {
			continue
		}
		if t.Boost <= 0 {
			t.Boost = 1
		}
		k := key{t.Text, t.Prefix}
		if i, ok := at[k]; ok {
			out[i].Boost = max(out[i].Boost, t.Boost)
			out[i].Mark = out[i].Mark || t.Mark
			continue
		}
		at[k] = len(out)
		out = append(out, t)
	}
	return out
}

// candidate is a document found, by its number.
type candidate struct {
	number uint32
	score  float64
}

// candidates gives the documents that pass the filter and, unless the query
// was of labels alone, hold a term.
func (c *collector) candidates(labelsOnly bool, wordsIDF, gramsIDF float64) []candidate {
	c.found = c.found[:0]
	for n := range uint32(c.documents) {
		w, g := c.scores[wordScore][n], c.scores[gramScore][n]
		if (labelsOnly || w+g > 0) && c.passes(n) {
			c.found = append(c.found, candidate{number: n, score: share(w, wordsIDF) + share(g, gramsIDF)})
		}
	}
	return c.found
}

// kept leaves the candidates that keep wants.
func (c *collector) kept(ctx context.Context, candidates []candidate, keep func(string) bool) ([]candidate, error) {
	if keep == nil {
		return candidates, nil
	}
	out := candidates[:0]
	for i, found := range candidates {
		if i%1024 == 1023 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		id, err := c.knownID(found.number)
		if err != nil {
			return nil, err
		}
		if keep(id) {
			out = append(out, found)
		}
	}
	return out, nil
}

func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// best sorts the candidates and gives the first limit. Numbers change with every
// merge, so they never decide: ids are loaded, and ordered by, also where equal
// scores lie on both sides of the limit.
func (c *collector) best(ctx context.Context, candidates []candidate, limit int) ([]Hit, error) {
	if limit > 0 && len(candidates) > limit {
		floor := nthHighest(candidates, limit)
		candidates = slices.DeleteFunc(candidates, func(c candidate) bool { return c.score < floor })
	}
	// Numbers and scores alone are sorted in half the time of hits.
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
		for j < len(hits) && hits[j].Score == hits[i].Score {
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

// nthHighest gives the n-th highest score, 1 ≤ n ≤ len(candidates), with a
// min-heap of n scores.
func nthHighest(candidates []candidate, n int) float64 {
	heap := make([]float64, 0, n)
	down := func(i int) {
		for {
			child := 2*i + 1
			if child >= len(heap) {
				return
			}
			if child+1 < len(heap) && heap[child+1] < heap[child] {
				child++
			}
			if heap[i] <= heap[child] {
				return
			}
			heap[i], heap[child] = heap[child], heap[i]
			i = child
		}
	}
	for _, f := range candidates {
		switch {
		case len(heap) < n:
			heap = append(heap, f.score)
			if len(heap) == n {
				for i := n/2 - 1; i >= 0; i-- {
					down(i)
				}
			}
		case f.score > heap[0]:
			heap[0] = f.score
			down(0)
		}
	}
	return heap[0]
}
