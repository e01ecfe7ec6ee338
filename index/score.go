package index

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	segment "github.com/blugelabs/bluge_segment_api"
)

// BM25's parameters (spec R3): k1 bounds what repeats add, b is how far long
// fields are held back.
const (
	k1 = 1.2
	b  = 0.75
)

// idf is BM25's inverse document frequency, ln(1 + (N − df + 0.5)/(df + 0.5)):
// 0.05 for a word in 95 of 100 documents, 4.2 for a word in one.
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

// scoring is what the terms of one field have in common.
type scoring struct {
	field, repeats string
	cell           int    // wordScore or gramScore
	documents      uint64 // all
	total          uint64 // sum of their lengths
	length         func(lengths) uint32
}

func wordScoring(m marker) scoring {
	return scoring{
		field: fieldWords, repeats: fieldWordRepeats, cell: wordScore,
		documents: m.documents, total: m.words,
		length: func(l lengths) uint32 { return l.words },
	}
}

func gramScoring(m marker) scoring {
	return scoring{
		field: fieldGrams, repeats: fieldGramRepeats, cell: gramScore,
		documents: m.documents, total: m.grams,
		length: func(l lengths) uint32 { return l.grams },
	}
}

// cell gathers what is known of one document.
type cell struct {
	score   [2]float64 // by wordScore, gramScore
	tf      uint32     // of the term being scored
	length  uint32     // of the field being scored
	labels  uint16     // of Query.Labels, how many it has
	any     bool       // it has one of Query.AnyLabels
	touched bool
}

const (
	wordScore = iota
	gramScore
)

// collector scores one search, term after term. Its cells stand under the
// documents' numbers and are used again by later searches, so that a search
// costs by what it touches.
type collector struct {
	*snapshot
	cells    []cell
	touched  []uint32
	found    []candidate
	term     []uint32 // documents of the term being scored
	required uint16   // labels that must be there
	any      bool     // AnyLabels counts

	buffer   []uint32
	list     segment.PostingsList     // used again for each term
	iterator segment.PostingsIterator // likewise
}

var collectors = sync.Pool{New: func() any { return &collector{buffer: make([]uint32, 256)} }}

func newCollector(s *snapshot) *collector {
	c := collectors.Get().(*collector)
	c.snapshot = s
	return c
}

func (c *collector) free() {
	for _, n := range c.touched {
		c.cells[n] = cell{}
	}
	*c = collector{
		cells: c.cells, touched: c.touched[:0], found: c.found[:0], term: c.term[:0], buffer: c.buffer,
	}
	collectors.Put(c)
}

func (c *collector) at(number uint32) *cell {
	if int(number) >= len(c.cells) {
		c.cells = slices.Grow(c.cells, int(number)+1-len(c.cells))
		c.cells = c.cells[:cap(c.cells)]
	}
	e := &c.cells[number]
	if !e.touched {
		e.touched = true
		c.touched = append(c.touched, number)
	}
	return e
}

// open gives an iterator over the live documents of p that hold term, good
// until the next call; frequencies make it slower.
func (c *collector) open(p part, dict segment.Dictionary, term string, frequencies bool) (segment.PostingsIterator, error) {
	var err error
	if c.list, err = p.list(dict, term, c.list); err != nil {
		return nil, err
	}
	if c.iterator, err = c.list.Iterator(frequencies, false, false, c.iterator); err != nil {
		return nil, fmt.Errorf("reading postings: %w", err)
	}
	return c.iterator, nil
}

// each visits the places in p of the live documents that hold term, and counts
// them.
func (c *collector) each(p part, dict segment.Dictionary, term string, visit func(place uint32)) (int, error) {
	it, err := c.open(p, dict, term, false)
	if err != nil {
		return 0, err
	}
	bitmap, err := places(it)
	if err != nil || bitmap == nil {
		return 0, err
	}
	count, many := 0, bitmap.ManyIterator()
	for n := many.NextMany(c.buffer); n > 0; n = many.NextMany(c.buffer) {
		for _, place := range c.buffer[:n] {
			visit(place)
		}
		count += n
	}
	return count, nil
}

// eachFrequency visits the documents in p that hold term, with its frequency.
func (c *collector) eachFrequency(p part, dict segment.Dictionary, term string, visit func(place uint32, tf int)) error {
	it, err := c.open(p, dict, term, true)
	if err != nil {
		return err
	}
	for {
		posting, err := it.Next()
		if err != nil {
			return fmt.Errorf("reading frequencies: %w", err)
		}
		if posting == nil {
			return nil
		}
		visit(uint32(posting.Number()), posting.Frequency())
	}
}

