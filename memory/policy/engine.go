package policy

import (
	"strings"
	"sync"

	"memoria/memory"
	"memoria/memory/pattern"
)

// rule recognises one kind of statement in a clause. Rules of a language are tried in order until one
// answers; the expression sees folded text and must match the whole clause.
type rule struct {
	name string
	expr string // with named groups; macros in braces are expanded by compile
	// make returns what the clause says; nil means that this rule does not apply after all, and reject that
	// no rule does.
	make func(m match) []draft
}

type compiledRule struct {
	rule
	re pattern.Pattern
}

// reject is the answer of a rule that recognised something which is not to be stored.
var reject = []draft{}

// macros are parts that many expressions share.
var macros = sync.OnceValue(func() *strings.Replacer {
	kin, _ := english().named("relative")
	return strings.NewReplacer(
		"{rel}", kin,
		"{advz}", `(?:真的|真|很|好|非常|特别|超级|超|最近|一直以来|一直|还是|也|都|就是|就|比较|挺|蛮|太|十分|相当|尤其|其实|现在|平时|平常|向来|从小到大|从小就|从小|一般|通常|有点儿?|实在|完全|根本|真是|又|依然|仍然|确实|老是|个人|本身|倒是|可|自己|目前|始终|已经|这个人|平日里?|们|每天)*\s*`,
		"{relz}", relativesZH,
		"{langz}", languagesZH,
		"{datez}", dateZH,
	)
})

// expr returns a pattern for an expression with macros in braces.
func expr(s string) pattern.Pattern {
	return pattern.Lazy(func() string { return macros().Replace(s) })
}

func compile(rs []rule) []compiledRule {
	out := make([]compiledRule, len(rs))
	for i, r := range rs {
		out[i] = compiledRule{r, expr(`^(?:` + r.expr + `)$`)}
	}
	return out
}

// apply returns the answer of the first rule that has one.
func apply(rs []compiledRule, c clause) []draft {
	for _, r := range rs {
		idx := r.re.Groups(c.text)
		if idx == nil {
			continue
		}
		if ds := r.make(match{c: &c, re: r.re, idx: idx}); ds != nil {
			for i := range ds {
				ds[i].rule = r.name
			}
			return ds
		}
	}
	return nil
}

// match is a rule's expression found in a clause.
type match struct {
	c   *clause
	re  pattern.Pattern
	idx []int
}

// part is a piece of a clause: folded to decide by, raw to write down.
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

// sameCapture reports whether a group is a second one of a name: "o_2" of "o".
func sameCapture(group, name string) bool {
	rest, ok := strings.CutPrefix(group, name)
	return ok && len(rest) > 1 && rest[0] == '_'
}

func (c *clause) part(lo, hi int) part {
	lo, hi = trimBlank(c.text, lo, hi)
	if lo >= hi {
		return part{c: c, lo: lo, hi: lo}
	}
	return part{fold: c.text[lo:hi], raw: c.raw(lo, hi), c: c, lo: lo, hi: hi}
}

func (p part) empty() bool { return p.fold == "" }

// upTo and skip return the piece without its end or its beginning, in bytes of fold.
func (p part) upTo(n int) part { return p.c.part(p.lo, p.lo+n) }
func (p part) skip(n int) part { return p.c.part(p.lo+n, p.hi) }

// trim cuts what does not belong to an object: whatever follows a comma, reasons, politeness, particles.
func (p part) trim() part {
	p = p.whole()
	if i := strings.IndexByte(p.fold, ','); i > 0 {
		p = p.upTo(i).whole()
	}
	return p
}

// whole is trim for an object that may have commas in it: a list, a place, a date, a title.
func (p part) whole() part {
	if m := afterObject.Find(p.fold); m != nil && m[0] > 0 {
		p = p.upTo(m[0])
	}
	p = p.upTo(len(trimObject(p.fold)))
	for {
		q := p
		if m := particlesHan.Find(p.fold); m != nil && m[0] > 0 {
			q = p.upTo(m[0])
		}
		q = q.upTo(len(strings.TrimRight(q.fold, `"'”」』*_`+"`")))
		q = q.skip(len(q.fold) - len(strings.TrimLeft(q.fold, `"'“「『*_`+"`")))
		if q.fold == p.fold {
			return p
		}
		p = q
	}
}

var afterObject = expr(`\s+(?:because|as i|so that|so i|so please|but|although|though|even though|unless|if i|if you|which|and i|and my|and it|and that)\b.*$|\s*[;:(—].*$|,\s*(?:because|so|which|but|not|especially|since|as|and (?:it|that|i)|right|don't you|please|thanks|you know|of course|actually|haha|lol|too|though|even|mostly|by the way|if|when|for|while|since)\b.*$|\s+-+\s.*$|(?:因为|但是|不过|所以).*$`)

// draft is what a rule makes of a clause.
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
	final      bool // of one that only ends: no other rule is tried
	reason     string
	rule       string
}

// candidate completes a draft with what the clause knows.
func (d draft) candidate(c clause) Candidate {
	if d.bare() {
		return Candidate{
			Confidence: statedConfidence, Source: memory.SourceUserStated, Explicit: c.explicit, Ends: d.ends, Rule: d.rule,
			Reason: "it is over",
		}
	}
	out := Candidate{
		Type: d.typ, Key: d.key, Title: d.title, Content: d.content, Tags: d.tags,
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

// lasts reports whether an order to the assistant is meant for longer than this answer: it says so, or it is
// all that was said.
func (m match) lasts() bool { return m.c.durable || m.c.alone || m.c.explicit }

// one is the answer of a rule that found one thing.
func one(d draft) []draft { return []draft{d} }

// slot drafts the value of a slot that holds one thing.
func slot(key, title, content string, v part, importance float64, tags ...string) draft {
	return draft{
		typ: memory.TypeFact, key: key, title: title, content: content, st: Statement{Value: v.raw},
		tags: tags, importance: importance, reason: "states who the user is",
	}
}

// valid reports whether a piece can be an object: not empty, nothing quoted in it, not a whole story.
func (p part) valid(maxWords int) bool {
	return !p.empty() && !strings.Contains(p.fold, maskByte) && sameForm(p.fold) != "" && size(p.fold) <= maxWords
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
