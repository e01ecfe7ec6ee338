package index

import (
	"slices"
	"strings"
)

// segmentTerms collects the documents of a segment and sorts their words by term.
// segmentWriter writes the result.
type segmentTerms struct {
	ids                  []string
	words, grams, labels fieldTerms
}

// fieldTerms is one field of the collected documents.
type fieldTerms struct {
	numbers map[string]uint32 // of the terms, in the order of their first appearance
	terms   []fieldTerm       // by number
	// held has the distinct terms of each document, document by document.
	held    []occurrence
	ends    []int    // of the documents in held
	lengths []uint32 // of the field, by document
}

type fieldTerm struct {
	text      string
	documents uint32 // that hold it
	last      int    // 1 + its last index in held
}

type occurrence struct{ number, tf uint32 }

// posting is one document that holds a term.
type posting struct{ document, tf uint32 }

// add collects a document and returns the lengths of its fields.
func (s *segmentTerms) add(d Document) lengths {
	s.ids = append(s.ids, d.ID)
	s.labels.add(d.Labels)
	return lengths{words: s.words.add(d.Words), grams: s.grams.add(d.Grams)}
}

// add collects the field of the next document and returns its length.
func (f *fieldTerms) add(terms []string) (length uint32) {
	if f.numbers == nil {
		f.numbers = make(map[string]uint32)
	}
	begin := len(f.held)
	for _, text := range terms {
		if text == "" {
			continue
		}
		length++
		number, known := f.numbers[text]
		if !known {
			number = uint32(len(f.terms))
			text = strings.Clone(text) // it may be a substring of a long message
			f.numbers[text] = number
			f.terms = append(f.terms, fieldTerm{text: text})
		}
		t := &f.terms[number]
		if t.last > begin {
			f.held[t.last-1].tf++
			continue
		}
		f.held = append(f.held, occurrence{number: number, tf: 1})
		t.last = len(f.held)
		t.documents++
	}
	f.ends, f.lengths = append(f.ends, len(f.held)), append(f.lengths, length)
	return length
}

func (f *fieldTerms) length(document uint32) uint32 { return f.lengths[document] }

// sortedTerms are the terms of a field in byte order, with their postings.
type sortedTerms struct {
	terms    []fieldTerm
	numbers  []uint32  // of the terms in byte order
	postings []posting // of all terms, by number
	ends     []int     // of each term's postings, by number
}

func (f *fieldTerms) sort() sortedTerms {
	s := sortedTerms{terms: f.terms, numbers: make([]uint32, len(f.terms))}
	for i := range s.numbers {
		s.numbers[i] = uint32(i)
	}
	slices.SortFunc(s.numbers, func(a, b uint32) int { return strings.Compare(f.terms[a].text, f.terms[b].text) })

	s.postings, s.ends = make([]posting, len(f.held)), make([]int, len(f.terms))
	for i := 1; i < len(f.terms); i++ {
		s.ends[i] = s.ends[i-1] + int(f.terms[i-1].documents)
	} // each is now the start of its postings
	from := 0
	for document, to := range f.ends {
		for _, o := range f.held[from:to] {
			s.postings[s.ends[o.number]] = posting{document: uint32(document), tf: o.tf}
			s.ends[o.number]++
		}
		from = to
	}
	return s
}

// each visits the terms with their postings.
func (s sortedTerms) each(visit func(term string, postings []posting) error) error {
	for _, number := range s.numbers {
		t := s.terms[number]
		end := s.ends[number]
		if err := visit(t.text, s.postings[end-int(t.documents):end]); err != nil {
			return err
		}
	}
	return nil
}

// repeats visits the terms that a document holds more than once, with those postings.
// The postings are valid until the next visit.
func (s sortedTerms) repeats(visit func(term string, postings []posting) error) error {
	var repeated []posting
	return s.each(func(term string, postings []posting) error {
		repeated = repeated[:0]
		for _, p := range postings {
			if p.tf > 1 {
				repeated = append(repeated, p)
			}
		}
		if len(repeated) == 0 {
			return nil
		}
		return visit(term, repeated)
	})
}
