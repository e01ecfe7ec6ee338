package retrieve

import (
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
)

// Question is a message that is answered without a model, by quotes. A person reads every quote as
// the answer, so its methods say which texts may be one.
type Question struct {
	Query
	read     string // folded
	asks     bool
	ofKind   bool       // it asks for a kind of memories, whatever their words
	own      []relation // the people and animals that it is about
	about    []relation // with those that may stand for them
	subject  string     // as an index has it
	someone  bool       // the subject is no word of a dictionary: probably a name
	plans    bool       // it asks for plans
	synonyms Expansion
	aspect   *aspect // what it asks of somebody
}

// NewQuestion reads a message. One that asks nothing has every answer and misses no word.
func NewQuestion(message string) Question {
	q := Question{Query: Analyse(message, ""), asks: Asks(message)}
	read := spelt(message)
	q.plans = asksForPlans(read)
	q.ofKind = q.Preference || q.TimeOnly || q.plans
	q.read = text.Fold(read)
	q.own, q.about = q.relations(q.read)
	q.aspect = aspectOf(read)
	q.subject, q.synonyms = q.Query.subject(read), Expand(q.Query)
	q.someone = len(q.about) == 0 && q.soundsLikeAName()
	return q
}

// soundsLikeAName reports whether the subject is in no dictionary.
func (q Question) soundsLikeAName() bool {
	switch {
	case q.subject == "", titles[q.subject], text.IsCommon(q.subject):
		return false
	}
	word := q.keys[0].folded
	if strings.HasPrefix(q.read, word+word) { // 豆豆
		word += word
	}
	said := []rune(word)
	return isLatin(q.subject) || len(said) > 1 && len(said) < 4 && !strings.ContainsRune(noNames, said[len(said)-1]) &&
		len(text.Translate(string(said))) == 0
}

// noNames are characters with which the word for a thing ends, and no name.
const noNames = "费号码卡证票钱价车课药店房网书单款税站班箱机器饭菜茶酒病"

// Respelt lets the words that a retrieval found stand for misspelt ones of the question, see [Query.Respell].
func (q *Question) Respelt(found map[string][]string) { q.addRespelt(found) }

// Asks reports whether the message asks something.
func (q Question) Asks() bool { return q.asks }

// Missing returns the distinctive words of the question that none of the texts has, in any form or
// translation: a memory that only shares the others ("birthday") may be about somebody else. It
// returns none if a text has a word under which the answer is stored ([Query.Asked]).
func (q Question) Missing(texts []string) (out []string) {
	if !q.asks || q.ofKind || q.HasAnswer(texts) {
		return nil
	}
	scans := make([]scanned, len(texts))
	for i, t := range texts {
		if scans[i] = newScanned(t); scans[i].answers(q.Query) {
			return nil
		}
	}
	for _, k := range q.keys {
		if len(among(q.Distinctive, k.forms)) > 0 &&
			!slices.ContainsFunc(scans, func(s scanned) bool { return s.holds(k) || s.translates(k, q.Translated) }) {
			out = append(out, k.folded)
		}
	}
	return out
}

// IsAnsweredBy reports whether a memory has a word under which the answer is stored ([Query.Asked]), and is not
// about others when the question is about the user.
func (q Question) IsAnsweredBy(it memory.Item) bool {
	return (len(q.about) > 0 || it.Type != memory.TypeRelationship) && newScanned(TextOf(it)).answers(q.Query)
}

// Has returns how many of some words that are missing, see [Question.Missing], a text has.
func (q Question) Has(missing []string, said string) (n int) {
	lacks := q.Missing([]string{said})
	for _, w := range missing {
		if !slices.Contains(lacks, w) {
			n++
		}
	}
	return n
}

// translates reports whether the text has a translation of a keyword.
func (s scanned) translates(k key, translated []Translated) bool {
	return slices.ContainsFunc(translated, func(t Translated) bool {
		return len(among(t.Terms, k.forms)) > 0 && s.holdsTranslated(t) || s.translates(k, t.Parts)
	})
}

// OfNobody reports whether the question is about a person or animal of the user's ("my wife",
// 我家狗), or about somebody with a name, whom none of the texts mentions, so that none can answer it. Texts about those
// who stand for each other count as about them: a wife is married, a son is a child.
func (q Question) OfNobody(texts ...string) bool {
	if q.someone {
		return !slices.ContainsFunc(texts, q.HasSubject)
	}
	return len(q.about) > 0 && !slices.ContainsFunc(texts, func(t string) bool { return q.concerns(t, newScanned(t)) })
}

