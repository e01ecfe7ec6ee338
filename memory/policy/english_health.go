package policy

import (
	"strings"

	"memoria/memory"
)

func healthRulesEN() []rule {
	return []rule{
		{"allergy", `(?:{am} {adv}(?P<neg>not |no longer )?(?:very |severely |deathly |highly |mildly |slightly |extremely |terribly )?(?:allergic|intolerant|sensitive) to|i(?: have|'ve got)(?: an?)?(?: severe| bad| mild| serious| strong)? allerg(?:y|ies) to) (?P<o>.+)`, allergyEN},
		{"allergy-have", `i (?:have|'ve got|have got)(?: an?| got)?(?: severe| bad| mild| serious| strong| terrible)? (?P<o>\S+(?: \S+)?) (?:allergy|allergies|intolerance)`, allergyEN},
		{"allergy-intolerant", `{am} {adv}(?P<o>lactose|gluten|fructose|histamine|sulfite)[- ]intolerant`, allergyEN},
		{"diet-dont", `i {adv}(?:{dont}|never|{cant}|no longer|stopped|quit|gave up) {adv}(?P<v>eat(?:ing)?|drink(?:ing)?|smok(?:e|ing)|consume|have)(?: any)?(?P<o> .+)?`, dietEN},
		{"diet-quit", `i(?:'ve| have)? (?:stopped|quit|given up|gave up)(?P<v>)(?P<o> (?:smoking|drinking|alcohol|coffee|caffeine|sugar|meat|dairy|gluten|cigarettes|vaping|weed|soda)).*`, func(m match) []draft {
			o := m.g("o")
			return one(draft{typ: memory.TypeFact, key: "diet/" + dietKey("", o), content: "Gave up " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Negative}, tags: []string{"diet", "饮食"}, importance: importanceFact, reason: "what the user does not take"})
		}},
		{"diet-only", `i (?:only|just) (?P<v>eat|drink) (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(7) || reactionEN.Match(o.fold) {
				return nil
			}
			return one(draft{typ: memory.TypePreference, key: "diet/only-" + m.g("v").fold, content: "Only " + m.g("v").fold + "s " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"diet", "饮食"}, importance: importanceFact, reason: "what the user takes"})
		}},
	}
}

func allergyEN(m match) []draft {
	o := m.g("o").whole()
	if !o.valid(8) || reactionEN.Match(o.fold) || o.fold == "work" || o.fold == "mornings" || o.fold == "bullshit" || o.fold == "mondays" {
		return nil
	}
	pol, verb := Positive, "Is allergic to "
	if !m.g("neg").empty() {
		pol, verb = Negative, "Is not allergic to "
	}
	if strings.Contains(m.c.text, "intoleran") {
		verb = strings.Replace(verb, "allergic to", "intolerant to", 1)
	}
	var out []draft
	for _, x := range o.list() {
		out = append(out, draft{
			typ: memory.TypeFact, key: "allergy/" + objectKey(x.fold), content: verb + x.raw + ".", st: Statement{Value: x.raw, Polarity: pol},
			title: "Allergy: " + x.raw, tags: []string{"allergy", "health", "过敏"}, importance: importanceHealth, reason: "must not be forgotten for the user's health",
		})
	}
	return out
}

func dietKey(verb string, o part) string {
	if o.empty() {
		if strings.HasPrefix(verb, "smok") {
			return "smoking"
		}
		return "alcohol"
	}
	return objectKey(o.fold)
}

var notDiet = expr(`^(?:out|enough|much|that much|well|properly|lunch|breakfast|dinner|anything|a (?:thing|bite)|and drive|today|tonight|now|yet|in|at|on|alone|before|after|until|fast|it|this|that|them|the (?:same|food|rest|cake|soup|pizza)|time|a (?:car|job|clue|problem|question|lot|minute|preference|favou?rite)|to|access|any|money|children|kids|pets|the|my|your|permission|internet|plans|problems|issues|one|much|many|enough)\b`)

var noObject = expr(`^(?:any ?more|any longer|at all|alcohol|now|either)(?: .*)?$`)

var dietFoods = expr(`\b(?:dairy|milk|gluten|wheat|lactose|sugar|nuts?|peanuts?|eggs?|caffeine|coffee|alcohol|meat|pork|beef|fish|shellfish|seafood|soy|soya|spicy|salt|chocolate|cheese|onions?|garlic)\b`)

func dietEN(m match) []draft {
	v, o := m.g("v").fold, m.g("o").whole()
	quit := strings.Contains(m.c.text[:m.g("v").lo], "stopped") || strings.Contains(m.c.text[:m.g("v").lo], "quit") || strings.Contains(m.c.text[:m.g("v").lo], "gave up")
	base := strings.TrimSuffix(v, "ing")
	if noObject.Match(o.fold) {
		o = part{c: o.c}
	}
	if base == "smok" {
		base = "smoke"
	}
	switch {
	case v == "have" && !(strings.Contains(m.c.text, "can't") || strings.Contains(m.c.text, "cannot")):
		return nil
	case v == "have" && !dietFoods.Match(o.fold):
		return nil
	case !o.empty() && (!o.valid(7) || reactionEN.Match(o.fold) || notDiet.Match(o.fold)):
		return nil
	case o.empty() && base != "smoke" && base != "drink":
		return nil
	}
	verb := "Does not " + base
	if quit {
		verb = "Stopped " + v
		if !strings.HasSuffix(v, "ing") {
			return nil
		}
	}
	if o.empty() {
		val := map[string]string{"smoke": "smoking", "drink": "alcohol"}[base]
		d := draft{typ: memory.TypeFact, key: "diet/" + dietKey(base, o), content: verb + ".", st: Statement{Value: val, Polarity: Negative}, tags: []string{"diet", "饮食"}, importance: importanceFact, reason: "what the user does not take"}
		if base == "drink" {
			d.content = verb + " alcohol."
		}
		return one(d)
	}
	var out []draft
	for _, x := range o.list() {
		out = append(out, draft{
			typ: memory.TypeFact, key: "diet/" + objectKey(x.fold), content: verb + " " + theirs(x.raw) + ".", st: Statement{Value: x.raw, Polarity: Negative},
			tags: []string{"diet", "饮食"}, importance: importanceFact, reason: "what the user does not take",
		})
	}
	return out
}
