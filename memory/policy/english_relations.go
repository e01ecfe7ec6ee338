package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
)

// relative reduces a relation to the word in its key.
func relative(w string) string {
	w = strings.TrimSuffix(strings.TrimSpace(w), "'s")
	switch w {
	case "mum", "mom", "mommy":
		return "mother"
	case "dad", "daddy":
		return "father"
	case "gf":
		return "girlfriend"
	case "bf":
		return "boyfriend"
	case "kids", "kid", "children":
		return "child"
	}
	if strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && w != "boss" {
		w = strings.TrimSuffix(w, "s")
	}
	return strings.ReplaceAll(w, " ", "-")
}

func relation(w part, field string, v part, says string) draft {
	who := relative(w.fold)
	return draft{
		typ: memory.TypeRelationship, key: "relation/" + who + "/" + field, title: sentenceTitle(w.raw),
		content: "Their " + w.raw + " " + says + ".", st: Statement{Value: v.raw},
		tags: []string{"relationship", "关系", who}, importance: importanceFact, reason: "who is close to the user",
	}
}

func capitalised(p part) bool {
	r, _ := utf8.DecodeRuneInString(p.raw)
	return unicode.IsUpper(r)
}

var (
	petOrKin   = expr(`^(?:(?:a|an|one|two|three|four|five|six|\d+|a (?:little|older|younger|big|small)|some|many|several|twin|identical)\s+)?(?:(?:\w+[- ])?(?:\w+[- ]year[- ]old\s+|\w+[- ])?)?(?P<w>` + relativesEN + `|(?:golden |labrador |border |german |french |siamese |maine |persian )?(?:retriever|collie|shepherd|bulldog|poodle|corgi|husky|beagle|dachshund|labrador|chihuahua|coon))$`)
	haveFacts  = expr(`\b(?:diabetes|asthma|celiac disease|coeliac disease|adhd|add|autism|dyslexia|epilepsy|migraines|high blood pressure|hypertension|arthritis|insomnia|ibs|crohn's(?: disease)?|tinnitus|eczema|a heart condition|anxiety disorder|bipolar disorder|ocd|ptsd|color blindness|a pacemaker|a bad (?:knee|back|hip|shoulder)|a stutter)$`)
	haveDegree = expr(`^an? (?:\w+(?:'s)? )?(?:degree|phd|ph\.d|master'?s|bachelor'?s|mba|doctorate|diploma|driver'?s? licen[cs]e|green card|garden|motorcycle|tesla|greenhouse|vegetable garden|sailboat|blog|youtube channel|podcast|bakery|restaurant|shop|small business|company|twin)\b`)
	dated      = expr(`^(?P<e>an? (?:\w+ ){0,3}(?:appointment|meeting|exam|test|interview|flight|deadline|presentation|concert|wedding|surgery|operation|checkup|check-up|conference|race|marathon|date|trip|dinner|party|game|match|recital|talk|performance|vacation|holiday)(?: \w+){0,4}?) (?P<d>(?:on|in|by|this|next|tomorrow)\b.*|{date})$`)
)

// hasOneEN is the pet or relative that o names; nil when it names none.
func hasOneEN(o part, neg bool) []draft {
	g := petOrKin.Groups(o.fold)
	if g == nil || size(o.fold) == 1 && !neg && !strings.HasSuffix(o.fold, "s") && o.fold != "children" {
		return nil
	}
	d := relation(o.c.part(o.lo+g[2], o.lo+g[3]), "have", o, "")
	d.content, d.st.Polarity = "Has "+theirs(o.raw)+".", Positive
	if neg {
		if a := anArticle.Find(o.fold); a != nil {
			o = o.skip(a[1])
		}
		d.content, d.st.Polarity = "Has no "+o.raw+".", Negative
		d.st.Value = o.raw
	}
	return one(d)
}

var anArticle = expr(`^an? `)

// possessions makes of what the user has a pet, a relative, an illness, a lasting thing or an event.
func possessions(s *scene) []draft {
	m := s.m
	raw := m.g("o")
	o := raw.trim()
	neg := !m.g("neg").empty() || m.g("no").fold == "no"
	if !o.valid(12) {
		return nil
	}
	if n := trimName(m.g("n")); !n.empty() {
		if g := petOrKin.Groups(o.fold); g != nil && isName(n, 5) {
			w := o.c.part(o.lo+g[2], o.lo+g[3])
			return one(relation(w, "name", n, "is called "+n.raw))
		}
		return nil
	}
	if has := hasOneEN(o, neg); has != nil {
		return has
	}
	if whole := raw.whole(); !petOrKin.Match(o.fold) {
		var all []draft
		for _, x := range whole.list() {
			has := hasOneEN(x, neg)
			if has == nil {
				all = nil
				break
			}
			all = append(all, has...)
		}
		if all != nil {
			return all
		}
	}
	if neg {
		if o.fold == "siblings" || o.fold == "a car" || o.fold == "car" || o.fold == "pets" || o.fold == "a tv" || o.fold == "kids" {
			return one(draft{typ: memory.TypeFact, key: "fact/have-" + objectKey(o.fold), content: "Has no " + strings.TrimPrefix(o.raw, "a ") + ".", st: Statement{Value: o.raw, Polarity: Negative}, tags: []string{"about"}, importance: importanceFact, reason: "states who the user is"})
		}
		return nil
	}
	if haveFacts.Match(o.fold) {
		return one(draft{typ: memory.TypeFact, key: "fact/" + objectKey(o.fold), content: "Has " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"health", "健康"}, importance: importanceHealth, reason: "must not be forgotten for the user's health"})
	}
	if haveDegree.Match(o.fold) && !strings.HasPrefix(m.c.text, "i got") {
		return one(draft{typ: memory.TypeFact, key: "fact/have-" + objectKey(o.fold), content: "Has " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"about"}, importance: importanceFact, reason: "states who the user is"})
	}
	if g := dated.Groups(raw.fold); g != nil {
		e, d := raw.c.part(raw.lo+g[2], raw.lo+g[3]), raw.c.part(raw.lo+g[4], raw.lo+g[5])
		return one(goal("goal/"+objectKey(e.fold), e, d, "Has "+theirs(e.raw)))
	}
	return nil
}
