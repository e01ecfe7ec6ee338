package policy

import (
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/subject"
)

// clause is one statement to match. text[pad:] is in the view from byte at; text[:pad] is an omitted
// subject.
type clause struct {
	v    *lang.View
	text string
	pad  int
	at   int

	elliptic   bool // without a subject; it inherits that of the previous clause
	predicate  bool // if elliptic: a predicate without a verb
	explicit   bool
	correction bool
	bare       bool           // only "correction:"
	alone      bool           // the message is this sentence
	durable    bool           // applies from now on
	told       bool           // text[:pad] was said before, and counts as said
	person     subject.Person // whom text[:pad] means, if known by name
}

var (
	joiners       = lang.Form("joiners")
	starter       = lang.Form("starter")
	bareVerb      = lang.Form("bareVerb")
	barePredicate = lang.Form("barePredicate")
	infinitive    = lang.Form("infinitive")
	hasOwn        = lang.Form("hasOwn")    // before it: "I have"
	ownMore       = lang.Form("ownMore")   // another of the user's people or animals, with a name
	eachDated     = lang.Form("eachDated") // another event with its own day
	kinAged       = lang.Form("kinAged")   // the age of somebody of the user's
	kinGoesOn     = lang.Form("kinGoesOn") // goes on about them
	kinIs         = lang.Form("kinIs")     // the same, after "is"
)

// splitClauses splits text[lo:hi] where a new statement begins: at a comma or a conjunction before a
// subject, an order or a bare verb; in Chinese at every comma.
func splitClauses(v *lang.View, s string, lo, hi int) []clause {
	var out []clause
	start, elliptic, predicate := lo, false, false
	emit := func(end int) {
		a, b := lang.TrimBlank(s, start, end)
		if a < b {
			c := clause{v: v, text: s[a:b], at: a, elliptic: elliptic, predicate: predicate}
			c.strip()
			out = append(out, c)
		}
	}
	for _, m := range lang.Cuts(s[lo:hi]) {
		cutAt, next := lo+m[0], lo+m[1]
		if cutAt < start || next >= hi {
			continue
		}
		rest := s[next:hi]
		if j := joiners.Find(rest); j != nil {
			rest = rest[j[1]:]
		}
		comma := strings.ContainsAny(s[cutAt:next], ",;—")
		han := lang.HanAround(s, cutAt, next)
		bare := bareVerb.Match(rest) && !infinitive.Match(s[start:cutAt]) || han && comma && barePredicate.Match(rest)
		switch {
		case cutAt < next && belongs(s[start:cutAt], rest):
		case cutAt == next || s[cutAt:next] == " ":
			emit(cutAt)
			start, elliptic, predicate = next, false, false
		case kinGoesOn.Match(rest) && kinAged.Match(strings.TrimSpace(s[start:cutAt])):
			emit(cutAt)
			start, elliptic, predicate = hi-len(rest), true, kinIs.Match(rest)
		case bare, ownMore.Match(rest) && hasOwn.Match(s[start:cutAt]):
			emit(cutAt)
			start, elliptic, predicate = hi-len(rest), true, false
		case (predicate || iAm.Match(s[start:cutAt])) && goesOn(s[start:cutAt], rest):
			emit(cutAt)
			start, elliptic, predicate = hi-len(rest), true, true
		case starter.Match(rest), han && comma, han && text.Han(firstRune(s[cutAt:next])),
			eachDated.Match(rest) && comingDay.Match(s[start:cutAt]):
			emit(cutAt)
			start, elliptic, predicate = hi-len(rest), false, false
		}
	}
	emit(hi)
	return out
}

var (
	iAm           = lang.Form("iAm")
	predicateEnd  = lang.Form("predicateEnd")
	predicateLead = lang.Form("predicateLead")
	agePredicate  = lang.Form("agePredicate")
	rowBegins     = lang.Form("rowBegins")
	acts          = lang.Form("acts")
	placed        = lang.Form("placed")
)

// goesOn reports whether rest, after a comma or "and", describes the speaker like before. before must contain
// nothing else, since after "I'm with Tom" rest describes Tom. After a place or a company even a nurse or a
// German may be somebody there, and after a father the age may be a child's.
func goesOn(before, rest string) bool {
	if !isPredicate(rest) {
		return false
	}
	if m := iAm.Find(before); m != nil {
		before = before[m[1]:]
	}
	before = strings.TrimSpace(before)
	if rowBegins.Match(before) {
		return true
	}
	for first, more := true, true; more; first = false {
		said := before
		end := predicateEnd.Find(before)
		if more = end != nil; more {
			said, before = before[:end[0]], before[end[1]:]
		}
		said = strings.TrimSpace(predicateLead.Replace(strings.TrimSpace(said), ""))
		there := placed.Match(said)
		shared := !first && size(said) < 3 && occupied(said) // "a designer and developer"
		if !there && !shared && !isPredicate(said) {
			return false
		}
		if there = there || occupied(bareRole(said)) && beforeHead.Match(said); there && !isState(rest) {
			return false
		}
	}
	return true
}

