package retrieve

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory"
)

// Named is a person or animal of the user's with a name: Who is "partner" or 老公, Name is "Davie" or 何俊.
type Named struct{ Who, Name string }

// first is the first word of the name.
func (n Named) first() string {
	name, _, _ := strings.Cut(strings.TrimSpace(text.Fold(n.Name)), " ")
	return name
}

// nameTerms are the index forms of a name: of a Chinese one its pairs of characters, else its first uncommon word.
func (n Named) nameTerms() (terms, grams []string) {
	name := n.first()
	if text.CJK(first(name)) {
		if utf8.RuneCountInString(name) < 2 {
			return nil, nil
		}
		return nil, pairs(name)
	}
	for _, t := range text.QueryTerms(n.Name) {
		if isLatin(t) && !isCommon(t) {
			return []string{t}, nil
		}
	}
	return nil, nil
}

// relation returns the words for what someone is to the user.
func (n Named) relation() (relation, bool) {
	all := relations()
	i := slices.IndexFunc(all, func(r relation) bool {
		return meet(r.forms, text.QueryTerms(n.Who)) || slices.Contains(r.said, n.Who) || slices.Contains(r.single, n.Who)
	})
	if i < 0 {
		return relation{}, false
	}
	return all[i], true
}

// Know lets the names of the user's people and animals stand for what they are to the user, and the other way round, where a
// question has only one of both: what is known of the partner answers "when is Davie's birthday?". It returns those that
// the question is about.
func (q *Query) Know(message string, people []Named) (about []Named) {
	if !Asks(message) {
		return nil
	}
	folded := text.Fold(spelt(head(message, maxQuery)))
	for _, p := range people {
		r, ok := p.relation()
		terms, grams := p.nameTerms()
		if !ok || len(terms)+len(grams) == 0 {
			continue
		}
		byName := len(among(q.Terms, terms)) > 0 || len(grams) > 0 && !slices.ContainsFunc(grams, func(g string) bool {
			return !strings.Contains(folded, g)
		})
		byRelation := r.named(*q, folded)
		if byName && slices.ContainsFunc(relations(), func(o relation) bool { // "where does Mia's husband live?"
			return o.named(*q, folded) && !o.overlaps(r)
		}) {
			continue
		}
		name := TranslatedWord{Terms: terms, Grams: grams, Mark: len(terms) == 1}
		switch {
		case !byName && !byRelation:
			continue
		case byName && !byRelation:
			q.alias(among(q.Terms, append(terms, p.first())), among(q.KeyGrams, grams), r.asIn(p.Who))
			q.Whose.Terms = append(q.Whose.Terms, q.terms(slices.Concat(terms, r.forms), nil)...)
			q.Whose.Grams = append(q.Whose.Grams, slices.Concat(grams, r.grams())...)
		case byRelation && !byName:
			for _, t := range among(q.Terms, r.forms) {
				q.alias([]string{t}, nil, []TranslatedWord{name})
			}
			for _, w := range r.said {
				if strings.Contains(folded, w) {
					q.alias(among(q.Terms, []string{w}), among(q.KeyGrams, text.Grams(w)), []TranslatedWord{name})
				}
			}
			q.Whose.Terms = append(q.Whose.Terms, q.terms(terms, nil)...)
			q.Whose.Grams = append(q.Whose.Grams, grams...)
		}
		q.NamedOnly, q.OfUser = false, false
		about = append(about, p)
	}
	return about
}

// asIn returns the index forms of what someone is to the user, as a memory has it: 妹妹 also as 妹.
func (r relation) asIn(who string) (out []TranslatedWord) {
	if !text.CJK(first(who)) {
		return heldAsEnglish(who)
	}
	out = heldAsChinese(who)
	for _, s := range r.single {
		if strings.Contains(who, s) {
			out = append(out, TranslatedWord{Grams: []string{s}})
		}
	}
	return out
}

// alias lets words of the memory stand for a word of the message, beside its translations.
func (q *Query) alias(terms, grams []string, words []TranslatedWord) {
	if len(terms)+len(grams) == 0 {
		return
	}
	q.Translated = slices.Clone(q.Translated)
	i := slices.IndexFunc(q.Translated, func(t Translated) bool { return slices.Equal(t.Terms, terms) && slices.Equal(t.Grams, grams) })
	if i < 0 {
		boost := q.WordBoost
		if len(grams) > 0 {
			boost = 1 + float64(len(grams))
		}
		q.Translated = append(q.Translated, Translated{Terms: terms, Grams: grams, Boost: boost})
		i = len(q.Translated) - 1
	}
	t := &q.Translated[i]
	t.Distinctive, t.Words = true, append(slices.Clip(t.Words), words...)
}

// Keys of the names of the user's people and animals begin and end so: relation/sister/name.
const relationKey, nameKey = "relation/", "/name"

// NamedBy returns whom a memory names; ok is false for other memories.
func NamedBy(it memory.Item) (n Named, ok bool) {
	who, isRelation := strings.CutPrefix(it.Key, relationKey)
	who, isName := strings.CutSuffix(who, nameKey)
	var name struct{ Value string }
	if !isRelation || !isName || json.Unmarshal(it.Value, &name) != nil || name.Value == "" {
		return n, false
	}
	return Named{who, name.Value}, true
}

// Know is [Query.Know] for a question that is answered without a model.
func (q *Question) Know(message string, people []Named) {
	for _, p := range q.Query.Know(message, people) {
		r, _ := p.relation()
		terms, grams := p.nameTerms()
		if len(grams) > 0 {
			grams = []string{p.first()}
		}
		person := relation{forms: slices.Concat(r.forms, terms), said: slices.Concat(r.said, grams), single: r.single}
		q.about, q.own = append(q.about, person), append(q.own, person)
	}
}
