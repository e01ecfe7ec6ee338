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

const (
	// relatedWeight is how much a word that stands for one of the message's counts
	// beside that one, lentWeight a word of the best items.
	relatedWeight = 0.5
	lentWeight    = 0.1
	// feedbackItems and feedbackWords are how many of the best items lend how many of
	// their words each.
	feedbackItems = 3
	feedbackWords = 6
	// feedbackLeast is the relevance from which an item counts as an answer.
	feedbackLeast = 0.25
)

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

// Expansion is what is looked for besides a message's own words (R10).
type Expansion struct {
	// Related stand for the message's words, Lent are of the items that match best.
	Related, Lent Added
}

// Added are words that a message does not have.
type Added struct {
	// Words are for people.
	Words []string
	// Terms and Grams are what the index is asked for, without what the message has.
	Terms, Grams []string
	// Distinctive are those of Terms that stand for a distinctive word of a message
	// about its writer ([Query.Personal]): finding them is as good as finding that word.
	Distinctive []string
}

// Expand finds what may be meant along with the message's words (R10), in two ways,
// both without a model: words that stand for the same (job, career; data/related.txt)
// with their translations, and words of the items that match best, which the caller
// gives as they were said. The latter never make a message recall anything that it
// would not recall without them.
func Expand(q Query, best []string) Expansion {
	var e Expansion
	for _, t := range q.Distinctive {
		e.Related.addRelated(q, relatedWords()[t], q.Personal)
	}
	for _, t := range without(q.Terms, q.Distinctive) {
		e.Related.addRelated(q, relatedWords()[t], false)
	}
	for _, said := range best[:min(len(best), feedbackItems)] {
		var lent []string
		for _, k := range text.Keywords(said) {
			if len(lent) < feedbackWords && len(distinctive(k, text.QueryTerms(k))) > 0 {
				lent = append(lent, k)
			}
		}
		e.Lent.add(lent, false)
	}
	for _, a := range []*Added{&e.Related, &e.Lent} {
		a.Words = without(distinct(a.Words), q.Keywords)
		a.Terms, a.Grams = without(distinct(a.Terms), q.Terms), without(distinct(a.Grams), q.Grams)
		a.Distinctive = without(distinct(a.Distinctive), q.Terms)
	}
	return e
}

// addRelated adds words and their translations. Only the words are for people.
func (a *Added) addRelated(q Query, words []string, counts bool) {
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

func (a *Added) add(words []string, counts bool) {
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
func (a Added) Empty() bool { return len(a.Terms)+len(a.Grams) == 0 }

// Answers reports whether the words of an item with this relevance may be lent to
// [Expand].
func Answers(relevance float64) bool { return relevance >= feedbackLeast }

// Expanded is the relevance of an item that also holds words of an expansion. Both
// are measured like the message's own words: against the Σ idf of those.
func Expanded(relevance float64, related, lent BM25) float64 {
	return Combine(Combine(relevance, related.share(), relatedWeight), lent.share(), lentWeight)
}
