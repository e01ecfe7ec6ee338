package index

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// BM25's parameters (spec R3): k1 bounds the gain from repeats, b is the penalty of
// long fields.
const (
	k1 = 1.2
	b  = 0.75
)

// idf is BM25's inverse document frequency, ln(1 + (N − df + 0.5)/(df + 0.5)): 0.05 for
// a word in 95 of 100 documents, 4.2 for a word in one.
func idf(df, n uint64) float64 {
	return math.Log1p((float64(n) - float64(df) + 0.5) / (float64(df) + 0.5))
}

// saturation is BM25's frequency part without the factor k1 + 1 (spec R3a),
// tf/(tf + k1·(1 − b + b·length/mean)), below 1: in a field of mean length
// 0.45 for one occurrence, 0.81 for five.
func saturation(tf, length uint32, mean float64) float64 {
	f := float64(tf)
	return f / (f + k1*(1-b+b*float64(length)/mean))
}

// scoring holds the parameters shared by all terms of one field: words or grams.
type scoring struct {
	field, repeats string // the index fields of all terms, and of terms that occur repeatedly in a document
	cell           int    // wordScore or gramScore: the index into collector.scores
	documents      uint64
	mean           float64 // length of the field
	parts          []fieldPart
	once           *[shortField]float64 // saturation of one occurrence, by length
}

// shortField bounds scoring.once. For longer fields the saturation is computed each
// time.
const shortField = 256

// fieldPart is one segment with the length of the field in each of its documents, by place.
// A place is a document's number within its segment; a part's offset plus a place is its
// number in the snapshot.
type fieldPart struct {
	part
	lengths []uint32
}

// scoring returns the parameters of the field of a cell, and loads the field's lengths.
func (c *collector) scoring(cell int, m marker) (scoring, error) {
	f := scoring{field: fieldWords, repeats: fieldWordRepeats, cell: cell, documents: m.documents}
	total := m.words
	if cell == gramScore {
		f.field, f.repeats, total = fieldGrams, fieldGramRepeats, m.grams
	}
	f.mean = float64(total) / float64(m.documents)
	f.once = &c.once[cell].by
	if c.once[cell].mean != f.mean {
		c.once[cell].mean = f.mean
		for length := range f.once {
			f.once[length] = saturation(1, uint32(length), f.mean)
		}
	}
	f.parts = c.fieldParts[:0]
	for i, p := range c.parts {
		if c.kept[i] == nil {
			kept, err := c.segment(p)
			if err != nil {
				return f, err
			}
			c.kept[i] = kept
		}
		lengths := c.kept[i].words
		if cell == gramScore {
			lengths = c.kept[i].grams
		}
		f.parts = append(f.parts, fieldPart{p, lengths})
	}
	c.fieldParts = f.parts
	return f, nil
}

// onceByLength caches the saturation of one occurrence. It stays valid until the index,
// and so the mean, changes.
type onceByLength struct {
	mean float64
	by   [shortField]float64
}

// The cells of collector.scores and collector.once.
const (
	wordScore = iota
	gramScore
)

// collector scores one search, term by term. Its arrays have an element for each document
// number of the snapshot: one pass over them costs less than recording thousands of
// touched documents. Later searches reuse the arrays through a pool.
type collector struct {
	*snapshot
	scores [2][]float64     // by wordScore, gramScore
	marked []bool           // the document has a term with Term.Mark
	labels []uint16         // number of the required labels that the document has
	any    []bool           // the document has one of Query.AnyLabels
	kept   []*cachedSegment // by part, loaded on demand

	required uint16 // number of required labels
	wantsAny bool   // AnyLabels applies

	once       [2]onceByLength  // by wordScore, gramScore
	fieldParts []fieldPart      // see scoring.parts
	seen       map[seenTerm]int // index of each term of the query, to merge duplicates
	heap       []float64        // see highest
	found      []candidate

	// prefixed has the documents of the prefix being scored, segment by segment. tf has
	// the prefix's frequency by document number; it is all zero between terms.
	prefixed []prefixed
	tf       []uint32
}

// prefixed is a document of a prefix.
type prefixed struct{ number, length uint32 }

var collectors = sync.Pool{New: func() any { return &collector{seen: map[seenTerm]int{}} }}

// newCollector returns a collector for a snapshot. The caller must free it.
func newCollector(s *snapshot) *collector {
	c := collectors.Get().(*collector)
	c.snapshot = s
	if c.documents > len(c.marked) {
		n := c.documents + c.documents/8
		c.scores = [2][]float64{make([]float64, n), make([]float64, n)}
		c.marked, c.labels, c.any, c.tf = make([]bool, n), make([]uint16, n), make([]bool, n), make([]uint32, n)
	}
	c.kept = slices.Grow(c.kept[:0], len(c.parts))[:len(c.parts)]
	return c
}

