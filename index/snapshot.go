package index

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring"
	bluge "github.com/blugelabs/bluge/index"
	segment "github.com/blugelabs/bluge_segment_api"
)

// snapshot is one immutable state of the index. It belongs to one goroutine and must be
// released.
//
// It reads bluge's segments directly, without bluge's searchers: scores need only the
// postings, so they can be exact and separate for the two fields. A document's number
// is its segment's offset plus its place in the segment. It is valid for one snapshot.
// for one snapshot.
type snapshot struct {
	*bluge.Snapshot
	*view
	cache *segmentCache

	dictionaries map[dictionaryKey]segment.Dictionary // opened so far
}

type dictionaryKey struct {
	segment uint64
	field   string
}

// view is the data shared by all searches of one state. It never changes.
type view struct {
	of        *bluge.Snapshot
	number    uint64 // unique within an index
	parts     []part
	documents int      // document numbers are less
	deleted   []uint64 // a bit for each document
	gone      int      // number of deleted documents

	found     marker
	hasMarker bool

	// idle has the dictionaries of released snapshots. Each serves one goroutine at a
	// time.
	idle sync.Pool
}

// part is one segment as the snapshot sees it.
type part struct {
	segment.Segment
	id      uint64
	deleted *roaring.Bitmap // places of deleted or replaced documents, or nil
	offset  uint32
}

// snapshot returns the state after the last Apply.
func (ix *Index) snapshot() (*snapshot, error) {
	root, err := ix.writer.Reader()
	if err != nil {
		return nil, fmt.Errorf("taking snapshot: %w", err)
	}
	s := &snapshot{Snapshot: root, cache: &ix.cache, view: ix.view.Load()}
	if s.view != nil && s.of == root {
		s.dictionaries, _ = s.idle.Get().(map[dictionaryKey]segment.Dictionary)
		return s, nil
	}
	var keep bool
	if s.view, keep, err = newView(root); err == nil {
		s.number = ix.views.Add(1)
		s.found, s.hasMarker, err = s.readMarker()
	}
	if err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("taking snapshot: %w", err)
	}
	if keep {
		ix.view.Store(s.view)
	}
	return s, nil
}

// newView reads the segments of a snapshot. keep says that the view may outlive the
// snapshot: all segments are in files, so it keeps nothing large in memory.
func newView(root *bluge.Snapshot) (v *view, keep bool, err error) {
	v, keep = &view{of: root}, true
	for _, seg := range root.Segments() {
		// bluge's interface lacks this method of its type.
		holder, ok := seg.(interface{ Segment() segment.Segment })
		if !ok {
			return nil, false, fmt.Errorf("unknown segment type %T", seg)
		}
		p := part{Segment: holder.Segment(), id: seg.ID(), deleted: seg.Deleted(), offset: uint32(v.documents)}
		if file, ok := p.Segment.(interface{ Persisted() bool }); !ok || !file.Persisted() {
			keep = false
		}
		v.documents += int(p.Count())
		v.parts = append(v.parts, p)
	}
	v.deleted = make([]uint64, v.documents/64+1)
	for _, p := range v.parts {
		if p.deleted == nil {
			continue
		}
		p.deleted.Iterate(func(place uint32) bool {
			n := p.offset + place
			v.deleted[n/64] |= 1 << (n % 64)
			v.gone++
			return true
		})
	}
	return v, keep, nil
}

// deletedBit returns 1 for a deleted or replaced document.
func (v *view) deletedBit(number uint32) uint64 {
	return v.deleted[number/64] >> (number % 64) & 1
}

// marker returns the marker, or false if there is none.
func (v *view) marker() (marker, bool) { return v.found, v.hasMarker }

// release releases the snapshot. bluge's Close fails only if unmapping a file does.
func (s *snapshot) release() {
	if s.dictionaries != nil {
		s.idle.Put(s.dictionaries)
	}
	_ = s.Close()
}

