package lang

import (
	"slices"
	"strings"

	"memoria/index/text"
)

// Globbed reports whether a text matches a pattern in which * is any text.
func Globbed(p, s string) bool {
	parts := strings.Split(p, "*")
	if len(parts) == 1 {
		return p == s
	}
	rest, ok := strings.CutPrefix(s, parts[0])
	if !ok {
		return false
	}
	for _, mid := range parts[1 : len(parts)-1] {
		_, after, ok := strings.Cut(rest, mid)
		if !ok {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// HoldsKeywords reports whether a text has all keywords of some words, in either language. It is false for words without a
// keyword.
func HoldsKeywords(all, words string) bool {
	folded, held := text.Fold(all), map[string]bool{}
	for _, w := range text.Words(all) {
		held[w] = true
	}
	in := func(word string) bool {
		if HasHan(word) {
			return strings.Contains(folded, text.Fold(word))
		}
		forms := text.Words(word)
		return len(forms) > 0 && !slices.ContainsFunc(forms, func(f string) bool { return !held[f] })
	}
	keywords := text.Keywords(words)
	return len(keywords) > 0 && !slices.ContainsFunc(keywords, func(w string) bool {
		return !in(w) && !slices.ContainsFunc(text.Translations(text.Fold(w)), in)
	})
}
