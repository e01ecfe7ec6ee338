package policy

import (
	"slices"
	"strings"

	"memoria/memory/policy/dating"
	"memoria/memory/policy/lang"
	"memoria/memory/policy/subject"
)

// Forms for clauses about somebody of the user's, see [subject.PartyOf].
var (
	comingDay   = lang.Form("comingDay")   // names a day that may be to come
	didOnce     = lang.Form("didOnce")     // tells what somebody did once
	mentioned   = lang.Form("mentioned")   // "my husband Rui"
	kinOfKin    = lang.Form("kinOfKin")    // "my sister's husband"
	notOwn      = lang.Form("nobodys")     // fiction, a translation, a public figure
	lastingNews = lang.Form("lastingNews") // what lasts of that: "got a new job"
)

// Forms for Chinese clauses without a subject.
var (
	beginsMe      = lang.Form("beginsMe")      // begins with the user
	bringsAnother = lang.Form("bringsAnother") // brings in another whom the next clauses may be about: 嫁了个韩国人
	hasMine       = lang.Form("hasMine")       // the same, if that one is the user's: 我有个妹妹
	bringsAnimal  = lang.Form("bringsAnimal")  // brings in an animal of the user's
	comesThen     = lang.Form("comesThen")     // of the future
	partnerFirst  = lang.Form("partnerFirst")  // about a partner: of somebody just named
	allOfThem     = lang.Form("allOfThem")     // about several named before: 都住老家
	whoOneIs      = lang.Form("whoOneIs")      // a key that tells who the user is
)

// ofPeople reports whether a draft is about somebody of the user's.
func (d draft) ofPeople() bool { return strings.HasPrefix(d.key, "relation/") }

// whoUserIs reports whether a draft tells who the user is: his name, age or birth.
func (d draft) whoUserIs() bool { return whoOneIs.Match(d.key) }

// ruleNameOnly is the rule that reads only a name in a clause that says more.
const ruleNameOnly = "relation-with-name"

// ruleSingle is the rule by which a partner in a clause ends that the user is single.
const ruleSingle = "end-single"

// ruleReached is the rule by which what the user has got ends the goal.
const ruleReached = "end-reached"

// ruleVisitor is the rule that reads who comes to the user, and when: 修空调的师傅说周四下午来.
const ruleVisitor = "plan-visitor"

// aboutParty returns a clause with the party in place of its pronoun, or before a predicate
// without a subject.
func (c clause) aboutParty(party string, pronoun int) clause {
	said, n := subject.Instead(c.text, party, pronoun)
	c.at += n
	c.text, c.pad, c.told = said+c.text[n:], len(said), true
	return c
}

// introductions reads the names that a clause about something else mentions: "I moved here with my husband Rui".
func (r *reader) introductions(i int, c clause) {
	for _, m := range mentioned.FindAll(c.text) {
		if m[0] <= c.pad || notOwn.Match(r.masked) {
			continue
		}
		with := c
		with.at, with.text, with.pad = c.at+m[0]-c.pad, c.text[m[0]:m[1]], 0
		for _, d := range drafts(with) {
			if d.rule == ruleNameOnly {
				r.add(i, with, d)
			}
		}
	}
}

// named returns the person known by name whom a clause is about, or none.
func (r *reader) named(c clause) subject.Person {
	if people := subject.People(c.raw(0, len(c.text))); len(people) == 1 {
		return people[0].Among(r.people)
	}
	return subject.Person{}
}

// ofPerson puts the name of the person that a candidate is about into it, and gives it the slot of that person: a
// fact about one son does not replace one about the other.
func (r *reader) ofPerson(c clause, cand *Candidate) {
	if !strings.HasPrefix(cand.Key, "relation/") || cand.Correction && strings.HasSuffix(cand.Key, "/name") {
		return
	}
	p, known := c.person, c.person.Name != ""
	if known && !p.Shared && lang.HasHan(cand.Content) { // 对象 alone tells who
		return
	}
	if !known {
		p, known = r.told.About(cand.Offset)
	}
	if !known {
		people := subject.People(cand.Content)
		if len(people) != 1 || !strings.HasPrefix(cand.Key, "relation/"+relative(people[0].Relation)+"/") {
			return
		}
		p = people[0].Among(r.people)
		r.people = append(r.people, p)
	}
	cand.Key, cand.Content = p.Slot(cand.Key), p.Named(cand.Content)
}

// ofPeople turns candidates of a message with relations before names into those of the message as it was
// said. A name that is known is not learned again.
func ofPeople(found []Candidate, told subject.Told) (out []Candidate) {
	for _, c := range found {
		if p, known := told.About(c.Offset); known {
			if !p.Fresh && strings.HasPrefix(c.Key, "relation/") && strings.HasSuffix(c.Key, "/name") {
				if len(c.Ends) == 0 {
					continue
				}
				c.Key, c.Title, c.Content, c.Value, c.Tags = "", "", "", nil, nil // what it ends remains
			}
			if c.Doubt == smallTalk || c.Doubt == "others" {
				c.Doubt = "" // it names the user's own people
			}
		}
		c.Offset, c.Length = told.Said(c.Offset, c.Length)
		out = append(out, c)
	}
	return out
}

// near reports whether a piece is about a person or an animal of the user's.
func (p piece) near() bool {
	return p.of == subject.Another && (subject.PartyOf(p.text) != "" || kinOfKin.Match(p.text))
}

// ofKnown reports whether a candidate is about somebody whom the memory knows, in a message that is none of a text or a
// game.
func (r *reader) ofKnown(c Candidate) bool {
	if r.gist.class != smallTalk && r.gist.class != "others" || !c.AsSaid() && !strings.HasPrefix(c.Key, "relation/") {
		return false
	}
	_, known := r.told.About(c.Offset)
	return known || slices.ContainsFunc(r.people, func(p subject.Person) bool { return strings.Contains(c.Content, p.Name) })
}

// knows reports whether a part of the message names somebody whom the memory knows.
func (r *reader) knows(lo, hi int) bool {
	from, to := r.v.Source(lo, hi)
	if _, known := r.told.About(from); known {
		return true
	}
	return slices.ContainsFunc(r.people, func(p subject.Person) bool { return strings.Contains(r.v.Src[from:to], p.Name) })
}

// coming reports whether a piece names a day that may be to come.
func (p piece) coming() bool { return comingDay.Match(p.text) && dating.Ahead(p.text) }