// part returns the number of the segment that has a document, and its place there.
func (v *view) part(number uint32) (int, uint32) {
	i := len(v.parts) - 1
	for v.parts[i].offset > number { // they are few
		i--
	}
	return i, number - v.parts[i].offset
}

// list returns the live postings of a term in one segment. old is an unused list to
// reuse, or nil.
func (p part) list(dict segment.Dictionary, term string, old segment.PostingsList) (segment.PostingsList, error) {
	list, err := dict.PostingsList([]byte(term), p.deleted, old)
	if err != nil {
		return nil, fmt.Errorf("reading postings: %w", err)
	}
	return list, nil
}

// find returns the number of the live document with this id.
func (s *snapshot) find(id string) (uint32, bool, error) {
	for _, p := range s.parts {
		dict, err := p.Dictionary(fieldID)
		if err != nil {
			return 0, false, fmt.Errorf("reading ids: %w", err)
		}
		list, err := p.list(dict, id, nil)
		if err != nil {
			return 0, false, err
		}
		it, err := list.Iterator(false, false, false, nil)
		if err != nil {
			return 0, false, fmt.Errorf("reading ids: %w", err)
		}
		posting, err := it.Next()
		if err != nil {
			return 0, false, fmt.Errorf("reading ids: %w", err)
		}
		if posting != nil {
			return p.offset + uint32(posting.Number()), true, nil
		}
	}
	return 0, false, nil
}

// stored returns a copy of a document's stored field.
func (s *snapshot) stored(number uint32, name string) ([]byte, error) {
	var value []byte
	i, place := s.part(number)
	err := s.parts[i].VisitStoredFields(uint64(place), func(field string, b []byte) bool {
		if field == name {
			value = slices.Clone(b)
		}
		return value == nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading document: %w", err)
	}
	if value == nil {
		return nil, fmt.Errorf("document without field %s: %w", name, ErrBroken)
	}
	return value, nil
}

// id returns a document's id.
func (s *snapshot) id(number uint32) (string, error) {
	b, err := s.stored(number, fieldID)
	return string(b), err
}

// ids returns the ids of all live documents, unordered.
func (s *snapshot) ids(ctx context.Context) ([]string, error) {
	var ids []string
	for _, p := range s.parts {
		live, err := p.live()
		if err != nil {
			return nil, err
		}
		if live == nil {
			continue
		}
		for it := live.Iterator(); it.HasNext(); {
			if len(ids)%1024 == 1023 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			id, err := s.id(p.offset + it.Next())
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// live returns the places of the live documents, without the marker, or nil for none.
func (p part) live() (*roaring.Bitmap, error) {
	dict, err := p.Dictionary(fieldEvery)
	if err != nil {
		return nil, fmt.Errorf("reading documents: %w", err)
	}
	list, err := p.list(dict, everyTerm, nil)
	if err != nil {
		return nil, err
	}
	it, err := list.Iterator(false, false, false, nil)
	if err != nil {
		return nil, fmt.Errorf("reading documents: %w", err)
	}
	return places(it)
}

// places returns the places in a list of postings, nil for none. It is valid until the
// list is reused.
func places(it segment.PostingsIterator) (*roaring.Bitmap, error) {
	o, ok := it.(segment.OptimizablePostingsIterator)
	if !ok {
		return nil, fmt.Errorf("reading postings: unknown type %T", it)
	}
	if n, ok := o.DocNum1Hit(); ok {
		return roaring.BitmapOf(uint32(n)), nil
	}
	return o.ActualBitmap(), nil
}

func (s *snapshot) readMarker() (marker, bool, error) {
	number, ok, err := s.find(markerID)
	if err != nil || !ok {
		return marker{}, false, err
	}
	b, err := s.stored(number, fieldMarker)
	if err != nil {
		return marker{}, false, err
	}
	m, err := decodeMarker(b)
	return m, err == nil, err
}
