package retrieve

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
)

// Translated is a word or phrase of a message that is also searched in the other language (R13). It counts
// once: as itself, or as its best translation, whichever the memory has.
type Translated struct {
	// Terms and Grams are the word's part of the query's Terms and KeyGrams.
	Terms, Grams []string
	// Boost is the weight of the whole word in a score.
	Boost float64
	// Distinctive says that a translation that is not an everyday word counts as a distinctive word of the
	// message.
	Distinctive bool
	// Words are the translations.
	Words []TranslatedWord
	// Parts are the parts of a phrase. They count if the memory has no translation of the
	// whole phrase.
	Parts []Translated

	found text.Translation
}

// TranslatedWord is a word or phrase that a memory may have instead of the message's. An index that has the
// word has all of its Terms and Grams.
type TranslatedWord struct {
	Terms, Grams []string
	// Mark says that its only term counts as a distinctive word of the message.
	Mark bool
}

// translate finds the words of a message that are in the table of translations. It is called after the query
// has the message's own terms.
func (q *Query) translate(message string) {
	q.Translated = q.translations(message, text.Translate(message))
}

func (q *Query) translations(message string, found []text.Translation) (out []Translated) {
	for _, f := range found {
		said := message[f.Start:f.End]
		forms := f.Terms
		t := Translated{Terms: among(q.Terms, forms), Grams: among(q.KeyGrams, text.Grams(said)), found: f}
		if len(t.Terms) == 0 && len(forms) > 0 {
			continue // part of the request, not of the subject
		}
		t.Distinctive = len(forms) != 1 && !everyday()[text.Fold(said)] || len(among(q.Distinctive, t.Terms)) > 0
		t.Boost = q.WordBoost
		if text.CJK(first(said)) {
			t.Boost = 1 + float64(len(t.Grams))
		} else if len(t.Terms) > 1 {
			t.Boost *= 2
		}
		if !t.Distinctive {
			t.Boost *= q.EverydayWeight
		}
		for _, w := range f.Words {
			for _, x := range q.translated(w, t.Distinctive) {
				if !slices.ContainsFunc(t.Words, x.equal) {
					t.Words = append(t.Words, x)
				}
			}
		}
		t.Parts = q.translations(message, f.Parts)
		if len(t.Words) > 0 || len(t.Parts) > 0 {
			out = append(out, t)
		}
	}
	return out
}

func (w TranslatedWord) equal(other TranslatedWord) bool {
	return slices.Equal(w.Terms, other.Terms) && slices.Equal(w.Grams, other.Grams)
}

// translated returns the index forms of a translation, or nothing if the message has the word as
// well.
func (q *Query) translated(word string, distinctive bool) (out []TranslatedWord) {
	for _, w := range heldAs(word) {
		if meet(w.Terms, q.Terms) || meet(w.Grams, q.Grams) {
			continue
		}
		single := len(w.Grams) == 1 && kinds()[w.Grams[0]]
		if w.Mark = w.Mark && distinctive; w.Mark && single {
			q.Singles = append(q.Singles, w.Grams[0])
		}
		w.Mark = w.Mark && !single
		out = append(out, w)
	}
	return out
}

// held caches the results of heldAs, which are limited to the table's words.
var held sync.Map

// heldAs returns the index forms of a word or phrase of the table. Mark says that it is not an everyday
// word.
func heldAs(word string) []TranslatedWord {
	if out, ok := held.Load(word); ok {
		return out.([]TranslatedWord)
	}
	out := heldAsEnglish(word)
	if text.CJK(first(word)) {
		out = heldAsChinese(word)
	}
	held.Store(word, out)
	return out
}

func heldAsChinese(word string) []TranslatedWord {
	if len(text.Tokens(word)) > 1 {
		return []TranslatedWord{{Grams: pairs(word)}}
	}
	out := []TranslatedWord{{Terms: []string{word}, Mark: !everyday()[word]}}
	if kinds()[word] { // also as the end of a longer word, see Query.Singles
		out = append(out, TranslatedWord{Grams: []string{word}, Mark: !everyday()[word]})
	}
	return out
}

func heldAsEnglish(word string) (out []TranslatedWord) {
	terms := distinct(text.QueryTerms(word))
	add := func(terms []string) {
		if len(terms) > 0 {
			out = append(out, TranslatedWord{Terms: terms, Mark: len(terms) == 1 && !everyday()[terms[0]]})
		}
	}
	if strings.Contains(word, "-") && !strings.Contains(word, " ") && len(terms) > 1 {
		add(terms[:1]) // a text may have it joined, in one form, or separate
		terms = terms[1:]
	}
	add(terms)
	return out
}

// pairs returns the pairs of adjacent characters of a word.
func pairs(word string) (out []string) {
	for _, g := range text.Grams(word) {
		if utf8.RuneCountInString(g) == 2 {
			out = append(out, g)
		}
	}
	return distinct(out)
}

// SaysPhrase reports whether a text has, in the other language, a distinctive word of the message that is a
// phrase there. An index finds only the words of a phrase.
func SaysPhrase(said string, q Query) bool {
	for _, found := range text.Translate(said) {
		piece := said[found.Start:found.End]
		if len(found.Terms) < 2 {
			continue
		}
		for _, t := range q.Translated {
			if t.Distinctive && t.chinese() != text.CJK(first(piece)) && t.found.Akin(found) {
				return true
			}
		}
	}
	return false
}

// chinese reports whether the message's word is Chinese.
func (t Translated) chinese() bool {
	return len(t.found.Words) > 0 && !text.CJK(first(t.found.Words[0]))
}

// ShareTranslated is [Share] with the translations of the message's words counted too.
func ShareTranslated(q Query, said string) Match { return newScanned(said).match(q, q.Translated) }

// countTranslated returns the number of keywords missing in the text whose translation it has, and whether
// one is distinctive.
func (s scanned) countTranslated(keys []key, translated []Translated) (n int, found bool) {
	for _, t := range translated {
		if !s.holdsTranslated(t) {
			more, says := s.countTranslated(keys, t.Parts)
			n, found = n+more, found || says
			continue
		}
		found = found || t.Distinctive
		for _, k := range keys {
			if len(among(t.Terms, k.forms)) > 0 && !s.holds(k) {
				n++
			}
		}
	}
	return n, found
}

// holdsTranslated reports whether the text has one of a word's translations.
func (s scanned) holdsTranslated(t Translated) bool {
	return slices.ContainsFunc(t.Words, func(w TranslatedWord) bool {
		for _, term := range w.Terms {
			if !s.words[term] {
				return false
			}
		}
		for _, g := range w.Grams {
			if utf8.RuneCountInString(g) == 1 && !endsWord(s.tokens, []string{g}) || !strings.Contains(s.folded, g) {
				return false
			}
		}
		return true
	})
}

func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// among returns the wanted strings that are in the list.
func among(list, wanted []string) (out []string) {
	for _, w := range wanted {
		if slices.Contains(list, w) {
			out = append(out, w)
		}
	}
	return out
}
