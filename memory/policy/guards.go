package policy

import (
	"slices"
	"strings"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/offrecord"
)

// orderKind is the form of a request to remember.
type orderKind int

const (
	orderNone orderKind = iota
	orderWith           // the statement is in the same sentence
	orderBare           // the order alone; it concerns the previous sentence or, after a colon, the next
)

// order is an explicit request to remember in a sentence; sentence[lo:hi] is the content to remember.
type order struct {
	kind    orderKind
	lo, hi  int
	forward bool // bare, and concerns the next sentence
	negated bool // "don't remember that I …"
	polite  bool // a question in form only: "could you remember that …?"
	toDo    bool // "remember to …"
}

// Forms of guards.txt for recognising orders; for those in each language, English comes first.
var (
	rememberOrder  = lang.FormEach("rememberOrder")
	orderAtEnd     = lang.FormEach("orderAtEnd")
	politeEnd      = lang.FormEach("politeEnd")
	recalled       = lang.FormEach("recalled")
	recalledThat   = lang.Form("recalledThat")
	politeQuestion = lang.Form("politeQuestion")
	politeOrder    = lang.Form("politeOrder")
	ordersAnywhere = lang.Form("ordersAnywhere")
	keepNot        = lang.Form("keepNot")
	leaveOut       = lang.Form("leaveOut")
	remembering    = lang.Form("remembering")
	allOfIt        = lang.Form("allOfIt")
	offRecord      = lang.Form("offRecord")
	notToForget    = lang.Form("notToForget")
	forgetThis     = lang.Form("forgetThis")
	asksKept       = lang.Form("asksKept")
	toProgram      = lang.Form("toProgram")
	onlyOrder      = lang.Form("onlyOrder")
)

// forbids reports whether the sentence asks not to remember the message. A request not to remember one named
// thing is only a negated order.
func forbids(s string) bool {
	if offrecord.Asks(s) || offRecord.Match(s) && !notToForget.Match(s) {
		return true
	}
	if strings.HasPrefix(s, "i ") || strings.HasPrefix(s, "i'") {
		return false
	}
	m := keepNot.Find(s)
	return m != nil && allOfIt.Match(s[m[1]:])
}

// findOrder finds an explicit request in a sentence.
func findOrder(s string) order {
	o := order{hi: len(s)}
	if keepNot.Match(s) && !strings.Contains(s, "forget") && remembering.Match(s) || leaveOut.Match(s) || forgetThis.Match(s) {
		o.negated = true
		return o
	}
	if asksKept.Match(s) {
		return o
	}
	if m := politeQuestion.Groups(s); m != nil && politeOrder.Match(s[strings.Index(s, " you ")+len(" you "):]) {
		o.polite, o.lo = true, m[2]
	}
	if ordersAnywhere.Match(s) {
		for _, end := range politeEnd {
			if m := end.Find(s[o.lo:o.hi]); m != nil && m[0] > 0 {
				o.hi = o.lo + m[0]
			}
		}
	}
	body := s[o.lo:o.hi]
	for _, order := range orderAtEnd {
		if m := order.Find(body); m != nil && m[0] > 0 {
			o.kind, o.hi = orderWith, o.lo+m[0]
			return o
		}
	}
	for i, order := range rememberOrder {
		if m := order.Groups(body); m != nil {
			return o.with(body, m, order, recalled[i])
		}
	}
	return o
}

// with completes an order whose verb was found, by the text after it.
func (o order) with(body string, m []int, re, past pattern.Pattern) order {
	rest, colon := re.Group("rest"), re.Group("colon")
	lo, hi := m[2*rest], m[2*rest+1]
	inner, mark := body[lo:hi], ""
	if m[2*colon] >= 0 {
		mark = body[m[2*colon]:m[2*colon+1]]
	}
	that := strings.HasSuffix(strings.TrimRight(body[:lo], " :,"), " that")
	switch {
	case emptyNote(inner):
		o.kind = orderBare
		o.forward = strings.Contains(mark, ":") || strings.HasSuffix(strings.TrimSpace(inner), ":")
		return o
	case that && recalledThat.Match(inner), !that && past.Match(inner), notes(body, body[:lo], mark):
		return order{hi: o.hi, lo: o.lo}
	}
	o.kind = orderWith
	o.toDo = strings.HasPrefix(inner, "to ")
	o.hi = o.lo + hi
	o.lo += lo
	return o
}

// notes reports whether a sentence that begins with "note" is not an order but about notes.
func notes(body, before, mark string) bool {
	return strings.HasPrefix(body, "note") && !strings.HasPrefix(body, "note to self") &&
		!strings.Contains(before, "that") && mark == ""
}

var (
	question      = lang.Form("question")
	asksSomething = lang.Form("asksSomething")
	asksNothing   = lang.Form("asksNothing")
	asksSurely    = lang.Form("asksSurely")
)

// asks reports whether a sentence without a question mark is a question.
func asks(s string) bool {
	s = strings.TrimSpace(s)
	if question.Match(s) {
		return true
	}
	if !lang.HasHan(s) {
		return false
	}
	if asksSurely.Match(s) || asksSomething.Match(s) && asksSomething.Match(asksNothing.Replace(s, "")) {
		return true
	}
	return lang.Alternates(alternatesNot.Replace(s, ""))
}

// alternatesNot are words with the form of such a question: 动不动.
var alternatesNot = lang.Form("alternatesNot")

// asksOne reports whether a Chinese clause of a text is a question by itself.
func asksOne(clauses []clause) bool {
	return slices.ContainsFunc(clauses, func(c clause) bool { return lang.HasHan(c.text) && asks(c.text) })
}

var (
	hypothesis  = lang.Form("hypothesis")
	supposition = lang.Form("supposition")
	maybeNot    = lang.Form("maybeNot")
	politeWish  = lang.Form("politeWish")
)

// hypothetical reports whether a sentence describes something unreal or past. A polite wish does not count.
func hypothetical(s string) bool {
	if supposition.Match(s) {
		return !maybeNot.Match(s)
	}
	return !politeWish.Match(s) && hypothesis.Match(s)
}

// Supposes reports whether a sentence of a message is hypothetical: "if my flight was on Friday".
func Supposes(message string) bool {
	r := newReader(message)
	for i := range r.sentences {
		s := r.trimmed(i)
		if supposes(r.masked[s.Lo:s.Hi]) {
			return true
		}
	}
	return false
}

var (
	textWork  = lang.Form("textWork")  // introduces text to work on, in this sentence or later ones
	composing = lang.Form("composing") // only this sentence is text to work on, unless it ends in a colon

	writesUsually = lang.Form("writesUsually") // about how the user writes, not an order to write
)