// concerns reports whether a text is about those whom the question is about, or about one who may stand for them: but a text
// that begins with the brother alone is not about the sister.
func (q Question) concerns(said string, s scanned) bool {
	if !mentions(s, q.about) {
		return false
	}
	begins := newScanned(beginning(said))
	return !slices.ContainsFunc(contrasts(), func(group []relation) bool {
		asked, others := q.split(group)
		return len(asked) > 0 && mentions(begins, others) && !mentions(begins, asked)
	})
}

// split returns those of a group whom the question is about, and the others.
func (q Question) split(group []relation) (asked, others []relation) {
	is := func(r relation) bool { return r.named(q.Query, q.read) }
	if !slices.ContainsFunc(group, is) {
		is = func(r relation) bool { return slices.ContainsFunc(q.own, r.overlaps) }
	}
	for _, r := range group {
		if is(r) {
			asked = append(asked, r)
		} else {
			others = append(others, r)
		}
	}
	return asked, others
}

// Answering reports which of the memories recalled for the question may answer it: without those
// about somebody else, if there are others, and without those that have none of its distinctive
// words or their synonyms. A question about preferences, plans or a time has other answers.
func (q Question) Answering(memories []memory.Item) []bool {
	out := slices.Repeat([]bool{true}, len(memories))
	if q.ofKind {
		about := q.planned()
		for i, it := range memories {
			s := newScanned(TextOf(it))
			out[i] = (len(q.about) == 0 || q.mayConcern(it, s)) &&
				(len(about) == 0 || slices.ContainsFunc(about, func(w string) bool { return s.words[w] || s.related(q.synonyms) }))
		}
		return out
	}
	var answers, named, distinctive []bool
	for _, it := range memories {
		s := newScanned(TextOf(it))
		distinctive = append(distinctive, s.match(q.Query, q.Translated).Distinctive || s.related(q.synonyms))
		named = append(named, q.subject != "" && q.HasSubject(TextOf(it)))
		answers = append(answers, q.mayConcern(it, s))
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

// planned returns the words of a question about plans that say which, as an index has them: "holiday".
func (q Question) planned() (out []string) {
	if !q.plans {
		return nil
	}
	for _, w := range q.Distinctive {
		if !planWords()[w] && !slices.Contains(q.Uncounted, w) {
			out = append(out, w)
		}
	}
	return out
}

// mayConcern reports whether a memory, of which s is the text, is about those whom the question is
// about: the user, or people and animals of his.
func (q Question) mayConcern(it memory.Item, s scanned) bool {
	switch {
	case len(q.about) > 0:
		return q.concerns(it.Content, s)
	case q.OfUser && !s.answers(q.Query):
		return it.Type != memory.TypeRelationship && !mentions(newScanned(beginning(it.Content)), relations())
	}
	return true
}

// related reports whether the text has a synonym.
func (s scanned) related(e Expansion) bool {
	return slices.ContainsFunc(e.Terms, func(t string) bool { return s.words[t] }) ||
		slices.ContainsFunc(e.Grams, func(g string) bool { return strings.Contains(s.folded, g) })
}

// HasSubject reports whether a text names of whom or what a question in the third person is; true
// for other questions.
func (q Question) HasSubject(said string) bool {
	s := newScanned(said)
	return q.subject == "" || s.words[q.subject] ||
		slices.ContainsFunc(q.Translated, func(t Translated) bool { return slices.Contains(t.Terms, q.subject) && s.holdsTranslated(t) })
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

// titles stand before names.
var titles = wordSet("mr mrs ms miss dr sir")

// verbs are the asking words after which a subject comes; articles may come before it.
var (
	verbs    = wordSet("do does did is are am was were has have had can could will would should")
	articles = wordSet("the a an this that these those")
)

// relations returns the people and animals that a folded question is about, and them with those that may stand
// for them; none if it names one by a name alone, or nobody.
func (q Query) relations(folded string) (own, about []relation) {
	if q.Whose.Empty() || q.NamedOnly {
		return nil, nil
	}
	for _, r := range relations() {
		if r.named(q, folded) {
			own = append(own, r)
		}
	}
	about = slices.Clone(own)
	for _, group := range standIns() {
		if slices.ContainsFunc(about, group.overlaps) {
			about = append(about, group)
		}
	}
	return own, about
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
