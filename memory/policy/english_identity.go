package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func identityRulesEN() []rule {
	home := func(m match) []draft { return homeEN(m, "Lives "+m.g("at").fold+" ") }
	return []rule{
		{"fact-pronouns", `my pronouns are (?P<o>.+)|(?:please )?use (?P<p>they/them|she/her|he/him|ze/zir)(?: pronouns)?(?: for me)?|i use (?P<q>\w+/\w+)(?: pronouns)?`, func(m match) []draft {
			o := firstPart(m, "o", "p", "q").trim()
			if !o.valid(4) {
				return nil
			}
			return one(slot("pronouns", "Pronouns", "Pronouns are "+o.raw+".", o, importanceIdentity, "pronouns", "gender"))
		}},
		{"birthday", `(?:my|the) (?:birthday|birth ?date|date of birth|dob|b-?day|day of birth)(?: is|'s|:| falls)?(?: actually)?(?: on)?(?: the)? (?P<o>.+?)(?:,? (?:and )?not (?:on |the )*(?P<w>.+))?`, birthdayEN},
		{"birthday-born", `i was born (?:on|in)(?: the)? (?P<o>.*\d.*|` + monthsEN + `.*)`, birthdayEN},
		{"birthplace", `i was born(?: and raised)? in (?P<o>.+)`, func(m match) []draft {
			o := placeOf(m.g("o"))
			if o.empty() {
				return nil
			}
			return one(slot("birthplace", "Birthplace", "Was born in "+o.raw+".", o, importanceIdentity, "origin", "birthplace", "出生地"))
		}},
		{"age", `{am} (?:now |currently |already |actually )?(?P<n>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:[- ]\w+)?|\w+teen)(?: (?:years? old|yrs? old|yo|y/o|years of age)| years?)?|i(?: have)? (?:just |recently )?turned (?P<t>\d{1,3})(?: .*)?|my age is (?P<a>\d{1,3})`, func(m match) []draft {
			o := firstPart(m, "n", "t", "a")
			return one(slot("age", "Age", "Is "+o.raw+" years old.", o, importanceFact, "age", "年龄"))
		}},
		{"home-moved", `(?:actually )?(?:i|we|my family and i|my \w+ and i)(?:'ve| have)?(?: just| recently| finally| also)* (?:moved|relocated|emigrated)(?: back| over| recently| house)?(?: from (?P<f>.+?))? to (?P<o>.+?)(?: from (?P<g>.+))?`, func(m match) []draft {
			o := placeOf(m.g("o"))
			if o.empty() {
				return reject
			}
			return one(slot("home", "Home", "Lives in "+o.raw+".", o, importanceIdentity, "home", "address", "住"))
		}},
		{"home", `(?:i|we|my family and i|my \w+ and i)(?:'ve been| have been|'m| am|'re| are)? {adv}(?:live|living|reside|based|settled|located)(?: (?:now|currently|here))* (?P<at>in|at|near|on|outside|close to|out of)(?: the city of)? (?P<o>.+?)(?:,? (?:and )?not (?:in |at )?(?P<w>.+))?`, home},
		{"home-slot", `my (?:home ?town|home|home city|current city|city) is (?P<o>.+)`, func(m match) []draft { return homeEN(m, "Lives in ") }},
		{"household", `i live (?P<o>(?:alone|by myself|with (?:my|a|two|three|four|\d|some|roommates|friends).+))`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(8) {
				return nil
			}
			return one(slot("household", "Household", "Lives "+theirs(o.raw)+".", o, importanceFact, "household", "home"))
		}},
		{"origin", `(?:{am} {adv}(?:originally )?from|i come from|i grew up in|i was raised in|i hail from) (?P<o>.+)`, func(m match) []draft {
			o := placeOf(m.g("o"))
			if w := m.g("o").whole(); o.empty() && dwelling.Match(w.fold) && w.valid(8) {
				o = w
			}
			if o.empty() || originNot.Match(o.fold) {
				return nil
			}
			return one(slot("origin", "Origin", "Comes from "+o.raw+".", o, importanceFact, "origin", "hometown", "家乡"))
		}},
	}
}

