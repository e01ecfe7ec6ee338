package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func nameEN(n, wrong part) []draft {
	n = trimName(n)
	if !isName(n, 4) {
		return nil
	}
	d := slot("name", "Name", "Name is "+n.raw+".", n, importanceIdentity, "name", "名字")
	if wrong = trimName(wrong); !wrong.empty() {
		d.corrects = wrong.raw
	}
	return one(d)
}

var afterName = expr(`(?:,| -| and| but| by the way| from now on| instead| please| in (?:this|our|future|all)| when| because| if| as| for short| or | since| thanks| nice| i'm| though| at (?:work|home)| \(| everyone| everybody| all| again| around| here)(?:\s.*|$)`)

func trimName(p part) part {
	if m := afterName.Find(p.fold); m != nil {
		p = p.upTo(m[0])
	}
	return p.trim()
}

// isName accepts up to words words of letters that are not one of the phrases that stand in a name's place.
func isName(p part, words int) bool {
	if !p.valid(words) || utf8.RuneCountInString(p.fold) > 40 {
		return false
	}
	for i, w := range strings.Fields(p.fold) {
		if i == 0 && notNames[w] || strings.ContainsAny(w, "=/\\<>{}[]()@:$%^*?!") {
			return false
		}
	}
	return strings.IndexFunc(p.fold, unicode.IsLetter) >= 0
}

var greeted = expr(`(?i)^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon)|yo|greetings|nice to meet you)\b[^\n.!?]{0,24}[,.!\s]+$`)

// introduced recognises "Hi, I'm Anna": a capitalised name after a greeting, or at the very beginning.
func introduced(m match) []draft {
	n := trimName(m.g("o"))
	words := strings.Fields(n.raw)
	if len(words) == 0 || len(words) > 3 || !isName(n, 3) {
		return nil
	}
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(r) || len(w) < 2 {
			return nil
		}
	}
	first := strings.ToLower(words[0])
	if nationalities[first] || conditions[first] || statuses[first] || works[first] || diets[first] || traits[first] ||
		strings.HasSuffix(first, "ing") || len(words) == 1 && (strings.HasSuffix(first, "ed") || notNameAlone[first]) || words[0] == strings.ToUpper(words[0]) {
		return nil
	}
	lo, _ := m.c.bytes()
	if !m.c.explicit && !greeted.Match(m.c.v.src[:lo]) && !(lo == 0 && !m.c.alone && m.c.text != "") {
		return nil
	}
	return nameEN(n, part{c: m.c})
}

var notNameAlone = wordSet(`sorry fine okay good great happy sad sure tired hungry glad late busy sick ready done back home
	here lost confused afraid new old young alone awake asleep drunk sober free bored angry mad serious kidding joking
	right wrong stuck well better worse excited curious grateful thankful proud ill broke rich poor hot cold thirsty`)
