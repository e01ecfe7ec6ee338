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

// lengthsOf reads what segmentTerms.lengths keeps.
func lengthsOf(p segment.Posting) lengths {
	return lengths{words: uint32(p.Frequency() - 1), grams: decodeNorm(p.Norm()) - 1}
}

func (d Document) lengths() lengths {
	return lengths{words: countTerms(d.Words), grams: countTerms(d.Grams)}
}

// countTerms returns a field's length. Empty terms do not count.
func countTerms(terms []string) (n uint32) {
	for _, t := range terms {
		if t != "" {
			n++
		}
	}
	return n
}

// segmentDocument is a document as bluge hands it to newSegment.
type segmentDocument struct{ Document }

// segmentMarker is the stored value of a marker document, likewise.
type segmentMarker []byte

// Analyze and EachField do nothing: newSegment reads the document itself.
func (segmentDocument) Analyze()                     {}
func (segmentDocument) EachField(segment.VisitField) {}
func (segmentMarker) Analyze()                       {}
func (segmentMarker) EachField(segment.VisitField)   {}

// idTerm names the document that an update or delete replaces.
type idTerm string

func (idTerm) Field() string  { return fieldID }
func (t idTerm) Term() []byte { return []byte(t) }

// A field's length is kept as the bits of a float, the way bluge's own similarity
// does, so that a small length is a small varint on disk.
func decodeNorm(norm float64) uint32 { return math.Float32bits(float32(norm)) }
