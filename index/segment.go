package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/blevesearch/vellum"
	segment "github.com/blugelabs/bluge_segment_api"
	ice "github.com/blugelabs/ice"
	"github.com/golang/snappy"
)

// newSegment builds a segment from the documents that Apply passes to bluge. It writes
// the format of ice.New in a fifth of the time. It counts each term where it occurs,
// instead of filling two maps for each document, and stores a term that occurs once
// only in the dictionary, as ice.Merge does. There are no positions and no doc values.
// segment_test.go compares the bytes with those of ice.
func newSegment(results []segment.Document, _ func(string, int) float32) (segment.Segment, uint64, error) {
	w := segmentWriter{terms: new(segmentTerms)}
	for _, r := range results {
		switch d := r.(type) {
		case segmentDocument:
			w.terms.add(d.Document)
		case segmentMarker:
			w.marker = d
		default:
			return nil, 0, fmt.Errorf("making segment: unknown document type %T", r)
		}
	}
	out, err := w.write()
	if err != nil {
		return nil, 0, fmt.Errorf("making segment: %w", err)
	}
	seg, err := ice.Load(segment.NewDataBytes(out))
	return seg, uint64(len(out)), err
}

// segmentWriter writes a segment:
//
//	stored      for each document the stored fields: field, place and length, then
//	            the values; then the place of each document
//	fields      for each field its postings, term by term; then its dictionary,
//	            which gives the place of each term's postings
//	doc values  for each field a mark that it has none
//	names       for each field the place of its dictionary, its name, and its
//	            numbers of documents and postings; then the place of each name
//	footer      the number of documents and the places of the other parts
//
// Numbers are varints. Places in a list and in the footer have 8 bytes, big-endian.
type segmentWriter struct {
	terms  *segmentTerms
	marker segmentMarker // nil for none; it is the last document

	documents  int
	out        []byte
	dictionary *vellum.Builder
	built      bytes.Buffer // output of dictionary

	// For the field being written: the lengths of its documents, and which of them hold
	// a term.
	length func(document uint32) uint32
	holds  []bool

	// Scratch.
	key        []byte
	chunks     []byte
	ends       []int // of chunks; places of containers
	containers [][]posting
}

// The format's constants, from package ice.
const (
	chunkMode   = 1025 // the size of chunks depends on the number of postings
	noDocValues = math.MaxUint64
)

// segmentField is one field to write.
type segmentField struct {
	name   string
	length func(document uint32) uint32
	each   func(visit func(term string, postings []posting) error) error
	// Found by the writer.
	dictionary, documents, postings int
}

func (w *segmentWriter) write() (out []byte, err error) {
	w.documents = len(w.terms.ids)
	if w.marker != nil {
		w.documents++
	}
	w.holds = make([]bool, w.documents)
	if w.dictionary, err = vellum.New(&w.built, nil); err != nil {
		return nil, err
	}
	fields := w.fields()
	storedAt := w.stored(fields)
	for i := range fields {
		if err := w.field(&fields[i]); err != nil {
			return nil, fmt.Errorf("field %s: %w", fields[i].name, err)
		}
	}
	valuesAt := len(w.out)
	for range 2 * len(fields) {
		w.out = binary.AppendUvarint(w.out, noDocValues)
	}
	namesAt := w.names(fields)
	sum := crc32.ChecksumIEEE(w.out)
	w.places(w.documents, storedAt, namesAt, valuesAt)
	for _, n := range []uint32{chunkMode, ice.Version, sum} {
		w.out = binary.BigEndian.AppendUint32(w.out, n)
	}
	return w.out, nil
}

func (w *segmentWriter) uvarints(values ...int) {
	for _, v := range values {
		w.out = binary.AppendUvarint(w.out, uint64(v))
	}
}

func (w *segmentWriter) places(values ...int) {
	for _, v := range values {
		w.out = binary.BigEndian.AppendUint64(w.out, uint64(v))
	}
}

