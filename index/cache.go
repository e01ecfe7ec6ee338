package index

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	segment "github.com/blugelabs/bluge_segment_api"
)

// postingsBudget bounds the cache of decoded postings, in bytes. A message asks for a
// hundred terms and more, and the next query, or the same with one more letter, for
// nearly the same ones. Finding and decoding them costs ten times as much as scoring.
// All postings of 10,000 items take 3 MB.
const postingsBudget = 8 << 20

// segmentCache caches data read from segments. Segments never change, so nothing in it
// becomes stale.
type segmentCache struct {
	budget int // of postings, in bytes

	mu sync.Mutex
	// Merged segments are dropped when the next segment is added.
	segments map[uint64]*cachedSegment
	// Postings are kept in two generations. A lookup puts or moves them into the young
	// one. When that fills half of the budget, the old one is dropped.
	young, old map[termKey]termPostings
	size       int // of young
}

// cachedSegment caches per-document data of one segment, by place.
type cachedSegment struct {
	words, grams []uint32 // field lengths

	mu  sync.Mutex
	ids []string // by place; empty until requested
}

type termKey struct{ field, text string }

// termPostings are a term's postings in some segments.
type termPostings struct {
	view     uint64 // the view they were read for, which has these segments
	segments []uint64
	lists    []*postings
}

// postings are the places of the documents of one segment that hold a term,
// deleted ones included, in ascending order.
type postings struct {
	once []uint32 // documents with one occurrence, the majority
	more []repeated
}

type repeated struct{ place, tf uint32 }

// none is the posting list of a term absent from a segment.
var none postings

func (l *postings) holds(place uint32) bool {
	_, once := slices.BinarySearch(l.once, place)
	_, more := slices.BinarySearchFunc(l.more, place, func(r repeated, n uint32) int { return cmp.Compare(r.place, n) })
	return once || more
}

// bytes estimates the size of the postings, including their map entry.
func (t termPostings) bytes(k termKey) int {
	n := 160 + len(k.text) + 16*len(t.lists)
	for _, l := range t.lists {
		if l != &none {
			n += 48 + 4*cap(l.once) + 8*cap(l.more)
		}
	}
	return n
}

func (t termPostings) in(segment uint64) *postings {
	if i := slices.Index(t.segments, segment); i >= 0 {
		return t.lists[i]
	}
	return nil
}

func (c *segmentCache) get(k termKey) termPostings {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.young[k]
	if ok {
		return t
	}
	if t, ok = c.old[k]; ok {
		c.putLocked(k, t)
	}
	return t
}

func (c *segmentCache) put(k termKey, t termPostings) {
	k.text = strings.Clone(k.text) // it may be a substring of a long message
	c.mu.Lock()
	defer c.mu.Unlock()
	c.putLocked(k, t)
}

func (c *segmentCache) putLocked(k termKey, t termPostings) {
	if c.young == nil || c.size > c.budget/2 {
		c.old, c.young, c.size = c.young, map[termKey]termPostings{}, 0
	}
	if former, ok := c.young[k]; ok {
		c.size -= former.bytes(k)
	}
	c.young[k] = t
	c.size += t.bytes(k)
}

// postings returns the postings of a term in each part. repeats names the field with
// its frequencies, if any.
func (s *snapshot) postings(field, repeats, term string) ([]*postings, error) {
	k := termKey{field, term}
	known := s.cache.get(k)
	if known.view == s.number || slices.EqualFunc(s.parts, known.segments, func(p part, id uint64) bool { return p.id == id }) {
		return known.lists, nil
	}
	t := termPostings{view: s.number, segments: make([]uint64, len(s.parts)), lists: make([]*postings, len(s.parts))}
	for i, p := range s.parts {
		l := known.in(p.id)
		if l == nil {
			var err error
			if l, err = s.readPostings(p, field, repeats, term); err != nil {
				return nil, err
			}
		}
		t.segments[i], t.lists[i] = p.id, l
	}
	s.cache.put(k, t)
	return t.lists, nil
}

