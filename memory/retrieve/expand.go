package retrieve

import (
	_ "embed"
	"strings"
	"sync"

	"memoria/index/text"
)

// Lines of words that may substitute for each other in questions about a person; lines
// that begin with # are comments.
//
//go:embed data/related.txt
var relatedTable string

// relatedWeight is the weight of a related word relative to the message's own.
const relatedWeight = 0.5

// relatedWords maps each word, in index form, to the words of its line.
var relatedWords = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(relatedTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		for _, w := range words {
			for _, f := range text.QueryTerms(w) {
				out[f] = append(out[f], words...)
			}
		}
	}
	return out
})

// Expansion holds words related to those of a message (R10).
type Expansion struct {
	// Words are for display.
	Words []string
	// Terms and Grams are for the index, without those of the message.
	Terms, Grams []string
	// Distinctive are the Terms related to a distinctive word of a message about its
	// author ([Query.Personal]): finding them counts as finding that word.
	Distinctive []string
}

// Expand returns usual synonyms of the message's words (job, career; data/related.txt),
// with their translations. It needs no model.
//
// Pseudo-relevance feedback from the best items was also tried. It changed R@5 on no
// open set by more than 0.2 points.
func Expand(q Query) Expansion {
	var e Expansion
	for _, t := range q.Distinctive {
		e.addRelated(q, relatedWords()[t], q.Personal)
	}
	for _, t := range without(q.Terms, q.Distinctive) {
		e.addRelated(q, relatedWords()[t], false)
	}
	e.Words = without(distinct(e.Words), q.Keywords)
	e.Terms, e.Grams = without(distinct(e.Terms), q.Terms), without(distinct(e.Grams), q.Grams)
	e.Distinctive = without(distinct(e.Distinctive), q.Terms)
	return e
}

// addRelated adds words and their translations. Only the words are for display.
func (a *Expansion) addRelated(q Query, words []string, counts bool) {
	a.add(words, counts)
	for _, w := range words {
		for _, other := range text.Translations(w) {
			for _, x := range q.translated(other, counts) {
				if len(x.Terms) > 1 || len(x.Grams) > 1 {
					continue // words of a phrase have another meaning
				}
				a.Terms, a.Grams = append(a.Terms, x.Terms...), append(a.Grams, x.Grams...)
				if x.Mark {
					a.Distinctive = append(a.Distinctive, x.Terms...)
				}
			}
		}
	}
}

func (a *Expansion) add(words []string, counts bool) {
	for _, w := range words {
		forms := text.QueryTerms(w)
		a.Words, a.Terms = append(a.Words, w), append(a.Terms, forms...)
		if text.CJK(first(w)) {
			a.Grams = append(a.Grams, text.Grams(w)...)
		}
		if counts {
			a.Distinctive = append(a.Distinctive, forms...)
		}
	}
}

// expanded returns the relevance of an item that also has words of an expansion. They
// are measured against the Σ idf of the message's own words.
func expanded(relevance float64, related BM25) float64 {
	return Combine(relevance, related.share(), relatedWeight)
}
