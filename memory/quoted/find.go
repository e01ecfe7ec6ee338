package quoted

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/memory"
	"memoria/memory/phrase"
)

// maxRead bounds the bytes read of a message. A document that is open there reaches to the end.
const maxRead = 64 << 10

// Find returns the parts of a typed text that are not the user's own statement, in order and disjoint, as
// spans of kind [memory.SpanQuoted]. given are the known spans; no returned span overlaps
// one. The text must be valid UTF-8.
func Find(text string, given []memory.Span) []memory.Span {
	f := newFinder(text, given)
	f.fences()
	f.tags()
	f.quoteLines()
	f.lines = linesOf(f.s)
	f.forwarded()
	f.mails()
	f.letters()
	f.chats()
	f.signatures()
	f.pointed()
	f.speech()
	return f.spans()
}

// part is text[lo:hi].
type part struct{ lo, hi int }

// finder collects the parts of one message.
type finder struct {
	whole int    // length of the message
	s     string // its beginning, folded, with given and found parts blanked out
	src   string // the same without found parts
	given []part
	found []part
	lines []part
}

func newFinder(text string, given []memory.Span) *finder {
	head := text
	for head = head[:min(len(head), maxRead)]; len(head) < len(text) && !utf8.RuneStart(text[len(head)]); {
		head = head[:len(head)-1]
	}
	head = eachInvalid([]byte(head))
	f := &finder{whole: len(text)}
	for _, g := range given {
		lo := min(max(g.Offset, 0), len(text))
		f.given = append(f.given, part{lo, min(max(g.Offset+g.Length, lo), len(text))})
	}
	f.s = phrase.Fold(head)
	for _, g := range f.given {
		f.blank(g)
	}
	f.src = f.s
	return f
}

// blank overwrites a part, except line ends, so that nothing else is found in it.
func (f *finder) blank(p part) {
	lo, hi := min(p.lo, len(f.s)), min(p.hi, len(f.s))
	if lo >= hi {
		return
	}
	b := []byte(f.s)
	for i := lo; i < hi; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	f.s = string(b)
	if !utf8.ValidString(f.s) { // the part begins or ends within a character
		f.s = eachInvalid(b)
	}
}

// eachInvalid replaces every invalid byte by a blank.
func eachInvalid(b []byte) string {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size < 2 {
			b[i] = ' '
		}
		i += size
	}
	return string(b)
}

// take records that text[lo:hi] is not the user's own. If hi is the end of the read bytes, it includes the rest.
func (f *finder) take(lo, hi int) {
	if hi >= len(f.s) {
		hi = f.whole
	}
	f.found = append(f.found, part{lo, hi})
	f.blank(part{lo, hi})
}

// spans returns the found parts, without known parts and without blanks at the ends.
func (f *finder) spans() (out []memory.Span) {
	all := slices.Clone(f.found)
	slices.SortFunc(all, func(a, b part) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) })
	known := slices.Clone(f.given)
	slices.SortFunc(known, func(a, b part) int { return cmp.Compare(a.lo, b.lo) })
	end := 0
	for _, p := range all {
		lo := max(p.lo, end)
		for _, k := range known {
			if k.hi > lo && k.lo < p.hi {
				out = f.add(out, part{lo, k.lo})
				lo = k.hi
			}
		}
		out = f.add(out, part{lo, p.hi})
		end = max(end, p.hi)
	}
	return out
}

// add appends a part without the blanks around it, if anything is left.
func (f *finder) add(out []memory.Span, p part) []memory.Span {
	if p.lo < len(f.src) {
		read := min(p.hi, len(f.src))
		s := f.src[p.lo:max(read, p.lo)]
		p.lo += len(s) - len(strings.TrimLeft(s, " \t\r\n"))
		if p.hi == read {
			p.hi -= len(s) - len(strings.TrimRight(s, " \t\r\n"))
		}
	}
	if p.lo >= p.hi {
		return out
	}
	return append(out, memory.Span{Offset: p.lo, Length: p.hi - p.lo, Kind: memory.SpanQuoted})
}

// linesOf returns the lines of a text without their ends.
func linesOf(s string) (out []part) {
	lo := 0
	for line := range strings.Lines(s) {
		out = append(out, part{lo, lo + len(strings.TrimRight(line, "\r\n"))})
		lo += len(line)
	}
	return out
}

// line returns line i without surrounding blanks; empty if it does not exist or was taken.
func (f *finder) line(i int) string {
	if i < 0 || i >= len(f.lines) {
		return ""
	}
	return strings.Trim(f.s[f.lines[i].lo:f.lines[i].hi], " \t\u3000\u00a0")
}
