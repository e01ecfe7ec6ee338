package learn

import (
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/subject"
	"memoria/memory/policy/wording"
)

// Operation is a proposal's change to the memory (P5c).
type Operation string

// The operations. Replace puts the proposal in the place of a memory, End closes one without a successor.
const (
	Add     Operation = "add"
	Replace Operation = "replace"
	End     Operation = "end"
)

// Reasons for refusing or holding an operation.
const (
	whyTarget   = "it names no memory that was shown"
	whyAnother  = "it is about somebody else"
	holdWhose   = "it may be about somebody else"
	holdEnding  = "your words do not plainly say that it ended"
	holdUnalike = "it may not be about the same thing"
	holdParty   = "it may be about another person"
)

// claim is an item with its source words.
type claim struct {
	Item
	source  policy.Source
	clauses []subject.Subject // those that the quotation touches
	target  *Shown            // nil for Add
	typed   string
	before  string            // previous message
	around  []subject.Subject // all clauses of the message
	context []string          // other content shown to the model: the previous message, and memories
}

// newClaim returns an item with the clauses that its quotation touches. An item attributed to the user that
// rests only on clauses about another party and names that party is attributed to that party.
func newClaim(it Item, src policy.Source, in Input, subjects []subject.Subject) claim {
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
	if !subject.MeansUser(it.Subject) || slices.ContainsFunc(c.clauses, c.owns) {
		return c
	}
	for _, s := range c.clauses {
		if s.Names(it.Content) {
			c.Subject = s.Name
		}
	}
	return c
}

