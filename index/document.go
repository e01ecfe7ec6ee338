package index

import (
	"fmt"
	"math"
	"strings"

	segment "github.com/blugelabs/bluge_segment_api"
)

// Field names inside a segment. They are short because each segment repeats
// them. The fields of repeats hold only what occurs more than once in a
// document, so that a search reads frequencies for few of its postings.
const (
	fieldID          = "_id" // bluge finds what an update or delete replaces by this name
	fieldWords       = "w"
	fieldWordRepeats = "wr"
	fieldGrams       = "g"
	fieldGramRepeats = "gr"
	fieldLabels      = "l"
	fieldEvery       = "e" // everyTerm in each document but the marker, see lengths.field
	fieldMarker      = "m" // stored, in the marker only
)

const everyTerm = "1"

// reserved begins the ids that the index keeps for itself.
const reserved = "\x00"

// Document is what the index knows of one record. It holds no text and no
// numbers to show or to rank by: those stay in the store.
type Document struct {
	// ID is the record's key: not empty, not beginning with a zero byte.
	ID string
	// Words are folded words, repeats included; they are scored and can be
	// matched by prefix.
	Words []string
	// Grams are characters and bigrams of Chinese runs, repeats included.
	Grams []string
	// Labels are exact values to filter by, such as "type:preference".
	Labels []string
}

// Batch is a set of changes that Apply makes together or not at all.
//
// A document replaces an older one with the same ID. Of several documents with
// one ID the last counts. An ID both put and deleted is put.
type Batch struct {
	Put    []Document
	Delete []string
}

func checkID(id string) error {
	if id == "" || strings.HasPrefix(id, reserved) {
		return fmt.Errorf("document %q: %w", id, ErrID)
	}
	return nil
}

// lengths are the field lengths of one document: how many words and grams it
// has, repeats included.
type lengths struct{ words, grams uint32 }

// field keeps the lengths in one posting: frequency words + 1, norm grams + 1.
// (Zero has a meaning of its own in the segment format.)
func (l lengths) field() *field {
	return &field{
		name:   fieldEvery,
		terms:  map[string]int{everyTerm: int(l.words) + 1},
		length: int(l.grams) + 1,
	}
}

func lengthsOf(p segment.Posting) lengths {
	return lengths{words: uint32(p.Frequency() - 1), grams: decodeNorm(p.Norm()) - 1}
}

// countTerms gives each term's frequency and the field's length. Empty terms
// do not count.
func countTerms(terms []string) (map[string]int, int) {
	freq := make(map[string]int, len(terms))
	n := 0
	for _, t := range terms {
		if t != "" {
			freq[t]++
			n++
		}
	}
	return freq, n
}

// segmentDocument is a document already counted, in the form that bluge
// writes into a segment.
type segmentDocument []segment.Field

// Analyze does nothing: the terms come counted.
func (segmentDocument) Analyze() {}

func (d segmentDocument) EachField(visit segment.VisitField) {
	for _, f := range d {
		visit(f)
	}
}

func newSegmentDocument(d Document) (segmentDocument, lengths) {
	words, nw := countTerms(d.Words)
	grams, ng := countTerms(d.Grams)
	labels, nl := countTerms(d.Labels)
	l := lengths{words: uint32(nw), grams: uint32(ng)}
	return segmentDocument{
		idField(d.ID),
		&field{name: fieldWords, terms: words, length: nw},
		&field{name: fieldWordRepeats, terms: repeats(words), length: nw},
		&field{name: fieldGrams, terms: grams, length: ng},
		&field{name: fieldGramRepeats, terms: repeats(grams), length: ng},
		&field{name: fieldLabels, terms: labels, length: nl},
		l.field(),
	}, l
}

func repeats(terms map[string]int) map[string]int {
	out := make(map[string]int)
	for term, freq := range terms {
		if freq > 1 {
			out[term] = freq
		}
	}
	return out
}

func idField(id string) *field {
	return &field{name: fieldID, terms: map[string]int{id: 1}, length: 1, stored: []byte(id)}
}

// field is one field of one document; stored is nil when nothing is stored.
type field struct {
	name   string
	terms  map[string]int
	length int
	stored []byte
}

func (f *field) Name() string         { return f.name }
func (f *field) Length() int          { return f.length }
func (f *field) Value() []byte        { return f.stored }
func (f *field) Index() bool          { return len(f.terms) > 0 }
func (f *field) Store() bool          { return f.stored != nil }
func (f *field) IndexDocValues() bool { return false }

func (f *field) EachTerm(visit segment.VisitTerm) {
	for term, freq := range f.terms {
		visit(fieldTerm{term: term, freq: freq})
	}
}

type fieldTerm struct {
	term string
	freq int
}

func (t fieldTerm) Term() []byte                       { return []byte(t.term) }
func (t fieldTerm) Frequency() int                     { return t.freq }
func (t fieldTerm) EachLocation(segment.VisitLocation) {}

// idTerm names the document that an update or delete replaces.
type idTerm string

func (idTerm) Field() string  { return fieldID }
func (t idTerm) Term() []byte { return []byte(t) }

// encodeNorm keeps a field's length as the bits of a float, the way bluge's
// own similarity does, so that a small length is a small varint on disk.
func encodeNorm(_ string, length int) float32 { return math.Float32frombits(uint32(length)) }

func decodeNorm(norm float64) uint32 { return math.Float32bits(float32(norm)) }
