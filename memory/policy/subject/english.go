package subject

import (
	"slices"
	"strings"
	"unicode"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

var (
	partiesEN      = lang.Listed("subject_people_en")
	subjectLeadsEN = lang.Listed("subject_leads_en")
	subjectVerbsEN = lang.Listed("subject_verbs_en")
)

// The function words of subjects.txt.
var (
	subjectUser = lang.Words("subjectUser")
	subjectOwn  = lang.Words("subjectOwn")
	finiteVerb  = lang.Words("finiteVerb")
	pastForm    = lang.Words("pastForm")
	ofParty     = lang.Words("ofParty")
	beforePlace = lang.Words("beforePlace")
	thingName   = lang.Words("thingName")
	isSuch      = lang.Words("isSuch")
	bringsIn    = lang.Form("bringsIn")
)

// englishSubject parses the subject of a clause.
func englishSubject(raw string) saidSubject {
	words := strings.FieldsFunc(raw, func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == '.' || r == '!' || r == '/' })
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = strings.Trim(text.Fold(w), `'*_`)
	}
	skip := leadWords(low)
	c := clauseEN{raw: words[skip:], low: low[skip:]}
	out := c.subject()
	out.mentions = c.mention()
	if m := bringsIn.Find(strings.Join(c.low, " ")); m != nil && out.who == Self || m != nil && out.form == omitted {
		if w := c.mention(); w != "" && !isAnimal.Match(text.Fold(lastWord(w))) {
			out.brings = w
		}
	}
	out.such = len(c.low) > 0 && isSuch()[c.low[0]]
	out.own = slices.ContainsFunc(low, func(w string) bool { return subjectOwn()[w] })
	return out
}

func lastWord(s string) string { return s[strings.LastIndex(s, " ")+1:] }

// leadWords counts the introductory words of a clause.
func leadWords(low []string) (n int) {
	for n < len(low) {
		k := 0
		for size := min(4, len(low)-n); size > 0; size-- {
			if subjectLeadsEN().Words[strings.Join(low[n:n+size], " ")] {
				k = size
				break
			}
		}
		if k == 0 {
			return n
		}
		n += k
	}
	return n
}

// clauseEN is a clause in words, as written and folded.
type clauseEN struct {
	raw, low []string
}

func (c clauseEN) subject() saidSubject {
	if len(c.low) == 0 {
		return saidSubject{form: fragment}
	}
	for _, o := range openings {
		if !o.words()[c.low[0]] {
			continue
		}
		if name := c.partyIn(1, 6); o.noun && name != "" {
			return saidSubject{who: Another, name: name}
		}
		return o.said
	}
	return c.noun()
}

// openings are the function words that a clause begins with, and what they say of its subject. noun says that a
// party may follow, which then is the subject.
var openings = []struct {
	words func() map[string]bool
	said  saidSubject
	noun  bool
}{
	{words: subjectUser, said: saidSubject{who: Self}},
	{words: lang.Words("subjectMy"), said: saidSubject{who: Self}, noun: true},
	{words: lang.Words("subjectThey"), said: saidSubject{who: Another, form: pronoun}},
	{words: lang.Words("subjectYou"), said: saidSubject{who: Listener}},
	{words: lang.Words("subjectPointer"), said: saidSubject{who: Thing, form: pointing}},
	{words: lang.Words("subjectArticle"), said: saidSubject{who: Thing}, noun: true},
	{words: lang.Words("firstVerb"), said: saidSubject{form: first}},
	{words: lang.Words("thirdVerb"), said: saidSubject{form: third}},
	{words: lang.Words("openVerb"), said: saidSubject{form: omitted}},
}

// noun parses a clause that does not begin with a function word.
func (c clauseEN) noun() saidSubject {
	if namesParty(c.low[0]) {
		return saidSubject{who: Another, name: c.partyIn(0, 3)}
	}
	verb := subjectVerbsEN().Has(c.low[0]) || pastForm()[c.low[0]]
	for k := 1; k < min(6, len(c.low)); k++ {
		w := c.low[k]
		if finiteVerb()[w] || !verb && pastOrThird(w) {
			if strings.HasSuffix(c.low[0], "ed") && verb {
				break
			}
			if name := c.partyIn(0, k); name != "" {
				return saidSubject{who: Another, name: name}
			}
			if !verb && !strings.HasSuffix(c.low[0], "ing") && c.named(k) {
				return saidSubject{who: Another, name: strings.Join(c.raw[:k], " ")}
			}
			return saidSubject{who: Thing}
		}
		if text.IsStop(w) && !ofParty()[w] || verb && k == 1 {
			break
		}
	}
	switch w := c.low[0]; {
	case verb && strings.HasSuffix(w, "s") && !subjectVerbsEN().Words[w]:
		return saidSubject{form: third}
	case verb:
		return saidSubject{form: omitted}
	}
	return saidSubject{form: fragment}
}

// pastOrThird reports whether a word is a verb form that follows its subject: died, went, wants.
func pastOrThird(w string) bool {
	return pastForm()[w] || subjectVerbsEN().Has(w) && !subjectVerbsEN().Words[w] && !strings.HasSuffix(w, "ing")
}

// named reports whether the first k words are a name: words not in the table of translations.
func (c clauseEN) named(k int) bool {
	for _, w := range c.low[:k] {
		if text.IsStop(w) || thingName()[w] || len(text.Translations(w)) > 0 || strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	return true
}

// partyIn returns the words from the first up to one that names a party, if before any stop word.
func (c clauseEN) partyIn(from, to int) string {
	for i := from; i < min(to, len(c.low)); i++ {
		if namesParty(c.low[i]) {
			end := i + 1
			if end < len(c.raw) && lang.Capitalised(c.raw[end]) && !subjectUser()[c.low[end]] { // "my sister Anna"
				end++
			}
			return possessiveEnd(strings.Join(c.raw[:end], " "))
		}
		if i > from && (text.IsStop(c.low[i]) && !ofParty()[c.low[i]] || finiteVerb()[c.low[i]] || pastOrThird(c.low[i])) {
			break
		}
	}
	return ""
}

// mention returns a party named anywhere in the clause.
func (c clauseEN) mention() string {
	for i, w := range c.low {
		if namesParty(w) {
			return possessiveEnd(strings.Join(c.raw[max(0, i-1):i+1], " "))
		}
		properName := i > 0 && lang.Capitalised(c.raw[i]) && !subjectOwn()[w] && !text.IsStop(w) && len(text.Translations(w)) == 0
		if properName && !beforePlace()[c.low[i-1]] {
			return possessiveEnd(c.raw[i])
		}
	}
	return ""
}

func namesParty(w string) bool {
	w = possessiveEnd(w)
	return partiesEN().Words[w] || !text.IsStop(w) && partiesEN().Has(w)
}

func possessiveEnd(w string) string {
	w = strings.TrimRight(w, ",;:!?")
	return strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
}