// fields returns the documents' fields in order: the id, then the others by name.
func (w *segmentWriter) fields() []segmentField {
	t := w.terms
	fields := []segmentField{{name: fieldID, length: func(uint32) uint32 { return 1 }, each: w.eachID}}
	if len(t.ids) > 0 {
		words, grams, labels := t.words.sort(), t.grams.sort(), t.labels.sort()
		fields = append(fields,
			segmentField{name: fieldEvery, length: func(d uint32) uint32 { return t.grams.lengths[d] + 1 }, each: w.eachLength},
			segmentField{name: fieldGrams, length: t.grams.length, each: grams.each},
			segmentField{name: fieldGramRepeats, length: t.grams.length, each: grams.repeats},
			segmentField{name: fieldLabels, length: t.labels.length, each: labels.each},
			segmentField{name: fieldWords, length: t.words.length, each: words.each},
			segmentField{name: fieldWordRepeats, length: t.words.length, each: words.repeats},
		)
	}
	if w.marker != nil {
		none := func(func(string, []posting) error) error { return nil }
		fields = append(fields, segmentField{name: fieldMarker, each: none})
	}
	slices.SortFunc(fields[1:], func(a, b segmentField) int { return cmp.Compare(a.name, b.name) })
	return fields
}

func (w *segmentWriter) id(document uint32) string {
	if int(document) == len(w.terms.ids) {
		return markerID
	}
	return w.terms.ids[document]
}

// eachID visits the ids, each of which is in one document.
func (w *segmentWriter) eachID(visit func(term string, postings []posting) error) error {
	documents := make([]uint32, w.documents)
	for i := range documents {
		documents[i] = uint32(i)
	}
	slices.SortFunc(documents, func(a, b uint32) int { return cmp.Compare(w.id(a), w.id(b)) })
	for i, d := range documents {
		if i > 0 && w.id(d) == w.id(documents[i-1]) {
			return fmt.Errorf("document %q twice: %w", w.id(d), ErrID)
		}
		if err := visit(w.id(d), []posting{{document: d, tf: 1}}); err != nil {
			return err
		}
	}
	return nil
}

// eachLength stores a document's lengths in its only posting in this field: the
// frequency is words + 1 and the field's length grams + 1. (The format reserves zero.)
func (w *segmentWriter) eachLength(visit func(term string, postings []posting) error) error {
	postings := make([]posting, len(w.terms.ids))
	for i, words := range w.terms.words.lengths {
		postings[i] = posting{document: uint32(i), tf: words + 1}
	}
	return visit(everyTerm, postings)
}

// stored writes the documents' stored fields, and returns the place of the list of
// their places.
func (w *segmentWriter) stored(fields []segmentField) int {
	begins := make([]int, 0, w.documents)
	var header, content, compressed []byte
	for _, id := range w.terms.ids {
		begins = append(begins, len(w.out))
		content = append(content[:0], id...)
		header = appendUvarints(header[:0], 0, 0, len(id))
		compressed = w.store(header, content, compressed)
	}
	if w.marker != nil {
		begins = append(begins, len(w.out))
		field := slices.IndexFunc(fields, func(f segmentField) bool { return f.name == fieldMarker })
		content = append(append(content[:0], markerID...), w.marker...)
		header = appendUvarints(header[:0], 0, 0, len(markerID), field, len(markerID), len(w.marker))
		w.store(header, content, compressed)
	}
	at := len(w.out)
	w.places(begins...)
	return at
}

func (w *segmentWriter) store(header, content, scratch []byte) (compressed []byte) {
	compressed = snappy.Encode(scratch[:cap(scratch)], content)
	w.uvarints(len(header), len(compressed))
	w.out = append(append(w.out, header...), compressed...)
	return compressed
}

func appendUvarints(b []byte, values ...int) []byte {
	for _, v := range values {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return b
}

// names writes the description of each field, and returns the place of the list of
// their places.
func (w *segmentWriter) names(fields []segmentField) int {
	begins := make([]int, 0, len(fields))
	for _, f := range fields {
		begins = append(begins, len(w.out))
		w.uvarints(f.dictionary, len(f.name))
		w.out = append(w.out, f.name...)
		w.uvarints(f.documents, f.postings)
	}
	at := len(w.out)
	w.places(begins...)
	return at
}

// field writes the postings and the dictionary of a field.
func (w *segmentWriter) field(f *segmentField) error {
	w.length = f.length
	clear(w.holds)
	err := f.each(func(term string, postings []posting) error {
		f.postings += len(postings)
		w.key = append(w.key[:0], term...)
		return w.dictionary.Insert(w.key, w.postings(postings))
	})
	if err != nil {
		return err
	}
	for _, holds := range w.holds {
		if holds {
			f.documents++
		}
	}
	if err := w.dictionary.Close(); err != nil {
		return err
	}
	f.dictionary = len(w.out)
	w.uvarints(w.built.Len())
	w.out = append(w.out, w.built.Bytes()...)
	w.built.Reset()
	return w.dictionary.Reset(&w.built)
}
