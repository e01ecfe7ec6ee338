package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