// isState is isPredicate for predicates that apply only to oneself, not to somebody just named.
func isState(s string) bool {
	if strings.HasPrefix(s, "allergic to ") {
		return true
	}
	if end := predicateEnd.Find(s); end != nil {
		s = s[:end[0]]
	}
	s = strings.TrimSpace(s)
	return diets()[bareRole(s)] || conditions()[s] || statuses()[s] || workStatuses()[s]
}

func bareRole(s string) string {
	if role, ok := strings.CutPrefix(s, "a "); ok {
		return role
	}
	return strings.TrimPrefix(s, "an ")
}

// isPredicate reports whether s begins with a complete predicate for "I am": "I'm 34, married and allergic
// to nuts".
func isPredicate(s string) bool {
	if isState(s) {
		return true
	}
	if end := predicateEnd.Find(s); end != nil {
		s = s[:end[0]]
	}
	s = strings.TrimSpace(s)
	role := bareRole(s)
	return nationalities()[s] || agePredicate.Match(s) || role != s && occupied(role) && !acts.Match(role)
}

var (
	correcting = lang.Form("correcting")
	pronounIs  = lang.Form("pronounIs")
	denies     = lang.Form("denies")
	isThat     = lang.Form("isThat")
	isNotThat  = lang.Form("isNotThat")
	namesIt    = lang.Form("namesIt")
	hasKin     = lang.Form("hasKin")
	takesBack  = lang.Form("takesBack")
	favours    = lang.Form("favours")
)

// belongs reports whether the text after a comma completes the statement: the wrong half of a
// correction, or the name of the cat just mentioned.
func belongs(before, rest string) bool {
	return correcting.Match(rest) || pronounIs.Match(rest) && denies.Match(before) ||
		isThat.Match(rest) && isNotThat.Match(before) ||
		namesIt.Match(rest) && hasKin.Match(before) ||
		takesBack.Match(rest) && favours.Match(before)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

var (
	opener         = lang.Form("opener")
	correctionLead = lang.Form("correctionLead")
	opinion        = lang.Form("opinion")
	durable        = lang.Form("durable")
	reasonLead     = lang.Form("reasonLead")
	durableLead    = lang.Form("durableLead")
)

// strip removes introductions of a statement, and records their meaning.
func (c *clause) strip() {
	c.durable = durable.Match(c.text)
	if n := len(c.text) - len(strings.TrimLeft(c.text, `"'「『`)); n < len(c.text) {
		c.text, c.at = c.text[n:], c.at+n
	}
	for {
		if m := opinion.Find(c.text); m != nil {
			c.text, c.at = c.text[m[1]-len("我"):], c.at+m[1]-len("我")
		}
		n := 0
		if m := correctionLead.Find(c.text); m != nil {
			n = m[1]
			c.correction = true
		} else if m := opener.Find(c.text); m != nil {
			n = m[1]
		} else if m := durableLead.Find(c.text); m != nil {
			n = m[1]
		} else if m := reasonLead.Groups(c.text); m != nil {
			n = m[2]
		}
		c.bare = c.correction && n >= len(c.text)
		if n == 0 || n >= len(c.text) {
			return
		}
		c.text, c.at = c.text[n:], c.at+n
	}
}

var (
	ownSubject  = lang.Form("ownSubject")
	aboutMe     = lang.Form("aboutMe")
	aboutOthers = lang.Form("aboutOthers") // begins clauses after which others may be meant
	meets       = lang.Form("meets")       // introduces somebody whom later clauses may be about
)

// lead returns the text to prepend to a clause without a subject that inherits it.
func (c *clause) lead(subject string) string {
	switch {
	case ownMore.Match(c.text):
		return "i have "
	case c.predicate && subject == "i ":
		return "i'm "
	}
	return subject
}

// subject returns the subject that a following clause without one inherits.
func (c *clause) subject() string {
	switch {
	case aboutMe.Match(c.text) && !aboutOthers.Match(c.text) && !meets.Match(c.text), strings.HasPrefix(c.text, "本人"):
		return "我"
	case ownSubject.Match(c.text):
		return "i "
	}
	return ""
}

// bytes returns the clause's position in the original.
func (c *clause) bytes() (lo, hi int) {
	return c.v.Source(c.at, c.at+len(c.text)-c.pad)
}

// unsaid returns the length of the subject that was not said.
func (c *clause) unsaid() int {
	if c.told {
		return 0
	}
	return c.pad
}

// raw returns the original words of text[lo:hi].
func (c *clause) raw(lo, hi int) string {
	told := ""
	if c.told && lo < c.pad {
		told = c.text[lo:min(hi, c.pad)]
	}
	lo, hi = max(lo, c.pad), max(hi, c.pad)
	return told + c.v.Raw(c.at+lo-c.pad, c.at+hi-c.pad)
}
