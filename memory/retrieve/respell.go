package retrieve

import (
	"slices"

	"memoria/index/text"
)

const maxRespelt = 8

// Respell lets words of the memory stand for misspelt ones of the message, and words of the message
// for those that the memory has misspelt: "penicillin" for "penicilin". near returns the words of the
// memory that are spelt almost like index terms that the memory lacks, see [index.Index.Near]. Of two
// common words neither is misspelt, and a name with a capital letter is another person's. Only in a
// message about its author do they count as distinctive: many unrelated messages have a word that is
// almost one of the memory's. It returns the words found by the terms.
//
// Each term costs a walk over the words of an index, so a message with more than maxRespelt distinctive words,
// which has others to match, is not respelt.
func (q *Query) Respell(near func(terms []string) map[string][]string) map[string][]string {
	terms := slices.DeleteFunc(slices.Clone(q.Distinctive), func(t string) bool { return !isLatin(t) || slices.Contains(q.names, t) })
	if len(terms) == 0 || len(q.Distinctive) > maxRespelt {
		return nil
	}
	found := map[string][]string{}
	for term, words := range near(terms) {
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !isLatin(w) || isCommon(term) && isCommon(w) })
		if len(words) > 0 {
			found[term] = words
		}
	}
	q.addRespelt(found)
	return found
}

// addRespelt lets words of the memory stand for terms.
func (q *Query) addRespelt(found map[string][]string) {
	q.Translated = slices.Clone(q.Translated)
	for _, term := range q.Distinctive {
		if words := found[term]; len(words) > 0 {
			q.standFor(term, words)
		}
	}
}

// standFor lets words of the memory stand for a term, beside its translations.
func (q *Query) standFor(term string, words []string) {
	i := slices.IndexFunc(q.Translated, func(t Translated) bool { return slices.Equal(t.Terms, []string{term}) && len(t.Grams) == 0 })
	if i < 0 {
		q.Translated = append(q.Translated, Translated{Terms: []string{term}, Boost: q.Boost(term), Distinctive: q.Personal})
		i = len(q.Translated) - 1
	}
	t := &q.Translated[i]
	t.Words = slices.Clip(t.Words)
	for _, w := range words {
		t.Words = append(t.Words, TranslatedWord{Terms: []string{w}, Mark: q.Personal && !everyday()[w]})
	}
}

func isCommon(term string) bool { return everyday()[term] || text.IsCommon(term) }

// isLatin reports whether a term has the letters a to z alone.
func isLatin(term string) bool {
	for _, r := range term {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return true
}
