package pattern

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Pattern is a regular expression that is compiled at first use, since compiling hundreds of them would delay
// the first screen. It is not run on a text without any of the words that each of its matches contains. The
// zero value matches nothing. It is safe for concurrent use.
type Pattern struct {
	parts func() []part
	get   func() *regexp.Regexp
}

// part is one or more alternatives of an expression. Whether a text matches is tested by part, because a
// large alternation is tried at each byte of a text, and most texts rule out most parts.
type part struct {
	needs needs
	get   func() *regexp.Regexp
	span  span
}

// span is how much of a text tells whether it matches: the first or the last bytes, all of it if there are none.
type span struct {
	bytes int
	first bool
}

// needs are words of which every text that matches contains at least one; none means that nothing is known.
type needs struct {
	words []string
	// anyCase is set when a word is not in lower case, or is matched in any; the words, which are kept in
	// lower case, then say nothing about a text that is not.
	anyCase bool

	heads []heads // for many words
}

// Regexp returns a pattern for an expression in the syntax of package regexp, which must be valid.
func Regexp(expression string) Pattern { return Lazy(func() string { return expression }) }

// Lazy returns the pattern of the expression that make returns; make is called once, at first use.
func Lazy(make func() string) Pattern {
	full := sync.OnceValue(make)
	get := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(full()) })
	return Pattern{get: get, parts: sync.OnceValue(func() []part { return partsOf(full(), get) })}
}

// partsOf splits an expression into alternatives at the beginning of a text and others, each with and without
// other than ASCII words. get compiles the whole.
func partsOf(whole string, get func() *regexp.Regexp) []part {
	type kind struct{ ahead, ascii bool }
	groups := map[kind]*part{}
	sources := map[kind][]string{}
	for _, source := range alternatives(whole) {
		re, err := syntax.Parse(source, syntax.Perl)
		if err != nil {
			return []part{{get: get}} // compiling will say so
		}
		fold := false
		words := required(re, &fold)
		k := kind{
			ahead: re.Op == syntax.OpConcat && re.Sub[0].Op == syntax.OpBeginText,
			ascii: words == nil || slices.ContainsFunc(words, func(w string) bool { return w[0] < utf8.RuneSelf }),
		}
		p, sp := groups[k], spanOf(re)
		if p == nil {
			groups[k] = &part{needs: needs{words: words, anyCase: fold}, span: sp}
		} else {
			p.span = p.span.and(sp)
			if len(p.needs.words) > 0 {
				p.needs.add(words, fold)
			}
		}
		sources[k] = append(sources[k], source)
	}
	out := make([]part, 0, len(groups))
	for k, p := range groups {
		if p.get = get; len(groups) > 1 {
			p.get = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(strings.Join(sources[k], "|")) })
		}
		p.needs.index()
		out = append(out, *p)
	}
	return out
}

// add adds the needs of another alternative.
func (n *needs) add(words []string, fold bool) {
	if n.anyCase = n.anyCase || fold; words == nil || len(n.words)+len(words) > maxNeeds {
		n.words = nil
		return
	}
	n.words = append(n.words, words...)
}

// group begins a group without a number.
const group = "(?:"

// alternatives returns the alternatives of an expression, as they are written, and those of a group that is all of
// an alternative. An expression with flags or quotations, which may reach beyond their alternative, is not split.
func alternatives(expression string) (out []string) {
	depth, begin, opened, closed := 0, 0, -1, -1
	end := func(i int) {
		if opened == begin && closed == i-1 {
			out = append(out, alternatives(expression[begin+len(group):i-1])...)
		} else {
			out = append(out, expression[begin:i])
		}
		begin = i + 1
	}
	for i := 0; i < len(expression); i++ {
		switch expression[i] {
		case '\\':
			if i++; strings.HasPrefix(expression[i:], "Q") {
				return []string{expression}
			}
		case '[':
			i += classLength(expression[i:]) - 1
		case '(':
			rest := expression[i+1:]
			if len(rest) > 1 && rest[0] == '?' && strings.IndexByte("imsU-", rest[1]) >= 0 {
				return []string{expression}
			}
			if depth == 0 {
				opened = -1
				if strings.HasPrefix(rest, group[1:]) {
					opened = i
				}
			}
			depth++
		case ')':
			if depth--; depth == 0 {
				closed = i
			}
		case '|':
			if depth == 0 {
				end(i)
			}
		}
	}
	end(len(expression))
	return out
}

// classLength returns the number of bytes of the character class that an expression begins with.
func classLength(expression string) int {
	i := 1
	if strings.HasPrefix(expression[i:], "^") {
		i++
	}
	if strings.HasPrefix(expression[i:], "]") { // a character
		i++
	}
	for ; i < len(expression); i++ {
		switch expression[i] {
		case '\\':
			i++
		case '[':
			if n := strings.Index(expression[i:], ":]"); n > 0 && strings.HasPrefix(expression[i:], "[:") {
				i += n + 1
			}
		case ']':
			return i + 1
		}
	}
	return len(expression)
}

// Regexp returns the compiled expression.
func (p Pattern) Regexp() *regexp.Regexp { return p.get() }

// possible reports whether a text could match, by its needed words alone.
func (p Pattern) possible(s string) bool {
	return p.get != nil && slices.ContainsFunc(p.parts(), func(t part) bool { return t.possible(s) })
}

func (t part) possible(s string) bool { return t.needs.anyCase || t.needs.in(t.span.of(s)) }