func (s *snapshot) readPostings(p part, field, repeats, term string) (*postings, error) {
	it, err := s.iterator(p, field, term, false)
	if err != nil {
		return nil, err
	}
	bitmap, err := places(it)
	if err != nil {
		return nil, err
	}
	if bitmap == nil || bitmap.IsEmpty() {
		return &none, nil
	}
	l := &postings{once: bitmap.ToArray()}
	if repeats == "" {
		return l, nil
	}
	if it, err = s.iterator(p, repeats, term, true); err != nil {
		return nil, err
	}
	for {
		posting, err := it.Next()
		if err != nil {
			return nil, fmt.Errorf("reading frequencies: %w", err)
		}
		if posting == nil {
			break
		}
		l.more = append(l.more, repeated{uint32(posting.Number()), uint32(posting.Frequency())})
	}
	next := 0
	l.once = slices.DeleteFunc(l.once, func(place uint32) bool {
		for next < len(l.more) && l.more[next].place < place {
			next++
		}
		return next < len(l.more) && l.more[next].place == place
	})
	return l, nil
}

// iterator iterates over all documents of a segment with a term. It includes deleted
// ones, since they may be live in an older snapshot.
func (s *snapshot) iterator(p part, field, term string, frequencies bool) (segment.PostingsIterator, error) {
	dict, err := s.dictionary(p, field)
	if err != nil {
		return nil, err
	}
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		return nil, fmt.Errorf("reading postings: %w", err)
	}
	it, err := list.Iterator(frequencies, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("reading postings: %w", err)
	}
	return it, nil
}

// dictionary returns the terms of a field in a segment.
func (s *snapshot) dictionary(p part, field string) (segment.Dictionary, error) {
	k := dictionaryKey{p.id, field}
	if dict := s.dictionaries[k]; dict != nil {
		return dict, nil
	}
	dict, err := p.Dictionary(field)
	if err != nil {
		return nil, fmt.Errorf("reading words: %w", err)
	}
	if s.dictionaries == nil {
		s.dictionaries = make(map[dictionaryKey]segment.Dictionary)
	}
	s.dictionaries[k] = dict
	return dict, nil
}

// segment returns the cached data of a segment's documents.
func (s *snapshot) segment(p part) (*cachedSegment, error) {
	c := s.cache
	c.mu.Lock()
	kept := c.segments[p.id]
	c.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	kept, err := p.readLengths()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.segments[p.id]; other != nil {
		return other, nil // another search has read it meanwhile
	}
	if c.segments == nil {
		c.segments = make(map[uint64]*cachedSegment)
	}
	maps.DeleteFunc(c.segments, func(id uint64, _ *cachedSegment) bool {
		return !slices.ContainsFunc(s.parts, func(p part) bool { return p.id == id })
	})
	c.segments[p.id] = kept
	return kept, nil
}

func (p part) readLengths() (*cachedSegment, error) {
	kept := &cachedSegment{words: make([]uint32, p.Count()), grams: make([]uint32, p.Count())}
	dict, err := p.Dictionary(fieldEvery)
	if err != nil {
		return nil, fmt.Errorf("reading lengths: %w", err)
	}
	list, err := dict.PostingsList([]byte(everyTerm), nil, nil)
	if err != nil {
		return nil, fmt.Errorf("reading lengths: %w", err)
	}
	it, err := list.Iterator(true, true, false, nil)
	if err != nil {
		return nil, fmt.Errorf("reading lengths: %w", err)
	}
	for {
		posting, err := it.Next()
		if err != nil {
			return nil, fmt.Errorf("reading lengths: %w", err)
		}
		if posting == nil {
			return kept, nil
		}
		l := lengthsOf(posting)
		kept.words[posting.Number()], kept.grams[posting.Number()] = l.words, l.grams
	}
}

// lengthsOf returns the field lengths of one document.
func (s *snapshot) lengthsOf(number uint32) (lengths, error) {
	i, place := s.part(number)
	kept, err := s.segment(s.parts[i])
	if err != nil {
		return lengths{}, err
	}
	return lengths{words: kept.words[place], grams: kept.grams[place]}, nil
}

// knownID returns a document's id, cached after the first request.
func (c *collector) knownID(number uint32) (string, error) {
	i, place := c.part(number)
	kept := c.kept[i]
	if kept == nil {
		var err error
		if kept, err = c.segment(c.parts[i]); err != nil {
			return "", err
		}
		c.kept[i] = kept
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.ids == nil {
		kept.ids = make([]string, c.parts[i].Count())
	}
	if kept.ids[place] == "" {
		id, err := c.id(number)
		if err != nil {
			return "", err
		}
		kept.ids[place] = id
	}
	return kept.ids[place], nil
}