// owned returns the clauses about the item's party. why says that there are none, and hold that it is
// doubtful.
func (c claim) owned() (out []subject.Subject, hold, why string) {
	for _, s := range c.clauses {
		if c.owns(s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, "", whyAnother
	}
	unsure := func(s subject.Subject) bool { return s.Unsure }
	switch {
	case subject.MeansUser(c.Subject) && !slices.ContainsFunc(out, func(s subject.Subject) bool { return !unsure(s) }):
		hold = holdWhose
	case !subject.MeansUser(c.Subject) && c.target != nil && !c.sharedWithTarget(c.Subject, out):
		hold = holdParty
	}
	return out, hold, ""
}

// owns reports whether a clause is about the item's party. A clause that ends or replaces a memory of a party
// may be about that party, whomever the item names.
func (c claim) owns(s subject.Subject) bool {
	if c.target != nil && s.Name != "" && wording.SharesWord(s.Name, c.target.Item.Content) {
		return true
	}
	if subject.MeansUser(c.Subject) {
		return s.Who != subject.Another
	}
	switch said := text.Fold(c.before + "\n" + c.typed); {
	case s.Names(c.Subject), wording.SharesWord(c.Subject, c.text(s)):
		return true
	case s.Who != subject.Another:
		return false
	case s.Name == "":
		return wording.SharesWord(c.Subject, said)
	default:
		return calls(said, s.Name, c.Subject)
	}
}

// calls reports whether a text uses two names of somebody in a row: "my sister Ola".
func calls(said, one, other string) bool {
	named := text.Fold(one + " " + other)
	return strings.Contains(said, named) || strings.Contains(said, strings.ReplaceAll(named, " ", ""))
}

// sharedWithTarget reports whether the target names a party, or one that the clauses are about.
func (c claim) sharedWithTarget(party string, clauses []subject.Subject) bool {
	return wording.SharesWord(party, c.target.Item.Content) || slices.ContainsFunc(clauses, func(s subject.Subject) bool {
		return s.Name != "" && wording.SharesWord(s.Name, c.target.Item.Content)
	})
}

func (c claim) text(s subject.Subject) string { return c.typed[s.Offset : s.Offset+s.Length] }

// words returns the user's words of clauses, with the names of their parties.
func (c claim) words(clauses []subject.Subject) string {
	var out []string
	for _, s := range clauses {
		out = append(out, s.Name, c.text(s))
	}
	return strings.Join(out, "\n")
}

// usable reports whether words that teach nothing by themselves may still carry the item: those that end or
// replace something, and clauses without a subject that the model attributes to the user.
func (c claim) usable(in Input) bool {
	switch {
	case !c.source.Passing:
		return false
	case c.target != nil && (c.target.Item.Type == memory.TypeRule || wording.Ends(c.words(c.clauses)) || c.Op == End && c.source.Telling):
		return true
	case c.source.Reason != policy.WhyNotUser:
		return false
	case c.target != nil:
		return true
	case subject.MeansUser(c.Subject):
		return !slices.ContainsFunc(c.clauses, func(s subject.Subject) bool { return s.Who != subject.Self || !s.Elided })
	}
	return slices.ContainsFunc(in.Shown, func(s Shown) bool { return wording.SharesWord(c.Subject, s.Item.Content) })
}

// wording says why the content is not the user's words, or reverses them; "" if neither.
func (c claim) wording(owned []subject.Subject) string {
	words := c.words(owned)
	said := []string{words, c.Subject}
	if c.target != nil {
		said = append(said, c.target.Item.Content)
	}
	switch all := len(wording.Unsaid(c.Content)); {
	case len(wording.Unsaid(c.Content, words)) >= all: // no new words
		return whyNotSaid
	case len(wording.Unsaid(c.Content, said...)) > 0 &&
		(!most(all-len(wording.Unsaid(c.Content, said...)), all) || len(wording.Unsaid(c.Content, c.known(said)...)) > 0):
		return whyNotSaid
	case c.opposes(owned):
		return whyOpposite
	}
	return ""
}

// known adds further permitted source words, used if most are in the quotation: the rest of the message about
// the same party, and earlier context.
func (c claim) known(said []string) []string {
	out := slices.Concat(said, c.context)
	for _, s := range c.around {
		if c.owns(s) {
			out = append(out, c.text(s))
		}
	}
	return out
}

// mostSaid is the minimum share of a content's words in the quotation.
const mostSaid = 0.5

func most(said, of int) bool { return float64(said) >= mostSaid*float64(of) }

// mostlySaid reports whether most words of the content are the user's, and all its names and numbers. Then
// the model's meaning is the user's, and the user's own words can replace it. A date may be that of a day
// which the user named. If the content is in another language, only names and numbers are compared.
func (c claim) mostlySaid() bool {
	content, quoted := c.Content, c.quoted()
	if _, dated := text.Resolve(quoted, anyDay, time.UTC, true); dated {
		content = withoutDates(content)
	}
	missing, all := wording.Unsaid(content, c.words(c.clauses), c.Subject), wording.Unsaid(content)
	for _, word := range wording.Particulars(content) {
		if slices.ContainsFunc(missing, func(m string) bool { return text.Fold(m) == word }) {
			return false
		}
	}
	return chinese(content) != chinese(quoted) || most(len(all)-len(missing), len(all))
}

// anyDay is a reference day for parsing when only the words of dates matter.
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

// quoted returns the quotation as typed.
func (c claim) quoted() string { return c.typed[c.source.Offset : c.source.Offset+c.source.Length] }

// opposes reports whether the content reverses the user's words. For a replacement, clauses with words of the
// new content count: "no longer in Lyon but in Bonn" denies the old, not the new.
func (c claim) opposes(owned []subject.Subject) bool {
	if c.target == nil {
		return wording.Opposes(c.source.Said, c.Content)
	}
	return !slices.ContainsFunc(owned, func(s subject.Subject) bool {
		return wording.SharesWord(c.Content, c.text(s)) && !wording.Opposes(c.text(s), c.Content)
	})
}

// doubt says why an operation on a memory has to wait for the user; "" if it need not. Results of rules from
// the same message may be corrected freely.
func (c claim) doubt(owned []subject.Subject) string {
	switch {
	case c.target == nil || c.target.Fresh || c.target.Item.Type == memory.TypeRule:
		return ""
	case c.Op == End && !wording.Ends(c.words(owned)) && !c.source.Telling:
		return holdEnding
	case c.Op == Replace && c.Type != c.target.Item.Type && !wording.SharesWord(c.Content, c.target.Item.Content):
		return holdUnalike
	}
	return ""
}
