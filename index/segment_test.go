package index

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring"
	segment "github.com/blugelabs/bluge_segment_api"
	ice "github.com/blugelabs/ice"
)

// plainDocument is a document as ice.New reads it. It is what newSegment must
// understand a document to be.
type plainDocument []segment.Field

func (plainDocument) Analyze() {}

func (d plainDocument) EachField(visit segment.VisitField) {
	for _, f := range d {
		visit(f)
	}
}

type plainField struct {
	name   string
	terms  map[string]int
	length int
	stored []byte
}

func (f plainField) Name() string         { return f.name }
func (f plainField) Length() int          { return f.length }
func (f plainField) Value() []byte        { return f.stored }
func (f plainField) Index() bool          { return len(f.terms) > 0 }
func (f plainField) Store() bool          { return f.stored != nil }
func (f plainField) IndexDocValues() bool { return false }

func (f plainField) EachTerm(visit segment.VisitTerm) {
	for _, text := range slices.Sorted(maps.Keys(f.terms)) {
		visit(plainTerm{text: text, tf: f.terms[text]})
	}
}

type plainTerm struct {
	text string
	tf   int
}

func (t plainTerm) Term() []byte                       { return []byte(t.text) }
func (t plainTerm) Frequency() int                     { return t.tf }
func (t plainTerm) EachLocation(segment.VisitLocation) {}

func plain(d segment.Document) plainDocument {
	id := func(id string) plainField {
		return plainField{name: fieldID, terms: map[string]int{id: 1}, length: 1, stored: []byte(id)}
	}
	if m, ok := d.(segmentMarker); ok {
		return plainDocument{id(markerID), plainField{name: fieldMarker, stored: m}}
	}
	doc := d.(segmentDocument).Document
	out := plainDocument{id(doc.ID)}
	add := func(name, repeats string, terms []string) (length int) {
		tf, repeated := map[string]int{}, map[string]int{}
		for _, t := range terms {
			if t == "" {
				continue
			}
			length++
			if tf[t]++; tf[t] > 1 {
				repeated[t] = tf[t]
			}
		}
		out = append(out, plainField{name: name, terms: tf, length: length})
		if repeats != "" {
			out = append(out, plainField{name: repeats, terms: repeated, length: length})
		}
		return length
	}
	words, grams := add(fieldWords, fieldWordRepeats, doc.Words), add(fieldGrams, fieldGramRepeats, doc.Grams)
	add(fieldLabels, "", doc.Labels)
	return append(out, plainField{name: fieldEvery, terms: map[string]int{everyTerm: words + 1}, length: grams + 1})
}

func plainNorm(_ string, length int) float32 { return math.Float32frombits(uint32(length)) }

// plainSegment is what ice makes of documents, in the form that its merging gives
// to a segment.
func plainSegment(t testing.TB, documents []segment.Document) []byte {
	t.Helper()
	var read []segment.Document
	for _, d := range documents {
		read = append(read, plain(d))
	}
	seg, _, err := ice.New(read, plainNorm)
	if err != nil {
		t.Fatal(err)
	}
	return merged(t, seg)
}

func merged(t testing.TB, seg segment.Segment) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := ice.Merge([]segment.Segment{seg}, []*roaring.Bitmap{nil}, 1<<16).WriteTo(&out, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func compareSegments(t testing.TB, documents []segment.Document) {
	t.Helper()
	seg, size, err := newSegment(documents, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := seg.WriteTo(&got, nil); err != nil {
		t.Fatal(err)
	}
	want := plainSegment(t, documents)
	// ice writes a container of 65,536 documents, all that one can have, as a run.
	if len(documents) < 1<<16 && !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d documents: %d bytes that differ from ice's %d", len(documents), got.Len(), len(want))
	}
	if !bytes.Equal(merged(t, seg), want) {
		t.Errorf("%d documents: merged they differ from ice's", len(documents))
	}
	if int(size) != got.Len() {
		t.Errorf("the size is %d of %d", size, got.Len())
	}
}

// R4: a segment is to the byte what ice makes of the same documents, so that bluge
// and ice read, merge and write it as their own.
func TestSegmentEqualsIce(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs side by side")
	}
	documents := func(docs ...Document) (out []segment.Document) {
		for _, d := range docs {
			out = append(out, segmentDocument{d})
		}
		return out
	}
	m := marker{sequence: 7, documents: 3, words: 12, grams: 1 << 40}.document()
	for name, docs := range map[string][]segment.Document{
		"marker": {m},
		"one": documents(Document{
			ID: "a", Words: []string{"x", "y", "x"}, Grams: []string{"喝", "茶", "喝茶"}, Labels: []string{"l"},
		}),
		"empty fields": append(documents(Document{ID: "b"}, Document{ID: "a", Words: []string{"", ""}}), m),
		"repeats": append(documents(
			Document{ID: "b", Words: []string{"x", "x"}, Labels: []string{"l", "l", "k"}},
			Document{ID: "a", Words: []string{"x", "x", "y"}, Grams: []string{"茶", "茶"}},
		), m),
		"id with repeats": documents(Document{ID: "01J00000000000000000000000000000000000001"}),
	} {
		t.Run(name, func(t *testing.T) { compareSegments(t, docs) })
	}
	// More than one chunk of frequencies, and containers of both kinds.
	for _, n := range []int{10, 1023, 1024, 1025, 5000, 70_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			docs := make([]Document, n)
			for i := range docs {
				docs[i] = Document{
					ID: fmt.Sprintf("%06d", i), Words: []string{"every", fmt.Sprint("tenth", i%10)}, Grams: []string{fmt.Sprint(i / 3)},
				}
				if i%7 == 0 {
					docs[i].Words = append(docs[i].Words, "every", "seventh")
				}
			}
			compareSegments(t, append(documents(docs...), m))
		})
	}
}

// Any documents give the same bytes.
func FuzzSegmentEqualsIce(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint16(seed*seed), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, vocabulary uint8) {
		rng := rand.New(rand.NewPCG(seed, 4))
		terms := func(most int) (out []string) {
			for range rng.IntN(most + 1) {
				out = append(out, fmt.Sprint(rng.IntN(int(vocabulary)+1)))
			}
			return out
		}
		var docs []segment.Document
		for i := range int(n % 3000) {
			docs = append(docs, segmentDocument{Document{
				ID: fmt.Sprintf("%x-%d", rng.Uint32(), i), Words: terms(20), Grams: terms(5), Labels: terms(2),
			}})
		}
		if rng.IntN(2) == 0 || len(docs) == 0 {
			docs = append(docs, marker{sequence: seed}.document())
		}
		compareSegments(t, docs)
	})
}

// A segment is refused where a document is in it twice: which one counts could not
// be told.
func TestSegmentOfEqualIDs(t *testing.T) {
	twice := []segment.Document{segmentDocument{Document{ID: "a"}}, segmentDocument{Document{ID: "a"}}}
	if _, _, err := newSegment(twice, nil); err == nil {
		t.Error("it is made")
	}
}

// BenchmarkSegment makes a segment of 1,000 documents, and has ice make the same.
func BenchmarkSegment(b *testing.B) {
	c := newCorpus(7)
	var docs []segment.Document
	for i := range 1000 {
		docs = append(docs, segmentDocument{c.document(i)})
	}
	b.Run("own", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := newSegment(docs, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("ice", func(b *testing.B) {
		var read []segment.Document
		for _, d := range docs {
			read = append(read, plain(d))
		}
		for b.Loop() {
			if _, _, err := ice.New(read, plainNorm); err != nil {
				b.Fatal(err)
			}
		}
	})
}