// PossibleLower reports whether a text in lower case could match in any case, by its needed words alone.
func (p Pattern) PossibleLower(lower string) bool {
	return slices.ContainsFunc(p.parts(), func(t part) bool { return t.needs.in(lower) })
}

// fewNeeds is the number of words up to which a search for each is faster than one pass for all.
const fewNeeds = 4

// heads finds words in one pass over a text, by their first bytes.
type heads struct {
	size   int // 1 to 3 bytes
	known  [maxHash / 64]uint64
	byHash map[uint16][]string
}

const maxHash = 1 << 15

// hash returns a hash of the first size bytes of s.
func hash(s string, size int) uint16 {
	h := uint16(s[0])
	for i := 1; i < size; i++ {
		h = h<<5 ^ h>>11 ^ uint16(s[i])
	}
	return h % maxHash
}

// index prepares the search for many words.
func (n *needs) index() {
	if len(n.words) <= fewNeeds {
		return
	}
	for size := 1; size <= 3; size++ {
		h := heads{size: size, byHash: map[uint16][]string{}}
		for _, w := range n.words {
			if min(len(w), 3) == size {
				at := hash(w, size)
				h.known[at/64] |= 1 << (at % 64)
				h.byHash[at] = append(h.byHash[at], w)
			}
		}
		if len(h.byHash) > 0 {
			n.heads = append(n.heads, h)
		}
	}
}

// in reports whether a text has one of the words, or nothing is known.
func (n *needs) in(s string) bool {
	if n.heads == nil {
		return len(n.words) == 0 || slices.ContainsFunc(n.words, func(w string) bool { return strings.Contains(s, w) })
	}
	for i := range n.heads {
		if n.heads[i].in(s) {
			return true
		}
	}
	return false
}

func (h *heads) in(s string) bool {
	for i := 0; i+h.size <= len(s); i++ {
		at := hash(s[i:], h.size)
		if h.known[at/64]&(1<<(at%64)) == 0 {
			continue
		}
		for _, w := range h.byHash[at] {
			if strings.HasPrefix(s[i:], w) {
				return true
			}
		}
	}
	return false
}

// Match reports whether the pattern occurs in s.
func (p Pattern) Match(s string) bool {
	return p.get != nil && slices.ContainsFunc(p.parts(), func(t part) bool { return t.possible(s) && t.get().MatchString(t.span.of(s)) })
}

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

// of returns what of a text tells.
func (p span) of(s string) string {
	switch {
	case p.bytes == 0 || len(s) <= p.bytes:
		return s
	case p.first:
		return s[:p.bytes]
	}
	return s[len(s)-p.bytes:]
}

// and returns what tells whether a text matches one of two expressions.
func (p span) and(q span) span {
	if p.bytes == 0 || q.bytes == 0 || p.first != q.first {
		return span{}
	}
	return span{max(p.bytes, q.bytes), p.first}
}

// spanOf returns what of a text tells whether it matches re: one character more than a match can have, so that none
// ends or begins where the text is cut.
func spanOf(re *syntax.Regexp) span {
	n := longest(re)
	switch {
	case n < 0:
		return span{}
	case always(re, syntax.OpBeginText, 0):
		return span{n + utf8.UTFMax, true}
	case always(re, syntax.OpEndText, -1):
		return span{n + utf8.UTFMax, false}
	}
	return span{}
}

// always reports whether every match of re begins (side 0) or ends (side -1) with op.
func always(re *syntax.Regexp, op syntax.Op, side int) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpCapture:
		return always(re.Sub[0], op, side)
	case syntax.OpConcat:
		return always(re.Sub[(len(re.Sub)+side)%len(re.Sub)], op, side)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !always(sub, op, side) })
	}
	return false
}

// longest returns how many bytes a match of re has at most, or -1 if there is no bound.
func longest(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune) * utf8.UTFMax
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
	case syntax.OpStar, syntax.OpPlus:
		return -1
	case syntax.OpRepeat:
		if n = longest(re.Sub[0]); n > 0 {
			n = max(n*re.Max, -1)
		}
	case syntax.OpCapture, syntax.OpQuest:
		return longest(re.Sub[0])
	case syntax.OpConcat, syntax.OpAlternate:
		for _, sub := range re.Sub {
			switch one := longest(sub); {
			case one < 0:
				return -1
			case re.Op == syntax.OpConcat:
				n += one
			default:
				n = max(n, one)
			}
		}
	}
	return n
}

// maxNeeds bounds the words that one pattern is looked for by; more would cost what they save.
const maxNeeds = 1000

// required returns words one of which every match of re contains, or nil.
func required(re *syntax.Regexp, anyCase *bool) []string {
	switch re.Op {
	case syntax.OpLiteral:
		word := string(re.Rune)
		lower := strings.ToLower(word)
		*anyCase = *anyCase || re.Flags&syntax.FoldCase != 0 || lower != word
		return []string{lower}
	case syntax.OpCharClass:
		return requiredOfClass(re.Rune, anyCase)
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

// maxClass bounds the characters of a class that a text is searched for.
const maxClass = 40

// requiredOfClass returns the characters of a small class, which is a list of ranges.
func requiredOfClass(ranges []rune, anyCase *bool) (out []string) {
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			lower := unicode.ToLower(r)
			*anyCase = *anyCase || lower != r
			if out = append(out, string(lower)); len(out) > maxClass {
				return nil
			}
		}
	}
	return out
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
