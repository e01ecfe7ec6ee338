package subject

import (
	"slices"
	"strings"
	"unicode/utf8"

	"memoria/index/text"
	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// Forms for somebody whom a message speaks of further on: "My flatmate is Piotr, he's a baker".
var (
	partyFirst  = lang.Form("partyFirst")  // a clause begins with a person or animal of the user's
	partyLast   = lang.Form("partyLast")   // a clause ends in one: "Marek is my stepson"
	partyOther  = lang.Form("partyOther")  // what follows partyFirst if the clause is about something else
	anaphor     = lang.Form("anaphor")     // a clause begins with he, she or it
	partyKind   = lang.Form("partyKind")   // what the party is, at the end
	anyParty    = lang.Form("anyParty")    // a person or an animal, anywhere
	maleParty   = lang.Form("maleParty")   // whom 她 does not mean
	femaleParty = lang.Form("femaleParty") // whom 他 does not mean
	hasDone     = lang.Form("hasDone")     // "'s" before it is "has"
	hasParty    = lang.Form("hasParty")    // introduces one: "I have a cat"
	ofThem      = lang.Form("ofThem")      // a clause about what was introduced so
	ownClause   = lang.Form("ownSubject")  // a clause about the user
	aboutMe     = lang.Form("aboutMe")     // the same in Chinese
	partyHas    = lang.Form("partyHas")    // somebody else at the end of some words: "my son has a girlfriend"
	heKin       = lang.Form("heKin")       // of whom "he" is said
	sheKin      = lang.Form("sheKin")
)

// PartyOf returns the person or animal in the user's life that is the subject of a clause: "my
// flatmate", 我对象. It is empty if there is none.
func PartyOf(clause string) string {
	if lang.HasHan(clause) { // 这周日小姨来家里吃饭
		if at := timeLead.Find(clause); at != nil {
			clause = clause[at[1]:]
		}
	}
	if m := partyFirst.Find(clause); m != nil {
		if rest := clause[m[1]:]; partyOther.Match(rest) {
			return ""
		}
		return withMy(clause[m[0]:m[1]])
	}
	for _, form := range []pattern.Pattern{partyLast, hasParty} {
		if m := form.Find(clause); m != nil {
			return withMy(clause[m[0]:m[1]])
		}
	}
	return ""
}

// Begins reports whether a clause begins with somebody of the user's of whom the words before it do not speak.
func Begins(clause, before string) bool {
	party := PartyOf(clause)
	return party != "" && partyFirst.Match(clause) && !strings.Contains(before, strings.TrimPrefix(party, "我"))
}

// withMy returns the kind of person or animal at the end of some words, with the word for "my".
func withMy(who string) string {
	m := partyKind.Find(who)
	switch {
	case m == nil:
		return ""
	case lang.HasHan(who):
		return "我" + who[m[0]:m[1]]
	}
	return "my " + who[m[0]:m[1]]
}

// GoesOnAbout returns the length of the pronoun with which a clause goes on about somebody.
func GoesOnAbout(clause string) (pronoun int, ok bool) {
	m := anaphor.Find(clause)
	if m == nil || m[0] > 0 {
		return 0, false
	}
	return m[1], true
}

// Meant returns the party that a Chinese clause means which begins with he, she or it: the last one, or the last of
// those named before whom the pronoun fits. It is empty if it fits none: 她 is not the husband.
func Meant(clause, last string, named []string) string {
	_, n := utf8.DecodeRuneInString(clause)
	if fits(clause[:n], last) {
		return last
	}
	for _, party := range slices.Backward(named) {
		if fits(clause[:n], party) {
			return party
		}
	}
	return ""
}

// MayMean reports whether a pronoun can mean a party. other is another party that it may mean as well, or empty.
func MayMean(pronoun, party, other string) bool {
	return fits(pronoun, party) && (other == "" || !fits(pronoun, other))
}

// fits reports whether a pronoun is said of a party: not "she" of "my son", nor "it" of a person. What is no
// pronoun, or of the other language, fits.
func fits(pronoun, party string) bool {
	switch pronoun {
	case "她":
		return !maleParty.Match(party)
	case "他":
		return !femaleParty.Match(party)
	case "它":
		return !maleParty.Match(party) && !femaleParty.Match(party)
	}
	m := partyKind.Find(party)
	if m == nil || lang.HasHan(party) {
		return true
	}
	kind := party[m[0]:m[1]]
	switch pronoun {
	case "he":
		return !sheKin.Match(kind)
	case "she":
		return !heKin.Match(kind)
	case "it":
		return isAnimal.Match(kind)
	}
	return true
}

// OtherIn returns another person or animal that a clause about a party names: the girlfriend in "my son has a
// girlfriend".
func OtherIn(clause string) string {
	first := partyFirst.Find(clause)
	if first == nil || lang.HasHan(clause) {
		return ""
	}
	if m := partyHas.Groups(clause[first[1]:]); m != nil {
		return firstGroup(clause[first[1]:], m)
	}
	return ""
}

// Instead returns the words to put before clause[n:] for a party in place of its pronoun: "my flatmate is" for
// "he's".
func Instead(clause, party string, pronoun int) (said string, n int) {
	rest, ok := strings.CutPrefix(clause[pronoun:], "'s ")
	apart := len("'s ")
	if !ok && pronounOf(clause[:pronoun]) != clause[:pronoun] { // hes
		rest, ok, apart = strings.TrimPrefix(clause[pronoun:], " "), true, len(" ")
	}
	switch {
	case ok && pronoun > 0 && hasDone.Match(rest):
		return party + " has ", pronoun + apart
	case ok && pronoun > 0:
		return party + " is ", pronoun + apart
	case strings.HasPrefix(clause[pronoun:], " ") && pronoun > 0:
		return party + " ", pronoun + 1
	}
	return party, pronoun
}

// Again returns the words to put before what a sentence goes on to say of a party: "my mum " before "lives in Bergen",
// "my mum is " before what is no verb.
func Again(party string, is bool) string {
	if is {
		return party + " is "
	}
	return party + " "
}

// Follow returns whom the clause after this one may go on about, given whom this one might
// have gone on about.
func Follow(clause, party string) string {
	if now := PartyOf(clause); now != "" {
		return now
	}
	if _, ok := GoesOnAbout(clause); ok || ownClause.Match(clause) || aboutMe.Match(clause) {
		return party
	}
	return ""
}

// AtHome reports whether a party, as [PartyOf] returns it, lives with the user: after 我老公叫… a 女儿 is the user's.
func AtHome(party string) bool { return atHome()[strings.TrimPrefix(party, "我")] }

var atHome = lang.Words("atHome")

// Parties returns the number of different people and animals of the user's, by their relation, in a Chinese text.
func Parties(content string) int {
	named := map[string]bool{}
	for _, m := range anyParty.FindAll(content) {
		named[content[m[0]:m[1]]] = true
	}
	return len(named)
}

// Introduces reports whether a clause introduces a party, as "I have a cat" does, and OfThem
// whether a clause goes on about one so introduced without a pronoun: 今年三岁了.
func Introduces(clause string) bool { return hasParty.Match(clause) }

// OfThem is explained at [Introduces].
func OfThem(clause string) bool { return ofThem.Match(clause) }

var (
	ownKinFirst = lang.Form("ownKinFirst") // a sentence about one of the user's people
	namesUser   = lang.Form("keptOwn")     // names the user
)

// InThird lets a sentence about one of the user's people begin as those of the rules do: "Mum …" for "My mum …", 妈
// for 我妈. A sentence that goes on about the user stays as it was said.
func InThird(content string) string {
	said := text.Fold(content)
	m := ownKinFirst.Groups(said)
	if m == nil {
		return content
	}
	end := max(m[3], m[len(m)-1]) // of "my", in either language
	switch {
	case namesUser.Match(said[end:]), !strings.EqualFold(said[:end], content[:min(end, len(content))]):
		return content
	case lang.HasHan(said[:end]):
		return content[end:]
	}
	return strings.TrimLeft(content[end:], " ")
}
