package subject

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/wording"
)

// Who is the kind of a clause's subject.
type Who int

// The kinds of subjects.
const (
	Unclear  Who = iota // a fragment without context
	Self                // the user
	Another             // another person, or an animal
	Thing               // neither a person nor an animal
	Listener            // the addressee: "you can write longer answers again"
)

// String returns the kind as a word.
func (w Who) String() string {
	return [...]string{"unclear", "self", "another", "thing", "listener"}[w]
}

// Subject is the subject of a clause.
type Subject struct {
	Who Who
	// Name holds the words that name the party of Another, "My mum", or a Thing of the user's: 房贷. It is empty
	// if only a pronoun or the form of the verb shows another party.
	Name string
	// Offset and Length are the bytes of the clause in the message.
	Offset, Length int
	// Elided says that the clause has no subject of its own, and inherits that of the previous clause, or the
	// user if there is none: "Been to Porto twice".
	Elided bool
	// Unsure says that such a clause has the user as subject, but may be about somebody mentioned before: "I
	// met Tom. Was promoted in May."
	Unsure bool
}

// Find splits a message into clauses and returns the subject of each, in order. A clause without a
// subject inherits that of the previous clause, across sentences: in "My mum called. Has moved to Porto" both
// are about the mum. before is the same user's previous message, or empty; a first clause that inherits from
// it is Unsure.
func Find(before, typed string) []Subject {
	var s subjectTracker
	s.read(before)
	s.earlier = true
	return s.read(typed)
}

// subjectTracker is the context that the next clause may inherit.
type subjectTracker struct {
	now       Subject
	party     string // named last
	brought   string // introduced by the clause that the current one goes on from
	mentioned bool   // a party was mentioned since the user was the subject
	earlier   bool   // now is from an earlier message
}

// saidSubject is the information in the words of one clause.
type saidSubject struct {
	who  Who
	form subjectForm
	name string
	// mentions is a party named in the clause, if none is its subject; own says that it names the user.
	mentions string
	own      bool
	// brings is somebody whom a clause about the user introduces, and whom clauses without a subject go on about.
	brings string
	such   bool // an English clause without a subject says what somebody is: "allergic to nuts"
}

// subjectForm is the form of a clause's subject.
type subjectForm int

const (
	named    subjectForm = iota // by words of its own
	pronoun                     // he, she, they
	pointing                    // it, this, which
	omitted                     // omitted, in a form for any subject
	first                       // omitted, in a form only for the user: "am off to Porto"
	third                       // omitted, in a form not for the user: "has moved"
	fragment                    // possibly none
)

// clauseEnd separates clauses. If it does not, the rest is a fragment, which inherits.
var clauseEnd = lang.Form("clauseEnd")

// clauses yields where each clause of a text begins and ends.
func clauses(v *lang.View) iter.Seq2[int, int] {
	return func(yield func(lo, hi int) bool) {
		for _, one := range lang.SplitSentences(v.Text) {
			lo := one.Lo
			ends := append(clauseEnd.FindAll(v.Text[one.Lo:one.Hi]), lang.Blanks(v.Text[one.Lo:one.Hi])...)
			slices.SortFunc(ends, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
			for _, m := range append(ends, []int{one.Hi - one.Lo, one.Hi - one.Lo}) {
				a, b := lang.TrimBlank(v.Text, lo, one.Lo+m[0])
				if lo = max(lo, one.Lo+m[1]); a < b && !yield(a, b) {
					return
				}
			}
		}
	}
}

func (s *subjectTracker) read(typed string) (out []Subject) {
	v := lang.NewView(typed, lang.MaxRead)
	for a, b := range clauses(v) {
		raw := v.Raw(a, b)
		said := englishSubject(raw)
		if lang.HasHan(raw) {
			said = chineseSubject(raw)
		}
		s.next(said)
		from, to := v.Source(a, b)
		s.now.Offset, s.now.Length = from, to-from
		out = append(out, s.now)
	}
	return out
}

// next makes a clause's subject the current one.
func (s *subjectTracker) next(said saidSubject) {
	old, earlier := s.now, s.earlier
	s.now = Subject{Who: said.who, Name: said.name}
	switch said.form {
	case named:
	case pronoun:
		s.now.Name = s.party
	case pointing:
		if old.Who == Another {
			s.now.Who, s.now.Name = Another, old.Name
		}
	default:
		s.now = s.inherited(old, said)
		if earlier && old.Who == Another && said.form != third {
			s.now = Subject{Who: Self, Elided: true, Unsure: said.form != first && !said.own}
		}
	}
	s.earlier = s.earlier && said.form == fragment
	if s.now.Who == Self && !s.now.Elided {
		s.mentioned = false
	}
	if said.form == named || said.brings != "" {
		s.brought = said.brings
	}
	party := cmp.Or(said.brings, said.mentions)
	if said.who == Another {
		party = cmp.Or(said.name, party)
	}
	if party != "" {
		s.mentioned, s.party = true, party
	}
}

// inherited returns the subject of a clause without one.
func (s *subjectTracker) inherited(old Subject, said saidSubject) Subject {
	out := Subject{Elided: true}
	switch {
	case said.form == first:
		out.Who = Self
	case s.brought != "" && (said.such || lang.HasHan(s.brought)):
		out.Who, out.Name = Another, s.brought
	case old.Who == Thing && old.Name != "" && said.form == fragment:
		out.Who, out.Name = Thing, old.Name
	case old.Who == Another:
		out.Who, out.Name = Another, old.Name
	case said.form == third && old.Who == Thing:
		out.Who = Thing
	case said.form == third && (s.mentioned || old.Who == Unclear):
		out.Who, out.Name = Another, s.party
	case said.form == third:
		out.Who = Thing
	case said.form == fragment && old.Who != Self:
		out.Who = old.Who
	default:
		out.Who, out.Unsure = Self, s.mentioned && !said.own
	}
	return out
}

// Names reports whether a description of a party, such as "the user's mother", names the party of the
// subject, in either language.
func (s Subject) Names(party string) bool {
	return s.Who == Another && wording.SharesWord(party, s.Name)
}

// MeansUser reports whether the name of a party means the user.
func MeansUser(party string) bool {
	party = strings.Trim(text.Fold(party), " .。\"'")
	return party == "" || theUser()[party]
}

var theUser = lang.Words("theUser")
