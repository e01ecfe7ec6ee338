package policy

import (
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/subject"
)

// reject is the result of a rule that recognised something not to be stored.
var reject = []draft{}

// match is a match of a rule's expression in a clause.
type match struct {
	c   *clause
	re  pattern.Pattern
	idx []int
}

// part is a part of a clause: folded for matching, raw for storing.
type part struct {
	fold, raw string
	c         *clause
	lo, hi    int
}

func (m match) g(name string) part {
	for i, n := range m.re.Regexp().SubexpNames() {
		if m.idx[2*i] >= 0 && (n == name || sameCapture(n, name)) {
			return m.c.part(m.idx[2*i], m.idx[2*i+1])
		}
	}
	return part{c: m.c}
}

// sameCapture reports whether a group is another one for a name: "o_2" for "o".
func sameCapture(group, name string) bool {
	rest, ok := strings.CutPrefix(group, name)
	return ok && len(rest) > 1 && rest[0] == '_'
}

func (c *clause) part(lo, hi int) part {
	lo, hi = lang.TrimBlank(c.text, lo, hi)
	if lo >= hi {
		return part{c: c, lo: lo, hi: lo}
	}
	return part{fold: c.text[lo:hi], raw: c.raw(lo, hi), c: c, lo: lo, hi: hi}
}

func (p part) empty() bool { return p.fold == "" }

// upTo and skip return the part without its end or its beginning, in bytes of fold.
func (p part) upTo(n int) part { return p.c.part(p.lo, p.lo+n) }
func (p part) skip(n int) part { return p.c.part(p.lo+n, p.hi) }

// before returns the part up to a pattern, or all of it if that is not in it or at its beginning.
func (p part) before(re pattern.Pattern) part {
	if m := re.Find(p.fold); m != nil && m[0] > 0 {
		return p.upTo(m[0])
	}
	return p
}

// trim removes what does not belong to an object: text after a comma, reasons, politeness, particles.
func (p part) trim() part {
	p = p.whole()
	if i := strings.IndexByte(p.fold, ','); i > 0 {
		p = p.upTo(i).whole()
	}
	return p
}

// whole is trim for an object that may contain commas: a list, a place, a date, a title.
func (p part) whole() part {
	p = p.before(afterObject)
	p = p.upTo(len(trimObject(p.fold)))
	for {
		q := p.before(closing)
		q = q.upTo(len(strings.TrimRight(q.fold, `"'”」』*_`+"`")))
		q = q.skip(len(q.fold) - len(strings.TrimLeft(q.fold, `"'“「『*_`+"`")))
		if q.fold == p.fold {
			return p
		}
		p = q
	}
}

var afterObject = lang.Form("afterObject")

// draft is a rule's result for a clause.
type draft struct {
	typ        memory.Type
	key        string
	title      string
	st         Statement
	content    string
	tags       []string
	importance float64
	correction bool
	corrects   string
	ends       []Ending
	final      bool // for one that only ends: no other rule is tried
	reason     string
	rule       string
}

// candidate completes a draft with the clause's data.
func (d draft) candidate(c clause) Candidate {
	if d.bare() {
		return Candidate{
			Confidence: statedConfidence, Source: memory.SourceUserStated, Explicit: c.explicit, Ends: d.ends, Rule: d.rule,
			Reason: "it is over",
		}
	}
	out := Candidate{
		Type: d.typ, Key: d.key, Title: d.title, Content: capital(subject.InThird(d.content)), Tags: withoutDoubles(d.tags),
		Confidence: statedConfidence, Importance: d.importance, Source: memory.SourceUserStated,
		Polarity: d.st.Polarity, Correction: d.correction || c.correction || d.corrects != "",
		Corrects: d.corrects, Ends: d.ends, Rule: d.rule, Reason: d.reason,
	}
	out.setStatement(d.st)
	if c.explicit {
		makeExplicit(&out)
	}
	if out.Correction {
		out.Importance = max(out.Importance, importanceCorrection)
	}
	if out.Title == "" {
		out.Title = d.st.Value
	}
	return out
}

// lasts reports whether an order to the assistant applies beyond this answer: it says so, or it is the whole
// message.
func (m match) lasts() bool { return m.c.durable || m.c.alone || m.c.explicit }

// one is the result of a rule that found one thing.
func one(d draft) []draft { return []draft{d} }

// valid reports whether a part can be an object: not empty, without quotations, not a whole story.
func (p part) valid(maxWords int) bool {
	return !p.empty() && !strings.Contains(p.fold, lang.MaskByte) && sameForm(p.fold) != "" && size(p.fold) <= maxWords
}

// size counts words; two Han characters count as one.
func size(s string) int {
	n, han := 0, 0
	for _, w := range strings.Fields(s) {
		latinWord := false
		for _, r := range w {
			if r >= 0x2E80 {
				han++
			} else {
				latinWord = true
			}
		}
		if latinWord {
			n++
		}
	}
	return n + (han+1)/2
}

// withoutDoubles removes later equal strings, in a copy.
func withoutDoubles(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
