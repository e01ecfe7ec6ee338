package text

import "strings"

// Keywords returns the meaningful words of a message (R2) as written, in order of first
// appearance, without duplicates: `我喜欢用 Python 写代码` gives 喜欢, Python, 代码.
// Stop words, stop phrases ("last time", see IsStop) and an English possessive 's are
// removed.
func Keywords(s string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range contentTokens(s) {
		key := possessive(t.Text)
		if seen[key] {
			continue
		}
		seen[key] = true
		out = append(out, original(s, t))
	}
	return out
}

// QueryTerms returns the Keywords of a message in the form of Words, without
// duplicates, for an index query.
func QueryTerms(s string) []string {
	var out, forms []string
	seen := map[string]bool{}
	for _, t := range contentTokens(s) {
		forms = t.forms(forms[:0])
		for _, f := range forms {
			if !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	return out
}

// contentTokens returns the tokens of s without stop words, stop phrases and measure words.
func contentTokens(s string) []Token {
	tokens := Tokens(s)
	out := make([]Token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if n := stopPhrase(tokens[i:]); n > 0 {
			i += n - 1
			continue
		}
		if tokens[i].stop() || i > 0 && measures(tokens[i-1], tokens[i]) {
			continue
		}
		out = append(out, tokens[i])
	}
	return out
}

// measures reports whether b is a measure word after a demonstrative: 家 in 那家餐厅.
func measures(a, b Token) bool {
	return a.End == b.Start && a.Kind == Chinese && b.Kind == Chinese && quantifier(a.Text+b.Text)
}

// original returns the token's own bytes of s, without a possessive.
func original(s string, t Token) string {
	word := s[t.Start:t.End]
	if len(possessive(t.Text)) == len(t.Text) {
		return word
	}
	for _, tail := range []string{"'s", "’s", "'S", "’S"} {
		if base, ok := strings.CutSuffix(word, tail); ok {
			return base
		}
	}
	return word
}
