package index

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf8"

	"memoria/index/text"
)

// Lengths of a word in letters from which one letter, or two, may differ from it.
const (
	nearLength   = 5
	nearerLength = 8
)

// Near returns the words of live documents that are spelt almost like word: penicilin for
// penicillin. They begin with the same letter, and differ in one letter (spec R3), or two if word has
// eight or more; neighbours that are swapped count as one. It returns nil for words shorter than
// five letters, and for a word that more than rare documents have.
func (ix *Index) Near(ctx context.Context, word string, rare int) (near []string, err error) {
	defer guard(ix.logger, &err)()
	length := utf8.RuneCountInString(word)
	if length < nearLength {
		return nil, nil
	}
	release, err := ix.hold()
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := ix.snapshot()
	if err != nil {
		return nil, err
	}
	defer s.release()
	c := newCollector(s)
	defer c.free()
	if near, err = c.near(ctx, word, length, rare); err != nil {
		return nil, fmt.Errorf("looking for words like another: %w", err)
	}
	return near, nil
}

func (c *collector) near(ctx context.Context, word string, length, rare int) (out []string, err error) {
	m, _ := c.marker()
	f, err := c.scoring(wordScore, m)
	if err != nil {
		return nil, err
	}
	if df, err := c.holders(f, word); df > uint64(max(rare, 0)) || err != nil {
		return nil, err
	}
	most := 1
	if length >= nearerLength {
		most = 2
	}
	_, size := utf8.DecodeRuneInString(word)
	from, letters := word[:size], lettersOf(word)
	for _, p := range f.parts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		dict, err := c.dictionary(p.part, f.field)
		if err != nil {
			return nil, err
		}
		it := dict.Iterator(nil, []byte(from), prefixEnd(from))
		for {
			entry, err := it.Next()
			if err != nil {
				return nil, fmt.Errorf("reading words: %w", err)
			}
			if entry == nil {
				break
			}
			term := entry.Term()
			if bits.OnesCount32(letters^lettersOf(term)) > 2*most || term == word || text.Distance(word, term) > most {
				continue
			}
			if df, err := c.holders(f, term); err != nil {
				return nil, err
			} else if df > 0 {
				out = append(out, term)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// lettersOf returns the set of bytes of a word, as far as 32 bits tell them apart. A letter that is
// replaced changes two of them, so the set rules out most words cheaply.
func lettersOf(word string) (set uint32) {
	for i := range len(word) {
		set |= 1 << (word[i] & 31)
	}
	return set
}

// holders returns the number of live documents that have a word.
func (c *collector) holders(f scoring, word string) (n uint64, err error) {
	lists, err := c.postings(f.field, f.repeats, word)
	if err != nil {
		return 0, err
	}
	for i, p := range f.parts {
		n += c.live(p.part, lists[i])
	}
	return n, nil
}
