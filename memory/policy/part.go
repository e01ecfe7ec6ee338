package policy

import (
	"strings"

	"memoria/memory/policy/lang"
)

// properNoun reports whether "the X" is written as a name.
func properNoun(o part) bool {
	w := strings.Fields(o.raw)
	if len(w) < 2 || strings.ToLower(w[0]) != "the" {
		return false
	}
	return lang.Capitalised(w[1])
}

// occupied reports whether the head of a noun phrase is an occupation.
func occupied(f string) bool {
	f = beforeHead.Replace(f, "")
	words := strings.Fields(f)
	if len(words) == 0 || len(words) > 5 {
		return false
	}
	head := words[len(words)-1]
	if occupations()[head] {
		return head != "owner" || len(words) > 1
	}
	return len(words) > 1 && occupationEnd.Match(head)
}

// list returns the members of a plain list, or the whole object if it is not a list.
func (p part) list() []part {
	if size(p.fold) > 14 || notList.Match(p.fold) || fixedPair.Match(p.fold) {
		return []part{p.trim()}
	}
	var out []part
	lo := 0
	add := func(hi int) bool {
		q := p.c.part(p.lo+lo, p.lo+hi)
		if q.empty() || size(q.fold) > 3 || notMember.Match(q.fold) {
			return false
		}
		out = append(out, q)
		return true
	}
	for _, m := range listJoin.FindAll(p.fold) {
		if !add(m[0]) {
			return []part{p.trim()}
		}
		lo = m[1]
	}
	if !add(len(p.fold)) {
		return []part{p.trim()}
	}
	if len(out) == 2 && !strings.ContainsAny(p.fold, ",、") && size(out[0].fold) == 1 && size(out[1].fold) > 2 {
		return []part{p} // "black and white photos": the adjectives share a noun
	}
	return out
}

var (
	notMember     = lang.Form("notMember")
	beforeHead    = lang.Form("beforeHead")
	listJoin      = lang.Form("listJoin")
	fixedPair     = lang.Form("fixedPair")
	notList       = lang.Form("notList")
	occupationEnd = lang.Form("occupationEnd")

	occupations = lang.Words("occupation")
)
