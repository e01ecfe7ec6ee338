package retrieve

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"memoria/index/text"
)

var (
	//go:embed data/asks.txt
	asksTable string
	//go:embed data/medicines.txt
	medicinesTable string
)

// medicines is the placeholder in data/asks.txt for the names of data/medicines.txt. They are searched, but not
// shown as keywords.
const medicines = "@medicines"

// asked is a kind of question: its forms, and the words under which its answer is
// stored. These are searched as index words (English) and as characters or pairs
// (Chinese, however segmented).
type asked struct {
	forms        []string
	under        []string // the words as written in the table
	words, grams []string // in index form, with the medicines
}

var asks = sync.OnceValue(func() []asked {
	var out []asked
	for line := range strings.Lines(asksTable) {
		under, forms, ok := strings.Cut(line, "<")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		var a asked
		for _, w := range strings.Fields(under) {
			if w == medicines {
				a.search(medicineNames()...)
				continue
			}
			a.under = append(a.under, w)
			a.search(w)
		}
		for f := range strings.SplitSeq(forms, "|") {
			a.forms = append(a.forms, text.Fold(strings.TrimSpace(f)))
		}
		out = append(out, a)
	}
	return out
})

// medicineNames are the names of data/medicines.txt, folded.
var medicineNames = sync.OnceValue(func() (out []string) {
	for line := range strings.Lines(medicinesTable) {
		if !strings.HasPrefix(line, "#") {
			out = append(out, strings.Fields(text.Fold(line))...)
		}
	}
	return out
})

// search adds index forms of words under which the answer is stored.
func (a *asked) search(words ...string) {
	for _, w := range words {
		if text.CJK(first(w)) {
			runes := []rune(text.Fold(w))
			a.grams = append(a.grams, string(runes[:min(len(runes), 2)]))
		} else {
			a.words = append(a.words, text.QueryTerms(w)...)
		}
	}
}

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
			if f, ok := strings.CutSuffix(f, " "+medicines); ok {
				if c.holds(f) && slices.ContainsFunc(medicineNames(), c.holds) {
					return true
				}
			} else if c.holds(f) {
				return true
			}
		}
	}
	return false
}
