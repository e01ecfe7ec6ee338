package learn

import (
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
)

// Operation is what a proposal does to the memory (P5c).
type Operation string

// The operations. Replace puts the proposal in the place of a memory, End closes one without a successor.
const (
	Add     Operation = "add"
	Replace Operation = "replace"
	End     Operation = "end"
)

// Why an operation is refused, or waits for the user's approval.
const (
	whyTarget   = "it names no memory that was shown"
	whyAnother  = "it is about somebody else"
	holdWhose   = "it may be about somebody else"
	holdEnding  = "your words do not plainly say that it ended"
	holdUnalike = "it may not be about the same thing"
	holdParty   = "it may be about another person"
)

// claim is an item with the words that it rests on.
type claim struct {
	Item
	source  policy.Source
	clauses []policy.Subject // those that the quotation touches
	target  *Shown           // nil for Add
	typed   string
	before  string           // the message before
	around  []policy.Subject // all clauses of the message
	context []string         // what the model was shown besides: the message before, and memories
}

// newClaim is an item with the clauses of a message that its quotation touches. An item that is said to be the user's,
// but rests on clauses about another party alone and names that party, is taken for that party's.
func newClaim(it Item, src policy.Source, in Input, subjects []policy.Subject) claim {
	c := claim{Item: it, source: src, typed: in.Said, around: subjects, context: slices.Clone(in.Known)}
	if n := len(in.Before); n > 0 {
		c.before = in.Before[n-1]
		c.context = append(c.context, c.before)
	}
	for _, s := range in.Shown {
		c.context = append(c.context, s.Item.Content)
	}
	if it.Op == Replace || it.Op == End {
		c.target = in.shown(it.Target)
	}
	for _, s := range subjects {
		if s.Offset < src.Offset+src.Length && src.Offset < s.Offset+s.Length {
			c.clauses = append(c.clauses, s)
		}
	}
	if !policy.MeansUser(it.Subject) || slices.ContainsFunc(c.clauses, c.owns) {
		return c
	}
	for _, s := range c.clauses {
		if s.Names(it.Content) {
			c.Subject = s.Name
		}
	}
	return c
}