var originNot = expr(`^(?:the (?:future|past|internet|office|company|other|same)|work|here|there|home|now|today|memory|scratch|your)\b`)

func firstPart(m match, names ...string) part {
	for _, n := range names {
		if p := m.g(n); !p.empty() {
			return p
		}
	}
	return part{c: m.c}
}

// theirs turns an object that speaks of the speaker into one that speaks of him.
func theirs(raw string) string {
	return mine.ReplaceFunc(raw, func(w string) string {
		switch strings.ToLower(w) {
		case "my":
			return "their"
		case "mine":
			return "theirs"
		case "myself":
			return "themselves"
		case "me":
			return "them"
		case "i'm", "i’m", "im":
			return "they are"
		}
		return "they"
	})
}

var mine = expr(`\b(?:[Mm]y|[Mm]ine|[Mm]yself|me|I['’]m|I)\b`)

var (
	monthOrDay = expr(`\d|` + monthsEN)
	yearOnly   = expr(`^(?:19|20)\d{2}$`)
	afterPlace = expr(`\s+(?:with|since|for|because|now|these|at the moment|right now|and|but|where|which|who|until|last|this|next|when|as|currently|again|recently|two|three|a (?:few|couple|year|month|week)|\d+ (?:years|months|weeks)|in (?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|(?:early|late)|by the way|after|before|permanently|temporarily|full)\b.*$|,\s+(?:and|but|not|so|where|which|by|with|close|near|about|it|for|since|actually|if)\b.*$`)
)

func birthdayEN(m match) []draft {
	o := m.g("o").whole()
	if !o.valid(8) || !monthOrDay.Match(o.fold) {
		return nil
	}
	if yearOnly.Match(o.fold) {
		return one(slot("birth-year", "Birth year", "Was born in "+o.raw+".", o, importanceFact, "birthday", "age"))
	}
	if y := strings.Fields(o.fold); len(y) > 0 && yearOnly.Match(y[0]) && size(o.fold) > 1 {
		return nil
	}
	d := slot("birthday", "Birthday", "Birthday is "+o.raw+".", o, importanceIdentity, "birthday", "生日")
	if w := m.g("w").trim(); !w.empty() {
		d.corrects = w.raw
	}
	return one(d)
}

// placeOf cuts what follows a place, and returns nothing when it is none.
func placeOf(o part) part {
	if cut := afterPlace.Find(o.fold); cut != nil && cut[0] > 0 {
		o = o.upTo(cut[0])
	}
	o = o.whole()
	if !o.valid(8) || notPlaces.Match(o.fold) && !placesWithThe.Match(o.fold) && !properNoun(o) {
		return part{c: o.c}
	}
	return o
}

// properNoun reports whether "the X" is written as a name.
func properNoun(o part) bool {
	w := strings.Fields(o.raw)
	if len(w) < 2 || strings.ToLower(w[0]) != "the" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(w[1])
	return unicode.IsUpper(r)
}

var dwelling = expr(`^an? (?:.* )?(?:flat|apartment|house|studio|village|town|city|village|farm|van|boat|houseboat|dorm|condo|cottage|cabin|trailer|suburb|shared \w+|duplex|loft|bungalow|small \w+|quiet \w+)\b`)

func homeEN(m match, verb string) []draft {
	if o := m.g("o").trim(); dwelling.Match(o.fold) && o.valid(10) {
		return one(slot("household", "Household", verb+theirs(o.raw)+".", o, importanceFact, "household", "home"))
	}
	o := placeOf(m.g("o"))
	if o.empty() {
		return nil
	}
	d := slot("home", "Home", verb+o.raw+".", o, importanceIdentity, "home", "address", "住")
	if w := placeOf(m.g("w")); !w.empty() {
		d.corrects = w.raw
	}
	return one(d)
}