// filter marks the documents that have the labels.
func (c *collector) filter(ctx context.Context, all, anyOf []string) error {
	all = slices.Compact(slices.Sorted(slices.Values(all)))
	if len(all) > math.MaxUint16 {
		return fmt.Errorf("%d labels are too many", len(all))
	}
	c.required, c.any = uint16(len(all)), len(anyOf) > 0
	if len(all)+len(anyOf) == 0 {
		return nil
	}
	for _, p := range c.parts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		dict, err := p.Dictionary(fieldLabels)
		if err != nil {
			return fmt.Errorf("reading labels: %w", err)
		}
		for _, label := range all {
			if _, err := c.each(p, dict, label, func(n uint32) { c.at(p.offset+n).labels++ }); err != nil {
				return err
			}
		}
		for _, label := range anyOf {
			if _, err := c.each(p, dict, label, func(n uint32) { c.at(p.offset + n).any = true }); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *collector) passes(e *cell) bool {
	return e.labels == c.required && e.any == c.any
}

// fieldPart is one field of one segment, made ready for many terms.
type fieldPart struct {
	part
	words, repeats segment.Dictionary
	lengths        []lengths
}

func (c *collector) prepare(f scoring) ([]fieldPart, error) {
	out := make([]fieldPart, len(c.parts))
	for i, p := range c.parts {
		out[i].part = p
		var err error
		if out[i].words, err = p.Dictionary(f.field); err != nil {
			return nil, fmt.Errorf("reading words: %w", err)
		}
		if out[i].repeats, err = p.Dictionary(f.repeats); err != nil {
			return nil, fmt.Errorf("reading words: %w", err)
		}
		if out[i].lengths, err = c.lengths(p); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// score adds each term's part to the documents that hold it. Terms come in the
// query's order, so that documents alike get sums alike to the last bit.
func (c *collector) score(ctx context.Context, terms []Term, f scoring) ([]TermStat, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	parts, err := c.prepare(f)
	if err != nil {
		return nil, err
	}
	stats := make([]TermStat, len(terms))
	for i, t := range terms {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		texts := []string{t.Text}
		if t.Prefix {
			if texts, err = c.expand(parts, t.Text); err != nil {
				return nil, err
			}
		}
		df, err := c.scoreTerm(parts, texts, t.Boost, f)
		if err != nil {
			return nil, err
		}
		stats[i] = TermStat{Text: t.Text, Boost: t.Boost, DocFrequency: df, IDF: idf(df, f.documents)}
	}
	return stats, nil
}

// scoreTerm scores texts as one term and gives its document frequency.
func (c *collector) scoreTerm(parts []fieldPart, texts []string, boost float64, f scoring) (uint64, error) {
	c.term = c.term[:0]
	for _, text := range texts {
		for _, p := range parts {
			if err := c.count(p, text, f); err != nil {
				return 0, err
			}
		}
	}
	df := uint64(len(c.term))
	weight, mean := boost*idf(df, f.documents), float64(f.total)/float64(f.documents)
	for _, n := range c.term {
		e := &c.cells[n]
		e.score[f.cell] += weight * saturation(e.tf, e.length, mean)
		e.tf = 0
	}
	return df, nil
}

// count adds the frequencies of text in one segment to its documents' cells.
func (c *collector) count(p fieldPart, text string, f scoring) error {
	n, err := c.each(p.part, p.words, text, func(place uint32) {
		e := c.at(p.offset + place)
		if e.tf == 0 {
			c.term = append(c.term, p.offset+place)
			e.length = f.length(p.lengths[place])
		}
		e.tf++
	})
	if err != nil || n == 0 {
		return err
	}
	return c.eachFrequency(p.part, p.repeats, text, func(place uint32, tf int) {
		c.at(p.offset + place).tf += uint32(tf - 1)
	})
}

// expand gives the first MaxExpansions words, in byte order, that begin with
// prefix and stand in a live document.
func (c *collector) expand(parts []fieldPart, prefix string) ([]string, error) {
	var words []string
	for _, p := range parts {
		it := p.words.Iterator(nil, []byte(prefix), prefixEnd(prefix))
		for found := 0; found < MaxExpansions; {
			entry, err := it.Next()
			if err != nil {
				return nil, fmt.Errorf("reading words: %w", err)
			}
			if entry == nil {
				break
			}
			// Words of deleted documents stay until the segment is merged.
			if c.list, err = p.list(p.words, entry.Term(), c.list); err != nil {
				return nil, err
			}
			if c.list.Count() > 0 {
				words = append(words, entry.Term())
				found++
			}
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), MaxExpansions)], nil
}

// prefixEnd is the first string, in byte order, after all that begin with
// prefix; nil when there is none.
func prefixEnd(prefix string) []byte {
	end := []byte(prefix)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xff {
			end[i]++
			return end[:i+1]
		}
	}
	return nil
}
