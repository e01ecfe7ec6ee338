package pattern

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first needed, because compiling hundreds of them
// would delay the first screen, and that is not run on a text without any of the words that each of its matches
// contains. The zero value matches nothing. It is safe for concurrent use.
type Pattern struct {
	needs func() needs
	get   func() *regexp.Regexp
}

// needs are words of which at least one stands in every text that the pattern matches; none means that
// nothing is known.
type needs struct {
	words []string
	// anyCase is set when a word is not in lower case, or is matched in any; the words, which are kept in
	// lower case, then say nothing about a text that is not.
	anyCase bool
}

// Regexp returns a pattern for an expression in the syntax of package regexp, which must be valid.
func Regexp(expression string) Pattern { return Lazy(func() string { return expression }) }

// Lazy returns the pattern of the expression that make returns; make is called once, at first use.
func Lazy(make func() string) Pattern {
	full := sync.OnceValue(make)
	return Pattern{
		needs: sync.OnceValue(func() needs {
			re, err := syntax.Parse(full(), syntax.Perl)
			if err != nil {
				return needs{} // compiling will say so
			}
			var n needs
			n.words = required(re, &n.anyCase)
			return n
		}),
		get: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(full()) }),
	}
}

// Regexp returns the compiled expression.
func (p Pattern) Regexp() *regexp.Regexp { return p.get() }

// possible reports whether a text could match, by its needed words alone.
func (p Pattern) possible(s string) bool {
	if p.get == nil {
		return false
	}
	n := p.needs()
	return n.anyCase || containsAny(s, n.words)
}

// PossibleLower is possible for a text in lower case, whatever the pattern thinks of case.
func (p Pattern) PossibleLower(lower string) bool { return containsAny(lower, p.needs().words) }

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return len(words) == 0
}

// Match reports whether the pattern occurs in s.
func (p Pattern) Match(s string) bool { return p.possible(s) && p.get().MatchString(s) }

// Find returns the first place of the pattern in s, or nil.
func (p Pattern) Find(s string) []int {
	if !p.possible(s) {
		return nil
	}
	return p.get().FindStringIndex(s)
}

// FindAll returns all places of the pattern in s.
func (p Pattern) FindAll(s string) [][]int {
	if !p.possible(s) {
		return nil
	}
	return p.get().FindAllStringIndex(s, -1)
}

// Groups is find with the places of the groups.
func (p Pattern) Groups(s string) []int {
	if !p.possible(s) {
		return nil
	}
	return p.get().FindStringSubmatchIndex(s)
}

// Group returns the number of a named group, or -1.
func (p Pattern) Group(name string) int { return p.get().SubexpIndex(name) }

// Text returns the first match in s, or "".
func (p Pattern) Text(s string) string {
	if m := p.Find(s); m != nil {
		return s[m[0]:m[1]]
	}
	return ""
}

// Replace replaces every place of the pattern in s.
func (p Pattern) Replace(s, with string) string {
	if !p.possible(s) {
		return s
	}
	return p.get().ReplaceAllString(s, with)
}

// ReplaceFunc replaces every place of the pattern in s by what f makes of it.
func (p Pattern) ReplaceFunc(s string, f func(string) string) string {
	if !p.possible(s) {
		return s
	}
	return p.get().ReplaceAllStringFunc(s, f)
}

// maxNeeds bounds the words that one pattern is looked for by; more would cost what they save.
const maxNeeds = 48

// required returns words one of which every match of re contains, or nil.
func required(re *syntax.Regexp, anyCase *bool) []string {
	switch re.Op {
	case syntax.OpLiteral:
		word := string(re.Rune)
		lower := strings.ToLower(word)
		*anyCase = *anyCase || re.Flags&syntax.FoldCase != 0 || lower != word
		return []string{lower}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0], anyCase)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0], anyCase)
		}
	case syntax.OpAlternate:
		return requiredOfAny(re.Sub, anyCase)
	case syntax.OpConcat:
		return requiredOfAll(re.Sub, anyCase)
	}
	return nil
}

// requiredOfAny joins the needs of alternatives: each must have some.
func requiredOfAny(subs []*syntax.Regexp, anyCase *bool) []string {
	var out []string
	for _, sub := range subs {
		words := required(sub, anyCase)
		if words == nil || len(out)+len(words) > maxNeeds {
			return nil
		}
		out = append(out, words...)
	}
	return out
}

// requiredOfAll picks of a sequence the member whose needs tell most: the longest words, then the fewest.
func requiredOfAll(subs []*syntax.Regexp, anyCase *bool) []string {
	var best []string
	bestCase := false
	for _, sub := range subs {
		fold := false
		words := required(sub, &fold)
		if words != nil && (best == nil || telling(words) > telling(best)) {
			best, bestCase = words, fold
		}
	}
	*anyCase = *anyCase || bestCase
	return best
}

// telling rates a set of needed words; a word of four bytes or more is rare enough.
func telling(words []string) int {
	shortest := 4
	for _, w := range words {
		shortest = min(shortest, len(w))
	}
	return shortest*(maxNeeds+1) - len(words)
}

// Split returns the parts of s between the places of the pattern, at least one.
func (p Pattern) Split(s string) []string {
	if !p.possible(s) {
		return []string{s}
	}
	return p.get().Split(s, -1)
}
