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

// snapshot is one state of the index that no later Apply changes. It is for
// one goroutine and must be released.
//
// It reads bluge's segments one by one, below bluge's searchers: scores need
// only the postings, and so they can be exact and the two fields apart.
// A document's number is its segment's offset plus its place there; it is good
// for one snapshot.
type snapshot struct {
	*bluge.Snapshot
	*view
	cache *segmentCache

	dictionaries map[dictionaryKey]segment.Dictionary // those that were opened
}

type dictionaryKey struct {
	segment uint64
	field   string
}

// view is what all searches of one state have in common. It never changes.
type view struct {
	of        *bluge.Snapshot
	number    uint64 // of the view; no two of an index have the same
	parts     []part
	documents int      // document numbers are below
	deleted   []uint64 // a bit for each document
	gone      int      // documents with such a bit

	found     marker
	hasMarker bool

	// idle has the dictionaries of snapshots that were released. They serve one
	// goroutine at a time.
	idle sync.Pool
}

// part is one segment as the snapshot sees it.
type part struct {
	segment.Segment
	id      uint64
	deleted *roaring.Bitmap // nil or the places of what was deleted or replaced
	offset  uint32
}

// snapshot returns the state that the last Apply left.
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

// newView looks at the segments of a snapshot. keep says that the view may outlive
// the snapshot: all segments are in files, so it keeps nothing large in memory.
func newView(root *bluge.Snapshot) (v *view, keep bool, err error) {
	v, keep = &view{of: root}, true
	for _, seg := range root.Segments() {
		// bluge's interface leaves out the method that its type has.
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

// deletedBit is 1 for a document that was deleted or replaced.
func (v *view) deletedBit(number uint32) uint64 {
	return v.deleted[number/64] >> (number % 64) & 1
}

// marker returns what the marker document says; false when there is none.
func (v *view) marker() (marker, bool) { return v.found, v.hasMarker }

// release gives the snapshot back. bluge's Close fails only where unmapping a
// file does.
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

// list gives the postings of a term in one segment, deleted ones excepted. old
// may be a list that is no longer used, or nil.
func (p part) list(dict segment.Dictionary, term string, old segment.PostingsList) (segment.PostingsList, error) {
	list, err := dict.PostingsList([]byte(term), p.deleted, old)
	if err != nil {
		return nil, fmt.Errorf("reading postings: %w", err)
	}
	return list, nil
}

// find gives the number of the live document with this id.
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

// stored gives a copy of a document's stored field.
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

// id gives a document's id.
func (s *snapshot) id(number uint32) (string, error) {
	b, err := s.stored(number, fieldID)
	return string(b), err
}

// ids gives the ids of all live documents, in no order.
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

// live gives the places of the live documents, without the marker; nil for
// none.
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

// places gives the places in a list of postings, nil for none, good until the
// list is used again.
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
