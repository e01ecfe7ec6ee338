package recall

import (
	"context"
	"errors"
	"slices"

	"memoria/index"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// lookedForPhrases is how many of the best hits are read for a translated phrase.
const lookedForPhrases = 20

// withTranslations adds the translations of a message's words to what the index is asked for (R13).
func withTranslations(q retrieve.Query, ask index.Query) index.Query {
	return addTranslations(q.Translated, ask)
}

func addTranslations(translated []retrieve.Translated, ask index.Query) index.Query {
	for _, t := range translated {
		for _, w := range t.Words {
			boost := t.Boost / float64(len(w.Terms)+len(w.Grams))
			for _, term := range w.Terms {
				ask.Words = append(ask.Words, index.Term{Text: term, Boost: boost, Mark: w.Mark})
			}
			ask.Grams = append(slices.Clip(ask.Grams), w.Grams...)
		}
		ask = addTranslations(t.Parts, ask)
	}
	return ask
}

// messageIDF is the Σ idf of the message's keywords (R3a). A word counts once: as what the message says, or, where
// the memory has it in the other language, as the translation that the memory has. Words that only name a time do not
// count.
func messageIDF(q retrieve.Query, found index.Result) (sum float64) {
	h := heldBy(found)
	for _, t := range q.Translated {
		sum += h.add(t)
	}
	for _, s := range found.Words {
		if !h.counted[s.Text] && !slices.Contains(q.Uncounted, s.Text) && (slices.Contains(q.Terms, s.Text) || slices.Contains(q.Prefixes, s.Text)) {
			sum += s.Boost * s.IDF
		}
	}
	for _, s := range found.Grams {
		if !h.counted[gramKey(s.Text)] && slices.Contains(q.KeyGrams, s.Text) {
			sum += s.IDF
		}
	}
	return sum
}

// held is what the memory has of what was searched for, and which of the message's own terms count as a translated
// word already.
type held struct {
	words, grams map[string]index.TermStat
	counted      map[string]bool
}

func heldBy(found index.Result) held {
	return held{words: byText(found.Words), grams: byText(found.Grams), counted: map[string]bool{}}
}

// byText returns the terms that a document holds.
func byText(stats []index.TermStat) map[string]index.TermStat {
	out := map[string]index.TermStat{}
	for _, s := range stats {
		if s.DocFrequency > 0 {
			out[s.Text] = s
		}
	}
	return out
}

// gramKey is the key of a gram beside words.
func gramKey(gram string) string { return "\x00" + gram }

// add returns the idf of a word that the memory has in the other language, and counts the message's own terms for
// it. It is 0 for a word that the memory does not have there.
func (h held) add(t retrieve.Translated) (sum float64) {
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
	count := func(key string, s index.TermStat, boost float64) {
		if s.DocFrequency > 0 && !h.counted[key] {
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

// idf is the idf of a translation, or 0 when the memory does not have all of it.
func (h held) idf(t retrieve.Translated, w retrieve.TranslatedWord) (sum float64) {
	share := t.Boost / float64(len(w.Terms)+len(w.Grams))
	for _, term := range w.Terms {
		if h.words[term].DocFrequency == 0 {
			return 0
		}
		sum += share * h.words[term].IDF
	}
	for _, g := range w.Grams {
		if h.grams[g].DocFrequency == 0 {
			return 0
		}
		sum += h.grams[g].IDF
	}
	return sum
}

// markPhrases marks the hits that have a distinctive word of the message as a phrase of the other language.
func (r *Reader) markPhrases(ctx context.Context, a *agent, q retrieve.Query, found index.Result) error {
	if !hasPhrase(q, found) {
		return nil
	}
	read := 0
	return r.view(ctx, func(tx *store.Tx) error {
		for i := range found.Hits {
			h := &found.Hits[i]
			if h.Marked {
				continue
			}
			if read++; read > lookedForPhrases {
				return nil
			}
			it, err := tx.Item(a.id, h.ID)
			if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			h.Marked = retrieve.SaysPhrase(saidBy(it), q)
		}
		return nil
	})
}

// hasPhrase reports whether the memory has all parts of a translation that is a phrase.
func hasPhrase(q retrieve.Query, found index.Result) bool {
	h := held{}
	for _, t := range q.Translated {
		for _, w := range t.Words {
			if !t.Distinctive || w.Mark || len(w.Terms)+len(w.Grams) < 2 {
				continue
			}
			if h.words == nil {
				h = heldBy(found)
			}
			if h.idf(t, w) > 0 {
				return true
			}
		}
	}
	return false
}
