package retrieve

import "slices"

// Search is a part of a message to look up in an index: items match that have any of
// the terms or grams.
type Search struct {
	Terms []Term
	Grams []string
}

// Empty reports whether there is nothing to look up.
func (s Search) Empty() bool { return len(s.Terms)+len(s.Grams) == 0 }

// Term is one word of a search.
type Term struct {
	Text string
	// Prefix also matches longer words that begin with Text.
	Prefix bool
	// Boost multiplies score and idf.
	Boost float64
	// Mark marks the hits that have the term: it is distinctive.
	Mark bool
}

// Searches are the parts of a message. They are looked up separately, because only the
// message's own words determine a full match (R3a, R6).
type Searches struct {
	// Said are the message's own words, with their translations (R13).
	Said Search
	// Asked are words under which the answer is stored; see [Query.Asked].
	Asked Search
	// Topic are the words of the session's topic.
	Topic Search
	// Related are usual synonyms, in words Synonyms; see [Expand].
	Related  Search
	Synonyms []string
	// Whose are the words of [Query.Whose].
	Whose Search
}

// Searches returns what to look up for a message. Related is empty unless cfg has it
// expanded.
func (q Query) Searches(cfg Config) Searches {
	s := Searches{Said: q.Own(), Asked: Search{Terms: q.terms(q.AskedWords, nil), Grams: q.AskedGrams}, Whose: q.Whose}
	s.Said.addTranslations(q.Translated)
	s.Topic = Search{Terms: q.terms(q.TopicTerms, q.TopicDistinctive), Grams: q.TopicGrams}
	if cfg.ExpandQuery {
		e := Expand(q)
		for _, w := range e.Terms {
			s.Related.Terms = append(s.Related.Terms, Term{Text: w, Boost: 1, Mark: slices.Contains(e.Distinctive, w)})
		}
		s.Related.Grams, s.Synonyms = e.Grams, e.Words
	}
	return s
}

// Own returns the search for the message's own words, without translations. Its
// distinctive words are marked.
func (q Query) Own() Search {
	s := Search{Terms: q.terms(q.Terms, q.Distinctive), Grams: q.Grams}
	for _, p := range q.Prefixes {
		s.Terms = append(s.Terms, Term{Text: p, Prefix: true, Boost: q.Boost(p), Mark: true})
	}
	return s
}

func (q Query) terms(words, distinctive []string) []Term {
	out := make([]Term, 0, len(words)+len(q.Prefixes))
	for _, w := range words {
		out = append(out, Term{Text: w, Boost: q.Boost(w), Mark: slices.Contains(distinctive, w)})
	}
	return out
}

func (s *Search) addTranslations(translated []Translated) {
	for _, t := range translated {
		for _, w := range t.Words {
			boost := t.Boost / float64(len(w.Terms)+len(w.Grams))
			for _, term := range w.Terms {
				s.Terms = append(s.Terms, Term{Text: term, Boost: boost, Mark: w.Mark})
			}
			s.Grams = append(slices.Clip(s.Grams), w.Grams...)
		}
		s.addTranslations(t.Parts)
	}
}

// Matches are the answer of an index to a [Search].
type Matches struct {
	Hits []Hit // best first
	// Words and Grams describe the terms and grams of the search.
	Words, Grams []TermStat
}

// Hit is an item or message that matches.
type Hit struct {
	ID string
	// Words and Grams are its BM25 scores.
	Words, Grams float64
	// Marked says that it has a marked term.
	Marked bool
}

func (h Hit) score() float64 { return h.Words + h.Grams }

// TermStat describes one term of a search.
type TermStat struct {
	Text  string
	Boost float64
	IDF   float64
	// Held says that any document has the term.
	Held bool
}

// idf returns Σ idf of all terms, held or not.
func (m Matches) idf() float64 {
	sum := func(stats []TermStat) (sum float64) {
		for _, s := range stats {
			sum += s.Boost * s.IDF
		}
		return sum
	}
	return sum(m.Words) + sum(m.Grams)
}

// rarest returns the highest idf of the held terms: an answer needs one of them, not
// all.
func (m Matches) rarest() (idf float64) {
	for _, stats := range [][]TermStat{m.Words, m.Grams} {
		for _, s := range stats {
			if s.Held {
				idf = max(idf, s.Boost*s.IDF)
			}
		}
	}
	return idf
}

// holdsAny reports whether a document has one of the words.
func (m Matches) holdsAny(words []string) bool {
	return slices.ContainsFunc(m.Words, func(s TermStat) bool { return s.Held && slices.Contains(words, s.Text) })
}

// byID returns the hits by id.
func (m Matches) byID() map[string]Hit {
	out := make(map[string]Hit, len(m.Hits))
	for _, h := range m.Hits {
		out[h.ID] = h
	}
	return out
}
