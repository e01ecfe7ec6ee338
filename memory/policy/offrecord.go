package policy

import "memoria/memory/policy/offrecord"

// OffRecord reports whether a message asks to keep nothing of it. Dropping a matter, as in "never mind", is
// not such a request.
func (p *Policy) OffRecord(typed string) bool {
	r := newReader(typed)
	for i, s := range r.sentences {
		t := r.trimmed(i)
		if t.Lo >= t.Hi || s.Question && !politeEnds(r.masked[t.Lo:t.Hi]) {
			continue
		}
		if body := r.masked[t.Lo:t.Hi]; offrecord.Asks(body) && !offrecord.Drops(body) {
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
