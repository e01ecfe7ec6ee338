package sensitive

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Match is a part of a text that belongs to a class: Offset and Length are bytes.
type Match struct {
	Class          string
	Offset, Length int
	// Rest is the number of bytes after the words in the same clause, which may also be sensitive: the date
	// after "was born on". It is 0 for numbers.
	Rest int
}

// maxScan bounds the bytes read of a text.
const maxScan = 64 << 10

// maxGap is the maximum length of a gap in words; a Chinese character counts half.
const maxGap = 5

// Find returns the sensitive parts of a text, in order, without overlaps. It reads only the first 64 KiB.
func Find(s string) []Match { return theTable().find(s) }

// Classes returns the names of all classes, in the order of the table.
func Classes() []string { return slices.Clone(theTable().classes) }

func (t *table) find(s string) []Match {
	s = s[:min(len(s), maxScan)]
	x := &reading{tokens: tokens(s)}
	x.hidden = make([]classes, len(x.tokens))
	x.hide(t)
	var found []Match
	for i := range x.tokens {
		for p, hi := range x.at(i, t.phrases) {
			lo, end := x.tokens[i].lo, x.tokens[hi-1].hi
			found = append(found, Match{t.classes[p.class], lo, end - lo, x.clauseEnd(hi) - end})
		}
	}
	found = append(found, t.expressions(s, lineEnd, func(n expression, lo, hi int) bool { return !x.overlaps(lo, hi, n.class) })...)
	slices.SortStableFunc(found, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(b.Length, a.Length))
	})
	return merge(found)
}

// expressions matches the expressions on each part of a text, of which end returns the length of the first, and
// returns what accept accepts.
func (t *table) expressions(s string, end func(string) int, accept func(n expression, lo, hi int) bool) (found []Match) {
	for base := 0; base < len(s); {
		chunk := s[base : base+end(s[base:])]
		lower, digit := strings.ToLower(chunk), hasDigit(chunk)
		for _, n := range t.numbers {
			if (n.check == "digit" || n.check == "card") && !digit || !n.re.PossibleLower(lower) {
				continue
			}
			for _, m := range n.re.Regexp().FindAllStringSubmatchIndex(chunk, -1) {
				lo, hi := m[0], m[1]
				if len(m) > 2 && m[2] >= 0 {
					lo, hi = m[2], m[3]
				}
				hi = lo + len(strings.TrimRight(chunk[lo:hi], ".!?。！？ \r\n"))
				if hi > lo && accept(n, base+lo, base+hi) {
					found = append(found, Match{t.classes[n.class], base + lo, hi - lo, 0})
				}
			}
		}
		base += len(chunk)
	}
	return found
}

// lineEnd returns the length of the first line of s.
func lineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}

// merge joins overlapping matches and keeps the first one's class.
func merge(found []Match) []Match {
	out := found[:0]
	for _, m := range found {
		if n := len(out); n > 0 && m.Offset < out[n-1].Offset+out[n-1].Length {
			last := &out[n-1]
			rest := max(last.Offset+last.Length+last.Rest, m.Offset+m.Length+m.Rest)
			last.Length = max(last.Length, m.Offset+m.Length-last.Offset)
			last.Rest = rest - last.Offset - last.Length
			continue
		}
		out = append(out, m)
	}
	return out
}

// reading is a text being scanned.
type reading struct {
	tokens []token
	// hidden are, by token, the classes for which it is ignored.
	hidden []classes
}

// classes is a set of classes, a bit each; everyClass is in the set of an exception of all.
type classes uint64

const everyClass classes = 1 << 63

func setOf(class int) classes {
	if class < 0 {
		return everyClass
	}
	return 1 << class
}

// at yields the phrases that match at token i, each with the token after it.
func (x *reading) at(i int, phrases map[string][]phrase) iter.Seq2[phrase, int] {
	return func(yield func(phrase, int) bool) {
		try := func(initial string) bool {
			for _, p := range phrases[initial] {
				if hi := x.match(p.parts, i, p.class); hi > i && !yield(p, hi) {
					return false
				}
			}
			return true
		}
		begin := initial(x.tokens[i].word)
		if try(begin) && x.tokens[i].numeral() && begin != anyNumber {
			try(anyNumber)
		}
	}
}

// clauseEnd returns the end, in bytes, of the clause with token i-1.
func (x *reading) clauseEnd(i int) int {
	for i < len(x.tokens) && x.tokens[i].kind < isStop {
		i++
	}
	return x.tokens[i-1].hi
}

// hide finds the exceptions.
func (x *reading) hide(t *table) {
	for i := range x.tokens {
		for p, hi := range x.at(i, t.except) {
			for at := i; at < hi; at++ {
				x.hidden[at] |= setOf(p.class)
			}
		}
	}
}

func (x *reading) hides(i, class int) bool {
	return x.hidden[i]&(setOf(class)|everyClass) != 0
}

// overlaps reports whether an exception of a class overlaps the bytes [lo, hi).
func (x *reading) overlaps(lo, hi, class int) bool {
	i, _ := slices.BinarySearchFunc(x.tokens, lo+1, func(t token, at int) int { return cmp.Compare(t.hi, at) })
	for ; i < len(x.tokens) && x.tokens[i].lo < hi; i++ {
		if x.hidden[i]&setOf(class) != 0 {
			return true
		}
	}
	return false
}

// match returns the token after the parts if they match at token i, otherwise -1.
func (x *reading) match(parts []part, i, class int) int {
	if len(parts) == 0 {
		return i
	}
	p, rest := parts[0], parts[1:]
	switch p.op {
	case opStart:
		if i > 0 && x.tokens[i-1].kind != isLast {
			return -1
		}
		return x.match(rest, i, class)
	case opRest:
		for i < len(x.tokens) && x.tokens[i].kind < isStop {
			i++
		}
		return i
	case opGap:
		return x.gap(rest, i, class)
	case opNumber:
		for hi := x.numeral(i); hi > i && !x.hides(i, class); hi-- { // 三万 may be followed by 万
			if end := x.match(rest, hi, class); end >= 0 {
				return end
			}
		}
	default:
		for _, words := range p.words {
			if !x.has(words, i, class) {
				continue
			}
			if end := x.match(rest, i+len(words), class); end >= 0 {
				return end
			}
		}
	}
	if p.optional {
		return x.match(rest, i, class)
	}
	return -1
}

// gap matches the rest after as few other words as possible.
func (x *reading) gap(rest []part, i, class int) int {
	for halves := 0; halves <= 2*maxGap; i++ {
		if end := x.match(rest, i, class); end >= 0 {
			return end
		}
		if i == len(x.tokens) || x.tokens[i].kind >= isStop {
			break
		}
		halves++
		if x.tokens[i].kind != isHan {
			halves++
		}
	}
	return -1
}

// numeral returns the token after a number at token i, or i.
func (x *reading) numeral(i int) int {
	end := min(i+maxNumeral, len(x.tokens))
	for i < end && x.tokens[i].numeral() {
		i++
	}
	return i
}

// maxNumeral is the most tokens of one number. Without a bound a column of numbers takes
// quadratic time.
const maxNumeral = 16

// has reports whether the words are the tokens from i on.
func (x *reading) has(words []string, i, class int) bool {
	if i+len(words) > len(x.tokens) {
		return false
	}
	for k, w := range words {
		begin, open := strings.CutSuffix(w, "*")
		got := x.tokens[i+k].word
		if got != w && (!open || !strings.HasPrefix(got, begin)) || x.hides(i+k, class) {
			return false
		}
	}
	return true
}
