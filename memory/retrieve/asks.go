package retrieve

import (
	_ "embed"
	"strings"
	"sync"

	"memoria/index/text"
)

//go:embed data/asks.txt
var asksTable string

// asked is a kind of question: its forms, and the words under which its answer is
// stored. These are searched as index words (English) and as characters or pairs
// (Chinese, however segmented).
type asked struct {
	forms        []string
	under        []string // the words as written in the table
	words, grams []string
}

var asks = sync.OnceValue(func() []asked {
	var out []asked
	for line := range strings.Lines(asksTable) {
		under, forms, ok := strings.Cut(line, "<")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		var a asked
		a.under = strings.Fields(under)
		for _, w := range a.under {
			if text.CJK(first(w)) {
				a.grams = append(a.grams, text.Fold(w))
			} else {
				a.words = append(a.words, text.QueryTerms(w)...)
			}
		}
		for f := range strings.SplitSeq(forms, "|") {
			a.forms = append(a.forms, text.Fold(strings.TrimSpace(f)))
		}
		out = append(out, a)
	}
	return out
})

// addAsked adds the words under which the answer is stored if the question does not
// name them.
func (q *Query) addAsked(message string) {
	said := clauses(message)
	for _, a := range asks() {
		if a.in(said) {
			q.Asked = append(q.Asked, a.under...)
			q.AskedWords, q.AskedGrams = append(q.AskedWords, a.words...), append(q.AskedGrams, a.grams...)
		}
	}
	q.Asked = without(distinct(q.Asked), q.Keywords)
	q.AskedWords, q.AskedGrams = distinct(q.AskedWords), distinct(q.AskedGrams)
}

func (a asked) in(said []clause) bool {
	for _, c := range said {
		for _, f := range a.forms {
			if c.holds(f) {
				return true
			}
		}
	}
	return false
}
