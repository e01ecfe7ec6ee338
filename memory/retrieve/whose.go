package retrieve

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
)

//go:embed data/relations.txt
var relationsTable string

// othersWeight is the share of its relevance that a memory keeps if it is not about the person or
// animal that the message is about: "where does my sister live?" is not answered by the user's home.
const othersWeight = 0.5

// relation holds the words for one kind of person or animal.
type relation struct {
	forms  []string // of English words, in index form
	said   []string // Chinese words of two characters or more
	single []string // Chinese characters that count after 我
}

var relations = sync.OnceValue(func() []relation {
	var out []relation
	for line := range strings.Lines(relationsTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var r relation
		for _, w := range strings.Fields(line) {
			switch {
			case !text.CJK(first(w)):
				r.forms = append(r.forms, text.QueryTerms(w)...)
			case utf8.RuneCountInString(w) == 1:
				r.single = append(r.single, w)
			default:
				r.said = append(r.said, w)
			}
		}
		if r.forms != nil || r.said != nil {
			out = append(out, r)
		}
	}
	return out
})

// before are the words between which and a relation nothing else is needed.
var before = []string{"我", "我的", "我家", "我家的", "我们家", "我们家的", "家里的", "我养的"}

// addWhose finds the people and animals of whom a question is.
func (q *Query) addWhose(message string) {
	if !Asks(message) {
		return
	}
	folded := text.Fold(message)
	for _, r := range relations() {
		if slices.ContainsFunc(q.Distinctive, func(t string) bool { return slices.Contains(r.forms, t) }) || r.inChinese(folded) {
			q.Whose.Terms = append(q.Whose.Terms, q.terms(distinct(slices.Clone(r.forms)), nil)...)
			q.Whose.Grams = append(q.Whose.Grams, r.grams()...)
		}
	}
}

func (r relation) inChinese(message string) bool {
	if slices.ContainsFunc(r.said, func(w string) bool { return strings.Contains(message, w) }) {
		return true
	}
	for _, s := range r.single {
		for _, b := range before {
			if strings.Contains(message, b+s) {
				return true
			}
		}
	}
	return false
}

// grams are the first two characters of each Chinese word, and the single characters: any one of
// them is enough to match.
func (r relation) grams() (out []string) {
	for _, w := range r.said {
		_, a := utf8.DecodeRuneInString(w)
		_, b := utf8.DecodeRuneInString(w[a:])
		out = append(out, w[:a+b])
	}
	return append(out, r.single...)
}

// ofOthers lowers the relevance of memories that are not about whom the message is about, if any is.
func (g Gathered) ofOthers(found *Found) {
	if len(g.Whose.Hits) == 0 {
		return
	}
	about := g.Whose.byID()
	for i := range found.Candidates {
		c := &found.Candidates[i]
		if _, ok := about[c.Head.ID]; !ok {
			c.Relevance, c.Topic = c.Relevance*othersWeight, c.Topic*othersWeight
		}
	}
}
