package policy

import (
	"strings"

	"memoria/memory/pattern"
)

// The forms of offrecord.txt: how a user asks that nothing of a message be kept (U5).
var (
	offClause = pattern.Lazy(func() string { return wholeClause("offRecordClause") })
	offEnd    = pattern.Lazy(func() string {
		var all []string
		for _, l := range inBoth() {
			before, _ := l.named("offAtEnd")
			core, _ := l.named("offRecordClause")
			after, _ := l.named("offTail")
			all = append(all, "(?:"+before+")(?:"+core+")(?:"+after+")*$")
		}
		return strings.Join(all, "|")
	})
	dropped     = pattern.Lazy(func() string { return wholeClause("dropped") })
	offSplit    = form("offSplit")
	offReported = formEach("offReported")
	offPause    = expr(`\s*[,;:()—–\-]+(?:\s+|$)|[,;:()—–]`)
)

// wholeClause returns the expression of a clause that has nothing but a form in it and words of politeness around it.
func wholeClause(name string) string {
	var all []string
	for _, l := range inBoth() {
		before, _ := l.named("offLead")
		core, _ := l.named(name)
		after, _ := l.named("offTail")
		all = append(all, "^(?:"+before+")*(?:"+core+")(?:"+after+")*$")
	}
	return strings.Join(all, "|")
}

// offTheRecord reports whether a clause of a sentence asks that nothing of the message be kept.
func offTheRecord(s string) bool {
	if offReported[0].Match(s) && !ownReport.Match(s) || offReported[1].Match(s) {
		return false
	}
	for _, part := range append(offPause.Split(s), s) {
		if isOff(part) || offEnd.Match(part) {
			return true
		}
		for _, p := range offSplit.Split(part) {
			if isOff(p) {
				return true
			}
		}
	}
	return false
}

func isOff(clause string) bool { return offClause.Match(strings.Trim(clause, " !.~…🤫")) }

// OffRecord reports whether the user asks in a message that nothing of it be kept. A message that only drops a matter,
// such as "never mind", asks for nothing.
func (p *Policy) OffRecord(typed string) bool {
	r := newReader(typed)
	for i, s := range r.sentences {
		t := r.trimmed(i)
		if t.lo >= t.hi || s.question && !politeEnds(r.masked[t.lo:t.hi]) {
			continue
		}
		if body := r.masked[t.lo:t.hi]; offTheRecord(body) && !dropped.Match(body) {
			return true
		}
	}
	return false
}

// politeEnds reports whether a question only asks for consent: "…, ok?".
func politeEnds(s string) bool {
	for _, end := range politeEnd {
		if end.Match(s) {
			return true
		}
	}
	return false
}
