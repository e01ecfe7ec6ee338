package policy

import (
	"strings"

	"memoria/memory/policy/lang"
	"memoria/memory/policy/subject"
)

// Forms for clauses about somebody of the user's, see [subject.PartyOf].
var (
	comingDay = lang.Form("comingDay") // names a day that may be to come
	didOnce   = lang.Form("didOnce")   // tells what somebody did once
	hasDone   = lang.Form("hasDone")   // "'s" before it is "has"
)

// ruleNameOnly is the rule that reads only a name in a clause that says more.
const ruleNameOnly = "relation-with-name"

// aboutParty returns a clause with the party in place of its pronoun, or before a predicate
// without a subject.
func (c clause) aboutParty(party string, pronoun int) clause {
	if rest, ok := strings.CutPrefix(c.text[pronoun:], "'s "); ok && pronoun > 0 {
		is := " is "
		if hasDone.Match(rest) {
			is = " has "
		}
		party, pronoun = party+is, pronoun+len("'s ")
	}
	c.at += pronoun
	c.text, c.pad, c.told = party+c.text[pronoun:], len(party), true
	return c
}

// near reports whether a piece is about a person or an animal of the user's.
func (p piece) near() bool { return p.of == subject.Another && subject.PartyOf(p.text) != "" }

// coming reports whether a piece names a day that may be to come.
func (p piece) coming() bool { return comingDay.Match(p.text) && !notAhead.Match(p.text) }