// free zeroes what the search used and returns c to the pool.
func (c *collector) free() {
	n := c.documents
	clear(c.scores[wordScore][:n])
	clear(c.scores[gramScore][:n])
	clear(c.marked[:n])
	if c.required > 0 {
		clear(c.labels[:n])
	}
	if c.wantsAny {
		clear(c.any[:n])
	}
	clear(c.kept)
	clear(c.seen)
	clear(c.fieldParts)
	c.snapshot, c.required, c.wantsAny = nil, 0, false
	collectors.Put(c)
}

// eachDeleted visits the deleted and replaced documents.
func (c *collector) eachDeleted(visit func(number uint32)) {
	for i, word := range c.deleted {
		for ; word != 0; word &= word - 1 {
			visit(uint32(64*i + bits.TrailingZeros64(word)))
		}
	}
}

// filter records which documents have the labels, for passes.
func (c *collector) filter(ctx context.Context, all, anyOf []string) error {
	all = slices.Compact(slices.Sorted(slices.Values(all)))
	if len(all) > math.MaxUint16 {
		return fmt.Errorf("%d labels are too many", len(all))
	}
	c.required, c.wantsAny = uint16(len(all)), len(anyOf) > 0
	for _, label := range all {
		if err := c.label(ctx, label, func(n uint32) { c.labels[n]++ }); err != nil {
			return err
		}
	}
	for _, label := range anyOf {
		if err := c.label(ctx, label, func(n uint32) { c.any[n] = true }); err != nil {
			return err
		}
	}
	return nil
}

// boost multiplies the scores of each label's documents by the label's factor.
func (c *collector) boost(ctx context.Context, labels map[string]float64) error {
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		by := labels[label]
		err := c.label(ctx, label, func(n uint32) {
			c.scores[wordScore][n] *= by
			c.scores[gramScore][n] *= by
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// label visits the documents that have a label.
func (c *collector) label(ctx context.Context, label string, visit func(number uint32)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	lists, err := c.postings(fieldLabels, "", label)
	if err != nil {
		return err
	}
	for i, p := range c.parts {
		for _, place := range lists[i].once {
			visit(p.offset + place)
		}
	}
	return nil
}

// passes reports whether a document is live and has all required labels and one of AnyLabels.
func (c *collector) passes(number uint32) bool {
	return c.deletedBit(number) == 0 &&
		(c.required == 0 || c.labels[number] == c.required) && (!c.wantsAny || c.any[number])
}

// score adds each term's contribution to its documents. Terms are added in the query's
// order, so that equal documents get bit-identical sums.
func (c *collector) score(ctx context.Context, terms []Term, cell int, m marker) ([]TermStat, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	f, err := c.scoring(cell, m)
	if err != nil {
		return nil, err
	}
	stats := make([]TermStat, len(terms))
	for i, t := range terms {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var df uint64
		if t.Prefix {
			df, err = c.scorePrefix(t, f)
		} else {
			df, err = c.scoreTerm(t, f)
		}
		if err != nil {
			return nil, err
		}
		stats[i] = TermStat{Text: t.Text, Boost: t.Boost, DocFrequency: df, IDF: idf(df, f.documents)}
	}
	return stats, nil
}

// scoreTerm scores a term and returns its document frequency. It also scores deleted
// documents, which costs less than checking each; candidates drops them.
func (c *collector) scoreTerm(t Term, f scoring) (df uint64, err error) {
	lists, err := c.postings(f.field, f.repeats, t.Text)
	if err != nil {
		return 0, err
	}
	for i, p := range f.parts {
		df += c.live(p.part, lists[i])
	}
	weight := t.Boost * idf(df, f.documents)
	for i, p := range f.parts {
		scores := c.scores[f.cell][p.offset:]
		for _, place := range lists[i].once {
			if length := p.lengths[place]; length < shortField {
				scores[place] += weight * f.once[length]
			} else {
				scores[place] += weight * saturation(1, length, f.mean)
			}
		}
		for _, r := range lists[i].more {
			scores[r.place] += weight * saturation(r.tf, p.lengths[r.place], f.mean)
		}
	}
	if t.Mark {
		c.mark(f, lists)
	}
	return df, nil
}

// mark marks the documents in lists.
func (c *collector) mark(f scoring, lists []*postings) {
	for i, p := range f.parts {
		for _, place := range lists[i].once {
			c.marked[p.offset+place] = true
		}
		for _, r := range lists[i].more {
			c.marked[p.offset+r.place] = true
		}
	}
}

// live counts the live documents among postings.
func (c *collector) live(p part, l *postings) uint64 {
	n := uint64(len(l.once) + len(l.more))
	if n == 0 || p.deleted == nil {
		return n
	}
	if few := p.deleted.GetCardinality(); 8*few < n { // typical: a batch deletes the previous marker document
		for it := p.deleted.Iterator(); it.HasNext(); {
			if l.holds(it.Next()) {
				n--
			}
		}
		return n
	}
	for _, place := range l.once {
		n -= c.deletedBit(p.offset + place)
	}
	for _, r := range l.more {
		n -= c.deletedBit(p.offset + r.place)
	}
	return n
}
