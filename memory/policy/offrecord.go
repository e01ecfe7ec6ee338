package policy

import (
	"strings"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// Forms of offrecord.txt: requests to keep nothing of a message (U5).
var (
	offClause   = lang.Form("offClause")
	offEnd      = lang.Form("offEnd")
	offDropped  = lang.Form("offDropped")
	offSplit    = lang.Form("offSplit")
	offReported = lang.FormEach("offReported")
	offPause    = pattern.Regexp(`\s*[,;:()—–\-]+(?:\s+|$)|[,;:()—–]`)
)

// offTheRecord reports whether a clause of a sentence asks to keep nothing of the message.
func offTheRecord(s string) bool {
	parts := offPause.Split(s)
	if offReported[0].Match(s) && !ownReport.Match(s) || offReported[1].Match(s) {
		// not "my boss said, don't keep that", but "my boss said that he leaves, don't keep that"
		for i := 1; i < len(parts); i++ {
			if isOff(parts[i]) && !reportEnds(parts[i-1]) {
				return true
			}
		}
		return false
	}
	for _, part := range append(parts, s) {
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

// reportEnds reports whether a clause ends with the words that report the next one.
func reportEnds(clause string) bool {
	for _, p := range offReported {
		if m := p.FindAll(clause); len(m) > 0 && strings.Trim(clause[m[len(m)-1][1]:], " 了过") == "" {
			return true
		}
	}
	return false
}

func isOff(clause string) bool { return offClause.Match(strings.Trim(clause, " !.~…🤫")) }

// OffRecord reports whether a message asks to keep nothing of it. Dropping a matter, as in "never mind", is
// not such a request.
func (p *Policy) OffRecord(typed string) bool {
	r := newReader(typed)
	for i, s := range r.sentences {
		t := r.trimmed(i)
		if t.Lo >= t.Hi || s.Question && !politeEnds(r.masked[t.Lo:t.Hi]) {
			continue
		}
		if body := r.masked[t.Lo:t.Hi]; offTheRecord(body) && !offDropped.Match(body) {
			return true
		}
	}
	return false
}

// OpensOffRecord reports whether a message begins with a request to keep nothing of it.
func (p *Policy) OpensOffRecord(typed string) bool {
	first, _, _ := strings.Cut(strings.NewReplacer("：", ":", "，", ":", ",", ":").Replace(typed), ":")
	return len(first) <= 80 && p.OffRecord(first)
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
