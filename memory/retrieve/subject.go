package retrieve

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
)

// Missing returns the distinctive words of a question that none of the memories has, in any
// form or translation: a memory that only shares the others ("birthday") may be about somebody
// else. It returns none for a message that asks nothing, and none if a memory has a word under
// which the answer is stored ([Query.Asked]).
func Missing(message string, memories []string) (out []string) {
	q := Analyse(message, "")
	if !Asks(message) || q.asksOfKind(message) {
		return nil
	}
	scans := make([]scanned, len(memories))
	for i, m := range memories {
		if scans[i] = newScanned(m); scans[i].answers(q) {
			return nil
		}
	}
	for _, k := range q.keys {
		if slices.ContainsFunc(k.forms, func(f string) bool { return slices.Contains(q.Distinctive, f) }) &&
			!slices.ContainsFunc(scans, func(s scanned) bool { return s.holds(k) || s.translates(k, q.Translated) }) {
			out = append(out, k.folded)
		}
	}
	return out
}

// asksOfKind reports whether a question asks for a kind of memories, whatever their words.
func (q Query) asksOfKind(message string) bool {
	return q.Preference || q.TimeOnly || asksForPlans(spelt(message))
}

// translates reports whether the text has a translation of a keyword.
func (s scanned) translates(k key, translated []Translated) bool {
	return slices.ContainsFunc(translated, func(t Translated) bool {
		return len(among(t.Terms, k.forms)) > 0 && s.holdsTranslated(t) || s.translates(k, t.Parts)
	})
}

// OfNobody reports whether a question is about a person or animal of the user's ("my wife",
// 我家狗) whom none of the memories mentions, so that none can answer it. Memories about those
// who stand for each other count as about them: a wife is married, a son is a child.
func OfNobody(message string, memories []string) bool {
	about := relationsIn(message)
	return len(about) > 0 && !slices.ContainsFunc(memories, func(m string) bool { return mentions(newScanned(m), about) })
}

// Answering reports which of the memories recalled for a question may answer it: without those
// about somebody else, if there are others, and without those that have none of its distinctive
// words or their synonyms. A question about preferences, plans or a time has other answers.
func Answering(message string, memories []memory.Item) []bool {
	about, q := relationsIn(message), Analyse(message, "")
	subject, synonyms := q.subject(spelt(message)), Expand(q)
	answers, distinctive, named := make([]bool, len(memories)), make([]bool, len(memories)), make([]bool, len(memories))
	for i, it := range memories {
		s := newScanned(TextOf(it))
		distinctive[i] = s.match(q, q.Translated).Distinctive || s.related(synonyms)
		named[i] = subject != "" && s.words[subject]
		switch {
		case len(about) > 0:
			answers[i] = mentions(s, about)
		case q.OfUser:
			answers[i] = s.answers(q) ||
				it.Type != memory.TypeRelationship && !mentions(newScanned(beginning(it.Content)), relations())
		default:
			answers[i] = true
		}
	}
	out := slices.Repeat([]bool{true}, len(memories))
	if q.asksOfKind(message) {
		return out
	}
	if len(q.Distinctive) > 0 && !slices.Contains(distinctive, true) {
		return distinctive
	}
	for _, wanted := range [][]bool{answers, named, distinctive} {
		both := make([]bool, len(memories))
		for i := range both {
			both[i] = out[i] && wanted[i]
		}
		if slices.Contains(both, true) {
			out = both
		}
	}
	return out
}

// related reports whether the text has a synonym.
func (s scanned) related(e Expansion) bool {
	return slices.ContainsFunc(e.Terms, func(t string) bool { return s.words[t] }) ||
		slices.ContainsFunc(e.Grams, func(g string) bool { return strings.Contains(s.folded, g) })
}

// HasSubject reports whether a text names of whom or what a question in the third person is; true
// for other questions.
func HasSubject(message, said string) bool {
	subject := Analyse(message, "").subject(spelt(message))
	return subject == "" || newScanned(said).words[subject]
}

// subject returns the word, as an index has it, of which a question asks in the third person: "is
// Maisie allergic to nuts", "what time is Alfie's football", 雨桐多大; empty if it asks about the user,
// or of an everyday word.
func (q Query) subject(message string) string {
	if q.Personal {
		return ""
	}
	if strings.ContainsFunc(message, text.Han) {
		if len(q.keys) > 0 && strings.HasPrefix(text.Fold(message), q.keys[0].folded) {
			return oneOf(among(q.Distinctive, q.keys[0].forms))
		}
		return ""
	}
	asked := false
	for _, w := range lowerWords(message) {
		switch {
		case in("asking", w) || strings.HasSuffix(w, "'s") && in("asking", strings.TrimSuffix(w, "'s")):
			asked = asked || verbs[w] || strings.Contains(w, "'")
		case asked && !articles[w]:
			return oneOf(among(q.Distinctive, text.QueryTerms(w)))
		}
	}
	return ""
}

// verbs are the asking words after which a subject comes; articles may come before it.
var (
	verbs    = wordSet("do does did is are am was were has have had can could will would should")
	articles = wordSet("the a an this that these those")
)

// relationsIn returns the people and animals that a question is about, with those that stand for
// them; none if it names one by a name alone, or nobody.
func relationsIn(message string) (about []relation) {
	q, folded := Analyse(message, ""), text.Fold(spelt(message))
	if q.Whose.Empty() || q.NamedOnly {
		return nil
	}
	for _, r := range relations() {
		if r.named(q, folded) {
			about = append(about, r)
		}
	}
	for _, group := range standIns() {
		if slices.ContainsFunc(about, group.overlaps) {
			about = append(about, group)
		}
	}
	return about
}

func mentions(s scanned, about []relation) bool {
	return slices.ContainsFunc(about, func(r relation) bool { return r.inText(s) })
}

// overlaps reports whether two relations share a word.
func (r relation) overlaps(other relation) bool {
	return len(among(r.forms, other.forms)) > 0 || len(among(r.grams(), other.grams())) > 0
}

// beginsWith is the number of words, or of Chinese characters, at the beginning of a memory in
// which its subject is.
const beginsWith = 3

// beginning returns the first words of a memory.
func beginning(memory string) string {
	tokens := text.Tokens(memory)
	if len(tokens) == 0 {
		return ""
	}
	return memory[:tokens[min(len(tokens), beginsWith)-1].End]
}

// oneOf returns the first of the words, if there is any.
func oneOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
