package index

import (
	"fmt"
	"math"
	"strings"

	segment "github.com/blugelabs/bluge_segment_api"
)

// Field names inside a segment. They are short because each segment repeats them. The
// repeat fields hold only terms that occur more than once in a document, so that a
// search reads frequencies for few postings.
const (
	fieldID          = "_id" // bluge finds the document to update or delete by this name
	fieldWords       = "w"
	fieldWordRepeats = "wr"
	fieldGrams       = "g"
	fieldGramRepeats = "gr"
	fieldLabels      = "l"
	fieldEvery       = "e" // everyTerm in each document except the marker, see lengths.field
	fieldMarker      = "m" // stored, in the marker only
)

const everyTerm = "1"

// reserved is the prefix of the index's own ids.
const reserved = "\x00"

// Document is the indexed form of one record. It holds no text and no numbers for
// display or ranking: those stay in the store.
type Document struct {
	// ID is the record's key. It is not empty and does not begin with a zero byte.
	ID string
	// Words are folded words, repeats included. They are scored and can be matched by
	// prefix.
	Words []string
	// Grams are characters and bigrams of Chinese runs, repeats included.
	Grams []string
	// Labels are exact values to filter by, such as "type:preference".
	Labels []string
}

// Batch is a set of changes that Apply applies atomically.
//
// A document replaces an older one with the same ID. Of several with one ID the last
// counts. An ID in both Put and Delete is put.
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

// lengths are the field lengths of one document: its numbers of words and grams,
// repeats included.
type lengths struct{ words, grams uint32 }

// lengthsOf decodes the lengths that segmentWriter.eachLength writes.
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

// segmentDocument is a document passed through bluge to newSegment.
type segmentDocument struct{ Document }

// segmentMarker is the stored value of a marker document, passed likewise.
type segmentMarker []byte

// Analyze and EachField are no-ops: newSegment reads the document itself.
func (segmentDocument) Analyze()                     {}
func (segmentDocument) EachField(segment.VisitField) {}
func (segmentMarker) Analyze()                       {}
func (segmentMarker) EachField(segment.VisitField)   {}

// idTerm names the document that an update or delete replaces.
type idTerm string

func (idTerm) Field() string  { return fieldID }
func (t idTerm) Term() []byte { return []byte(t) }

// A field's length is stored as the bits of a float, as in bluge's own similarity, so
// that a small length is a small varint on disk.
func decodeNorm(norm float64) uint32 { return math.Float32bits(float32(norm)) }
