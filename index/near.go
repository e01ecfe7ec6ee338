package index

import (
	"context"
	"fmt"
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
// five letters, and for a word that a document has.
func (ix *Index) Near(ctx context.Context, word string) (near []string, err error) {
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
	if near, err = c.near(ctx, word, length); err != nil {
		return nil, fmt.Errorf("looking for words like another: %w", err)
	}
	return near, nil
}

func (c *collector) near(ctx context.Context, word string, length int) (out []string, err error) {
	m, _ := c.marker()
	f, err := c.scoring(wordScore, m)
	if err != nil {
		return nil, err
	}
	if held, err := c.held(f, word); held || err != nil {
		return nil, err
	}
	most := 1
	if length >= nearerLength {
		most = 2
	}
	_, size := utf8.DecodeRuneInString(word)
	from := word[:size]
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
			if n := utf8.RuneCountInString(term); n < length-most || n > length+most || text.Distance(word, term) > most {
				continue
			}
			if held, err := c.held(f, term); err != nil {
				return nil, err
			} else if held {
				out = append(out, term)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// held reports whether a live document has a word.
func (c *collector) held(f scoring, word string) (bool, error) {
	lists, err := c.postings(f.field, f.repeats, word)
	if err != nil {
		return false, err
	}
	for i, p := range f.parts {
		if c.live(p.part, lists[i]) > 0 {
			return true, nil
		}
	}
	return false, nil
}
