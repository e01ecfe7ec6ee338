package retrieve

import "slices"

// MessageIDF returns the Σ idf of the message's keywords (R3a), from the matches of its
// [Query.Own] words and their translations. A word counts once: as itself or, if the
// memory has it in the other language, as its translation. Words that only name a time do
// not count.
func (m Matches) MessageIDF(q Query) (sum float64) {
	h := m.held()
	for _, t := range q.Translated {
		sum += h.add(t)
	}
	for _, s := range m.Words {
		own := slices.Contains(q.Terms, s.Text) || slices.Contains(q.Prefixes, s.Text)
		if own && !h.counted[s.Text] && !slices.Contains(q.Uncounted, s.Text) {
			sum += s.Boost * s.IDF
		}
	}
	for _, s := range m.Grams {
		if !h.counted[gramKey(s.Text)] && slices.Contains(q.KeyGrams, s.Text) {
			sum += s.IDF
		}
	}
	return sum
}

// heldTerms has the terms of a search that the memory has. counted are the message's own
// terms that already count as a part of a translated word.
type heldTerms struct {
	words, grams map[string]TermStat
	counted      map[string]bool
}

func (m Matches) held() heldTerms {
	return heldTerms{words: byText(m.Words), grams: byText(m.Grams), counted: map[string]bool{}}
}

// byText returns the held terms.
func byText(stats []TermStat) map[string]TermStat {
	out := map[string]TermStat{}
	for _, s := range stats {
		if s.Held {
			out[s.Text] = s
		}
	}
	return out
}

// gramKey returns the key of a gram in heldTerms.counted.
func gramKey(gram string) string { return "\x00" + gram }

// add returns the idf of a word that the memory has in the other language, and marks the
// message's own terms for it as counted. It returns 0 for a word without a held
// translation.
func (h heldTerms) add(t Translated) (sum float64) {
	best := 0.0
	for _, w := range t.Words {
		best = max(best, h.idf(t, w))
	}
	if best == 0 {
		for _, p := range t.Parts {
			sum += h.add(p)
		}
		return sum
	}
	own := 0.0
	count := func(key string, s TermStat, boost float64) {
		if s.Held && !h.counted[key] {
			own += boost * s.IDF
		}
		h.counted[key] = true
	}
	for _, term := range t.Terms {
		count(term, h.words[term], h.words[term].Boost)
	}
	for _, g := range t.Grams {
		count(gramKey(g), h.grams[g], 1)
	}
	return max(best, own)
}

// idf returns the idf of a translation, or 0 if the memory lacks a part of it.
func (h heldTerms) idf(t Translated, w TranslatedWord) (sum float64) {
	share := t.Boost / float64(len(w.Terms)+len(w.Grams))
	for _, term := range w.Terms {
		if !h.words[term].Held {
			return 0
		}
		sum += share * h.words[term].IDF
	}
	for _, g := range w.Grams {
		if !h.grams[g].Held {
			return 0
		}
		sum += h.grams[g].IDF
	}
	return sum
}

// hasPhrase reports whether the memory has all parts of a translation that is a phrase.
func (m Matches) hasPhrase(q Query) bool {
	h := heldTerms{}
	for _, t := range q.Translated {
		for _, w := range t.Words {
			if !t.Distinctive || w.Mark || len(w.Terms)+len(w.Grams) < 2 {
				continue
			}
			if h.words == nil {
				h = m.held()
			}
			if h.idf(t, w) > 0 {
				return true
			}
		}
	}
	return false
}
