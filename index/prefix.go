package index

import (
	"fmt"
	"slices"
)

// scorePrefix scores the words that begin with a term's text as one term, and returns
// its document frequency.
func (c *collector) scorePrefix(t Term, f scoring) (uint64, error) {
	words, err := c.expand(f, t.Text)
	if err != nil {
		return 0, err
	}
	c.prefixed = c.prefixed[:0]
	lists := make([][]*postings, len(words))
	for i, w := range words {
		if lists[i], err = c.postings(f.field, f.repeats, w); err != nil {
			return 0, err
		}
	}
	for i, p := range f.parts {
		count := func(place, tf uint32) {
			n := p.offset + place
			if c.deletedBit(n) != 0 {
				return
			}
			if c.tf[n] == 0 {
				c.prefixed = append(c.prefixed, prefixed{n, p.lengths[place]})
			}
			c.tf[n] += tf
		}
		for _, of := range lists {
			for _, place := range of[i].once {
				count(place, 1)
			}
			for _, r := range of[i].more {
				count(r.place, r.tf)
			}
		}
	}
	df := uint64(len(c.prefixed))
	weight := t.Boost * idf(df, f.documents)
	for _, d := range c.prefixed {
		c.scores[f.cell][d.number] += weight * saturation(c.tf[d.number], d.length, f.mean)
		c.marked[d.number] = c.marked[d.number] || t.Mark
		c.tf[d.number] = 0
	}
	return df, nil
}

// expand returns the first MaxExpansions words, in byte order, that begin with prefix
// and occur in a live document.
func (c *collector) expand(f scoring, prefix string) ([]string, error) {
	var words []string
	for i, p := range f.parts {
		dict, err := c.dictionary(p.part, f.field)
		if err != nil {
			return nil, err
		}
		it := dict.Iterator(nil, []byte(prefix), prefixEnd(prefix))
		for found := 0; found < MaxExpansions; {
			entry, err := it.Next()
			if err != nil {
				return nil, fmt.Errorf("reading words: %w", err)
			}
			if entry == nil {
				break
			}
			// Words of deleted documents stay until the segment is merged.
			lists, err := c.postings(f.field, f.repeats, entry.Term())
			if err != nil {
				return nil, err
			}
			if c.live(p.part, lists[i]) > 0 {
				words = append(words, entry.Term())
				found++
			}
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), MaxExpansions)], nil
}

// prefixEnd returns the first string, in byte order, after all that begin with prefix,
// or nil if there is none.
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
