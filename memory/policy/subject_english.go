package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/policy/lang"
)

var (
	partiesEN      = lang.Listed("subject_people_en")
	subjectLeadsEN = lang.Listed("subject_leads_en")
	subjectVerbsEN = lang.Listed("subject_verbs_en")
)

// Function words: few and closed, unlike the lists of data.
var (
	userEN     = wordSet(`i i'm im i've ive i'd i'll we we're we've we'd we'll myself ourselves me`)
	userWordEN = wordSet(`i i'm i've my me mine myself we our ours us`)
	theyEN     = wordSet(`he she they he's she's they're they've they'd they'll he'd she'd he'll she'll
		his her their hers theirs him them`)
	youEN        = wordSet(`you your you're you've you'd you'll yours u let's`)
	pointerEN    = wordSet(`it it's its this that that's these those there there's which who here here's`)
	articleEN    = wordSet(`the a an some any every each one another both all many most no two three`)
	finiteVerbEN = wordSet(`is are was were has have had will would can could does did do should must may might isn't aren't wasn't weren't
		hasn't haven't hadn't won't wouldn't can't couldn't doesn't didn't don't never always got`)
	thirdVerbEN = wordSet(`has is does hasn't isn't doesn't is's has's`)
	firstVerbEN = wordSet(`am`)
	// pastEN are ambiguous forms, or forms without a known base form.
	pastEN = wordSet(`left spoke saw felt found rang ran came got spent lost met made told said went quit put set cut hit read`)
	// openVerbEN begin clauses without a subject.
	openVerbEN = wordSet(`been being be had have haven't hadn't am was wasn't did didn't do don't can can't could couldn't will won't would
		wouldn't should never always not got getting going gone used no_longer`)
	// ofPartyEN may occur within the words for a party: one of the customers.
	ofPartyEN = wordSet(`of the my our your his her some`)
	// placeJoinEN precede a name that is not a party's: a place, a time.
	placeJoinEN = wordSet(`in to from at near on of since until by via for`)
)

// englishSubject parses the subject of a clause.
func englishSubject(raw string) saidSubject {
	words := strings.FieldsFunc(raw, func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == '.' || r == '!' || r == '/' })
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = strings.Trim(text.Fold(w), `'*_`)
	}
	skip := leadWords(low)
	c := clauseEN{raw: words[skip:], low: low[skip:], begins: skip == 0}
	out := c.subject()
	if out.mentions = c.mention(); out.name != "" {
		out.mentions = out.name
	}
	out.own = slices.ContainsFunc(low, func(w string) bool { return userWordEN[w] })
	return out
}

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
	begins   bool // the first word is the clause's first
}

func (c clauseEN) subject() saidSubject {
	if len(c.low) == 0 {
		return saidSubject{form: fragment}
	}
	switch w := c.low[0]; {
	case userEN[w]:
		return saidSubject{who: Self}
	case w == "my" || w == "our":
		if name := c.partyIn(1, 6); name != "" {
			return saidSubject{who: Another, name: name}
		}
		return saidSubject{who: Self}
	case theyEN[w]:
		return saidSubject{who: Another, form: pronoun}
	case youEN[w]:
		return saidSubject{who: Listener}
	case pointerEN[w]:
		return saidSubject{who: Thing, form: pointing}
	case articleEN[w]:
		if name := c.partyIn(1, 6); name != "" {
			return saidSubject{who: Another, name: name}
		}
		return saidSubject{who: Thing}
	case firstVerbEN[w]:
		return saidSubject{form: first}
	case thirdVerbEN[w]:
		return saidSubject{form: third}
	case openVerbEN[w]:
		return saidSubject{form: omitted}
	}
	return c.noun()
}

// noun parses a clause that does not begin with a function word.
func (c clauseEN) noun() saidSubject {
	if namesParty(c.low[0]) {
		return saidSubject{who: Another, name: c.partyIn(0, 3)}
	}
	verb := subjectVerbsEN().Has(c.low[0]) || pastEN[c.low[0]]
	for k := 1; k < min(6, len(c.low)); k++ {
		w := c.low[k]
		if finiteVerbEN[w] || !verb && pastOrThird(w) {
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
		if text.IsStop(w) && !ofPartyEN[w] || verb && k == 1 {
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
	return pastEN[w] || subjectVerbsEN().Has(w) && !subjectVerbsEN().Words[w] && !strings.HasSuffix(w, "ing")
}

// named reports whether the first k words are a name: words not in the table of translations.
func (c clauseEN) named(k int) bool {
	for _, w := range c.low[:k] {
		if text.IsStop(w) || len(text.Translations(w)) > 0 || strings.ContainsAny(w, "0123456789") {
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
			if end < len(c.raw) && beginsUpper(c.raw[end]) && !userEN[c.low[end]] { // "my sister Anna"
				end++
			}
			return possessiveEnd(strings.Join(c.raw[:end], " "))
		}
		if i > from && (text.IsStop(c.low[i]) && !ofPartyEN[c.low[i]] || finiteVerbEN[c.low[i]] || pastOrThird(c.low[i])) {
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
		properName := i > 0 && beginsUpper(c.raw[i]) && !userWordEN[w] && !text.IsStop(w) && len(text.Translations(w)) == 0
		if properName && !placeJoinEN[c.low[i-1]] {
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

func beginsUpper(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}
