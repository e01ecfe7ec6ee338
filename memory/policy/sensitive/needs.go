package sensitive

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// maxNeeds bounds the words that one expression is looked for by.
const maxNeeds = 64

// needs returns words, in lower case, one of which every match of an expression contains; nil when nothing is
// known. Most texts have none of them, and the expression need not be run.
func needs(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCharClass:
		return members(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needs(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := needs(sub)
			if words == nil || len(all)+len(words) > maxNeeds {
				return nil
			}
			all = append(all, words...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if words := needs(sub); words != nil && rarity(words) > rarity(best) {
				best = words
			}
		}
		return best
	}
	return nil
}

// members returns the characters of a small class, which is given as pairs of first and last; else nil.
func members(class []rune) (out []string) {
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1]; r++ {
			if len(out) == maxNeeds {
				return nil
			}
			out = append(out, strings.ToLower(string(r)))
		}
	}
	return out
}

// rarity rates words: the longer the shortest, the fewer texts have one.
func rarity(words []string) int {
	shortest := 0
	for i, w := range words {
		if i == 0 || len(w) < shortest {
			shortest = len(w)
		}
	}
	return shortest
}

// hasAny reports whether a text has one of the words; none means that nothing is known.
func hasAny(s string, words []string) bool {
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
