package retrieve

import (
	_ "embed"
	"strings"
	"sync"

	"memoria/index/text"
)

// Lines of words of which one may stand for another when a person is asked about;
// lines that begin with # are comments.
//
//go:embed data/related.txt
var relatedTable string

// relatedWeight is how much a word that stands for one of the message's counts beside
// that one.
const relatedWeight = 0.5

// relatedWords are the lines of the table by each of their words, in the forms of an
// index.
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

// Expansion are words that a message does not have and that stand for words that it
// has (R10).
type Expansion struct {
	// Words are for people.
	Words []string
	// Terms and Grams are what the index is asked for, without what the message has.
	Terms, Grams []string
	// Distinctive are those of Terms that stand for a distinctive word of a message
	// about its writer ([Query.Personal]): finding them is as good as finding that word.
	Distinctive []string
}

// Expand finds words that usually mean the same as the message's (job, career;
// data/related.txt), with their translations. It needs no model.
//
// Words of the best items (pseudo-relevance feedback) were tried beside them and
// changed R@5 on no open set by more than 0.2 points.
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

// addRelated adds words and their translations. Only the words are for people.
func (a *Expansion) addRelated(q Query, words []string, counts bool) {
	a.add(words, counts)
	for _, w := range words {
		for _, other := range text.Translations(w) {
			for _, x := range q.translated(other, counts) {
				if len(x.Terms) > 1 || len(x.Grams) > 1 {
					continue // words of a phrase mean something else
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

// Empty reports whether there is nothing to look for.
func (a Expansion) Empty() bool { return len(a.Terms)+len(a.Grams) == 0 }

// Expanded is the relevance of an item that also holds words of an expansion. They are
// measured like the message's own words: against the Σ idf of those.
func Expanded(relevance float64, related BM25) float64 {
	return Combine(relevance, related.share(), relatedWeight)
}