// owned are the clauses that are about the party that the item is about; why says that there are none, and hold that
// it is doubtful.
func (c claim) owned() (out []policy.Subject, hold, why string) {
	for _, s := range c.clauses {
		if c.owns(s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, "", whyAnother
	}
	unsure := func(s policy.Subject) bool { return s.Unsure }
	switch {
	case policy.MeansUser(c.Subject) && !slices.ContainsFunc(out, func(s policy.Subject) bool { return !unsure(s) }):
		hold = holdWhose
	case !policy.MeansUser(c.Subject) && c.target != nil && !c.sharedWithTarget(c.Subject, out):
		hold = holdParty
	}
	return out, hold, ""
}

// owns reports whether a clause is about the party that the item is about. What ends or replaces a memory of a party
// may be said of that party, whomever the item names.
func (c claim) owns(s policy.Subject) bool {
	if c.target != nil && s.Name != "" && policy.SharesWord(s.Name, c.target.Item.Content) {
		return true
	}
	if policy.MeansUser(c.Subject) {
		return s.Who != policy.Another
	}
	switch said := text.Fold(c.before + "\n" + c.typed); {
	case s.Names(c.Subject), policy.SharesWord(c.Subject, c.text(s)):
		return true
	case s.Who != policy.Another:
		return false
	case s.Name == "":
		return policy.SharesWord(c.Subject, said)
	default:
		return calls(said, s.Name, c.Subject)
	}
}

// calls reports whether a text calls somebody by two names in a row: "my sister Ola".
func calls(said, one, other string) bool {
	named := text.Fold(one + " " + other)
	return strings.Contains(said, named) || strings.Contains(said, strings.ReplaceAll(named, " ", ""))
}

// sharedWithTarget reports whether the target names a party, or one of those that the clauses are about.
func (c claim) sharedWithTarget(party string, clauses []policy.Subject) bool {
	return policy.SharesWord(party, c.target.Item.Content) || slices.ContainsFunc(clauses, func(s policy.Subject) bool {
		return s.Name != "" && policy.SharesWord(s.Name, c.target.Item.Content)
	})
}

func (c claim) text(s policy.Subject) string { return c.typed[s.Offset : s.Offset+s.Length] }

// words are the user's words of clauses, with the names of the parties that they are about.
func (c claim) words(clauses []policy.Subject) string {
	var out []string
	for _, s := range clauses {
		out = append(out, s.Name, c.text(s))
	}
	return strings.Join(out, "\n")
}

// usable reports whether words that teach nothing by themselves may carry the item all the same: what ends or replaces
// something, and clauses without a subject of which the model says that they are the user's.
func (c claim) usable(in Input) bool {
	switch {
	case !c.source.Passing:
		return false
	case c.target != nil && (c.target.Item.Type == memory.TypeRule || policy.Ends(c.words(c.clauses)) || c.Op == End && c.source.Telling):
		return true
	case c.source.Reason != policy.WhyNotUser:
		return false
	case c.target != nil:
		return true
	case policy.MeansUser(c.Subject):
		return !slices.ContainsFunc(c.clauses, func(s policy.Subject) bool { return s.Who != policy.Self || !s.Elided })
	}
	return slices.ContainsFunc(in.Shown, func(s Shown) bool { return policy.SharesWord(c.Subject, s.Item.Content) })
}

// wording says why the content is not the user's words, or turns them round; empty when it is and does not.
func (c claim) wording(owned []policy.Subject) string {
	words := c.words(owned)
	said := []string{words, c.Subject}
	if c.target != nil {
		said = append(said, c.target.Item.Content)
	}
	switch all := len(policy.Unsaid(c.Content)); {
	case len(policy.Unsaid(c.Content, words)) >= all: // nothing in it is new
		return whyNotSaid
	case len(policy.Unsaid(c.Content, said...)) > 0 &&
		(!most(all-len(policy.Unsaid(c.Content, said...)), all) || len(policy.Unsaid(c.Content, c.known(said)...)) > 0):
		return whyNotSaid
	case c.opposes(owned):
		return whyOpposite
	}
	return ""
}

// known adds to some words what else the model may take words from when most of them are in the quotation: what the message
// says elsewhere of the same party, and what stood before it.
func (c claim) known(said []string) []string {
	out := slices.Concat(said, c.context)
	for _, s := range c.around {
		if c.owns(s) {
			out = append(out, c.text(s))
		}
	}
	return out
}

// mostSaid is how many of a content's words the quotation must have.
const mostSaid = 0.5

func most(said, of int) bool { return float64(said) >= mostSaid*float64(of) }

// mostlySaid reports whether most words of the content are the user's, and all names and numbers in it: then the model means
// what he said, and his own words can take its place. A date may be that of a day which he named. Of a content in another
// language no more than names and numbers can be compared.
func (c claim) mostlySaid() bool {
	content, quoted := c.Content, c.quoted()
	if _, dated := text.Resolve(quoted, anyDay, time.UTC, true); dated {
		content = withoutDates(content)
	}
	missing, all := policy.Unsaid(content, c.words(c.clauses), c.Subject), policy.Unsaid(content)
	for _, word := range policy.Particulars(content) {
		if slices.ContainsFunc(missing, func(m string) bool { return text.Fold(m) == word }) {
			return false
		}
	}
	return chinese(content) != chinese(quoted) || most(len(all)-len(missing), len(all))
}

// anyDay is the day from which dates are read where only their words count.
var anyDay = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

func withoutDates(s string) string {
	for {
		at, ok := text.Resolve(s, anyDay, time.UTC, true)
		if !ok {
			return s
		}
		s = s[:at.Start] + " " + s[at.End:]
	}
}

// quoted is the quotation as the user typed it.
func (c claim) quoted() string { return c.typed[c.source.Offset : c.source.Offset+c.source.Length] }

// opposes reports whether the content turns the user's words into their opposite. Of a replacement those clauses count
// that have words of it: "no longer in Lyon but in Bonn" denies the old, not the new.
func (c claim) opposes(owned []policy.Subject) bool {
	if c.target == nil {
		return policy.Opposes(c.source.Said, c.Content)
	}
	return !slices.ContainsFunc(owned, func(s policy.Subject) bool {
		return policy.SharesWord(c.Content, c.text(s)) && !policy.Opposes(c.text(s), c.Content)
	})
}

// doubt says why an operation on a memory has to wait for the user; empty when it need not. What rules made of the same
// message may be corrected freely.
func (c claim) doubt(owned []policy.Subject) string {
	switch {
	case c.target == nil || c.target.Fresh || c.target.Item.Type == memory.TypeRule:
		return ""
	case c.Op == End && !policy.Ends(c.words(owned)) && !c.source.Telling:
		return holdEnding
	case c.Op == Replace && c.Type != c.target.Item.Type && !policy.SharesWord(c.Content, c.target.Item.Content):
		return holdUnalike
	}
	return ""
}
