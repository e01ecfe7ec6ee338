package policy

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// pattern is a regular expression with two economies, because the rules hold some three hundred of them and
// a message is tried against all: it is compiled when it is first needed (all of them at once would delay a
// program's first screen by a tenth of a second), and not run where none of the words it cannot do without
// occurs, which leaves a handful for a clause.
type pattern struct {
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

// expr returns a pattern for an expression, which must be valid. Macros in braces are expanded.
func expr(s string) pattern {
	full := sync.OnceValue(func() string { return macros().Replace(s) })
	return pattern{
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

// possible reports whether a text could match, by its needed words alone.
func (p pattern) possible(s string) bool {
	n := p.needs()
	return n.anyCase || containsAny(s, n.words)
}

// possibleLower is possible for a text in lower case, whatever the pattern thinks of case.
func (p pattern) possibleLower(lower string) bool { return containsAny(lower, p.needs().words) }

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return len(words) == 0
}

func (p pattern) match(s string) bool { return p.possible(s) && p.get().MatchString(s) }

// find returns the first place of the pattern in s, or nil.
func (p pattern) find(s string) []int {
	if !p.possible(s) {
		return nil
	}
	return p.get().FindStringIndex(s)
}

func (p pattern) findAll(s string) [][]int {
	if !p.possible(s) {
		return nil
	}
	return p.get().FindAllStringIndex(s, -1)
}

// groups is find with the places of the groups.
func (p pattern) groups(s string) []int {
	if !p.possible(s) {
		return nil
	}
	return p.get().FindStringSubmatchIndex(s)
}

// group returns the number of a named group, or -1.
func (p pattern) group(name string) int { return p.get().SubexpIndex(name) }

// text returns the first match in s, or "".
func (p pattern) text(s string) string {
	if m := p.find(s); m != nil {
		return s[m[0]:m[1]]
	}
	return ""
}

func (p pattern) replace(s, with string) string {
	if !p.possible(s) {
		return s
	}
	return p.get().ReplaceAllString(s, with)
}

func (p pattern) replaceFunc(s string, f func(string) string) string {
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
