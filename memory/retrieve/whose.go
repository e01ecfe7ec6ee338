package retrieve

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
)

//go:embed data/relations.txt
var relationsTable string

// othersWeight is the share of its relevance that a memory keeps if it is not about the person or
// animal that a question is about: "where does my sister live?" is not answered by the user's home, nor
// "where do I live?" by the sister's.
const othersWeight = 0.4

// relation holds the words for one kind of person or animal.
type relation struct {
	words  []string // as written in the table
	forms  []string // of English words, in index form
	said   []string // Chinese words of two characters or more
	single []string // Chinese characters that count after 我
}

var relations = sync.OnceValue(func() []relation { return readRelations(' ') })

// standIns are the groups of words of which one may stand for another.
var standIns = sync.OnceValue(func() []relation { return readRelations('=') })

// contrasts are lines of people and animals of whom none stands for another.
var contrasts = sync.OnceValue(func() (out [][]relation) {
	for _, line := range readRelations('!') {
		var group []relation
		for _, r := range relations() {
			if meet(r.words, line.words) {
				group = append(group, r)
			}
		}
		if len(group) < 2 { // two of one relation: the elder and the younger brother
			group = nil
			for _, single := range line.single {
				group = append(group, relation{single: []string{single}})
			}
		}
		out = append(out, group)
	}
	return out
})

// readRelations reads the lines of data/relations.txt that begin with a mark, or with ' ' those that have none.
func readRelations(mark byte) []relation {
	var out []relation
	for line := range strings.Lines(relationsTable) {
		marked := byte(' ')
		if strings.ContainsRune("#=!", rune(line[0])) {
			marked, line = line[0], line[1:]
		}
		if marked != mark {
			continue
		}
		var r relation
		r.words = strings.Fields(line)
		for _, w := range r.words {
			switch {
			case !text.CJK(first(w)):
				r.forms = append(r.forms, text.QueryTerms(w)...)
			case utf8.RuneCountInString(w) == 1:
				r.single = append(r.single, w)
			default:
				r.said = append(r.said, w)
			}
		}
		if r.forms != nil || r.said != nil || marked != ' ' {
			out = append(out, r)
		}
	}
	return out
}

// before are the words that a single character must follow directly, to name someone of the user's.
var before = []string{"我", "我的", "我家", "我家的", "我们家", "我们家的", "家里的", "我养的"}

// after are the characters by which a single one that begins a question is a word of its own: 狗叫什么, but not 马上.
const after = "叫多几是在的今住有什怎岁喜爱生去哪呢啥"

// addWhose finds the people and animals of whom a question is: by the relation ("my sister", 我妹妹), or
// by a name, which English writes with a capital letter.
func (q *Query) addWhose(message string) {
	if !Asks(message) {
		return
	}
	for _, name := range capitalised(message) {
		if terms := text.QueryTerms(name); slices.ContainsFunc(terms, func(t string) bool { return slices.Contains(q.Distinctive, t) }) {
			q.Whose.Terms = append(q.Whose.Terms, q.terms(terms, nil)...)
		}
	}
	q.NamedOnly = !q.Whose.Empty()
	folded := text.Fold(message)
	for _, r := range relations() {
		if r.named(*q, folded) {
			q.Whose.Terms = append(q.Whose.Terms, q.terms(distinct(slices.Clone(r.forms)), nil)...)
			q.Whose.Grams = append(q.Whose.Grams, r.grams()...)
			q.NamedOnly = false
		}
	}
	q.OfUser = q.Whose.Empty() && q.Personal
}

// capitalised returns the words with a capital letter, but for the first of each sentence, and those in capitals.
func capitalised(message string) (names []string) {
	begins := true
	for _, t := range text.Tokens(message) {
		said := message[t.Start:t.End]
		base, _, _ := strings.Cut(strings.ReplaceAll(said, "’", "'"), "'")
		if lower := strings.ToLower(base); !begins && len(base) > 1 && base != lower && base[1:] == lower[1:] {
			names = append(names, base)
		}
		begins = strings.ContainsAny(message[t.End:min(len(message), t.End+1)], ".!?\n")
	}
	return names
}

// named reports whether a folded question names such a person or animal.
func (r relation) named(q Query, folded string) bool {
	return len(among(r.forms, q.Distinctive)) > 0 || r.inChinese(folded)
}

func (r relation) inChinese(message string) bool {
	if slices.ContainsFunc(r.said, func(w string) bool { return strings.Contains(message, w) }) {
		return true
	}
	for _, s := range r.single {
		if rest, ok := strings.CutPrefix(message, s); ok && rest != "" && strings.ContainsRune(after, first(rest)) {
			return true
		}
		for _, b := range before {
			if strings.Contains(message, b+s) {
				return true
			}
		}
	}
	return false
}

// inText reports whether a text mentions such a person or animal.
func (r relation) inText(s scanned) bool {
	return slices.ContainsFunc(r.forms, func(f string) bool { return s.words[f] }) ||
		slices.ContainsFunc(r.grams(), func(g string) bool { return strings.Contains(s.folded, g) })
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

// ofOthers lowers the relevance of memories that are not about whom a question is about: those without
// the words for that person, if any has them; and those about people and animals, if the question names
// the user alone.
func (g Gathered) ofOthers(q Query, found *Found) {
	about := g.Whose.byID()
	if q.NamedOnly && !slices.ContainsFunc(found.Candidates, func(c Candidate) bool {
		_, ok := about[c.Head.ID]
		return ok && c.Head.Type == memory.TypeRelationship
	}) {
		about = nil // the name is a place's, or unknown
	}
	for i := range found.Candidates {
		c := &found.Candidates[i]
		_, ok := about[c.Head.ID]
		if len(about) > 0 && !ok || q.OfUser && c.Head.Type == memory.TypeRelationship {
			c.Relevance, c.Topic = c.Relevance*othersWeight, c.Topic*othersWeight
		}
	}
}

// NamesRelation reports whether a word, as people write it, says what somebody is to the user: "mum", 老公.
func NamesRelation(word string) bool {
	word = text.Fold(word)
	forms, single := text.QueryTerms(word), strings.TrimPrefix(word, "我")
	return slices.ContainsFunc(relations(), func(r relation) bool {
		return slices.Contains(r.said, word) || slices.Contains(r.single, single) || meet(r.forms, forms)
	})
}
