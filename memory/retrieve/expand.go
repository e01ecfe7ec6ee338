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
	// expandWeight is how much of what the message's own words leave open a full match
	// of the words that were added fills up.
	expandWeight = 0.4
	// feedbackItems and feedbackWords are how many of the best items lend how many of
	// their words each.
	feedbackItems = 3
	feedbackWords = 6
	// feedbackLeast is the keyword score from which an item counts as an answer.
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
	// Words are for people.
	Words []string
	// Terms and Grams are what the index is asked for, without what the message has.
	Terms, Grams []string
	// Distinctive are those of Terms and Grams that stand for a distinctive word of
	// the message: that they occur in the memory is as good as if that one did.
	Distinctive []string
}

// Expand finds what may be meant along with the message's words (R10), in two ways,
// both without a model: words of its language or of the other that stand for the same
// (job, career, 工作; data/related.txt), and words of the items that match best, which
// the caller gives as they were said. The latter never make a message recall anything
// that it would not recall without them.
func Expand(q Query, best []string) Expansion {
	var e Expansion
	for _, t := range q.Distinctive {
		e.add(relatedWords()[t], true)
	}
	for _, t := range without(q.Terms, q.Distinctive) {
		e.add(relatedWords()[t], false)
	}
	for _, said := range best[:min(len(best), feedbackItems)] {
		var lent []string
		for _, k := range text.Keywords(said) {
			if len(lent) < feedbackWords && len(distinctive(k, text.QueryTerms(k))) > 0 {
				lent = append(lent, k)
			}
		}
		e.add(lent, false)
	}
	e.Words = without(distinct(e.Words), q.Keywords)
	e.Terms, e.Grams = without(distinct(e.Terms), q.Terms), without(distinct(e.Grams), q.Grams)
	e.Distinctive = without(distinct(e.Distinctive), append(q.Terms[:len(q.Terms):len(q.Terms)], q.Grams...))
	return e
}

func (e *Expansion) add(words []string, counts bool) {
	for _, w := range words {
		e.Words = append(e.Words, w)
		var forms []string
		if text.CJK(first(w)) {
			forms = []string{text.Fold(w)}
			e.Grams = append(e.Grams, text.Grams(w)...)
		}
		forms = append(forms, text.QueryTerms(w)...)
		e.Terms = append(e.Terms, text.QueryTerms(w)...)
		if counts {
			e.Distinctive = append(e.Distinctive, forms...)
		}
	}
}

// Empty reports whether there is nothing to look for.
func (e Expansion) Empty() bool { return len(e.Terms)+len(e.Grams) == 0 }

// Answers reports whether an item with this keyword score is one whose words may be
// lent to [Expand].
func Answers(keyword float64) bool { return keyword >= feedbackLeast }

// Expanded is the keyword score of an item that also holds words of an expansion:
// found is their BM25 against what one full match of them tends to.
func Expanded(keyword float64, found BM25) float64 {
	return Combine(keyword, found.share(), expandWeight)
}
