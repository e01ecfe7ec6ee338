package policy

import (
	"strings"

	"memoria/memory"
)

func slotRulesEN() []rule {
	return []rule{
		{"fact-slot", `my (?P<s>` + slotsEN + `)(?: is|'s| are|:| =)(?: now| currently| actually)? (?P<o>.+?)(?:,? (?:and )?not (?P<w>.+))?`, factSlotEN},
	}
}

// noVehicle is what is driven or ridden once, by others, or in a saying.
var noVehicle = expr(`^(?:(?:hard )?bargain|point|wedge|nail|friend|wave|tiger|storm|roller ?coaster|carousel|bus|train|tram|subway|plane|lift|elevator)\b|\b(?:home|crazy|mad|dream|tomorrow|tonight|today|once)$`)

func factRulesEN() []rule {
	return []rule{
		{"relationship", `(?:(?:my (?P<w>{rel})(?: of .*)? and i|we|i)(?:'ve| have|'re| are|'m| am)?(?: just| recently| finally| now)* (?P<o>broke up|split up|separated|got (?:married|engaged|divorced)|(?:getting|am getting) (?:a )?divorced?|are (?:getting )?divorced|divorced|(?:are|am) (?:engaged|separated|no longer together)|got back together|became parents|no longer together|had a baby|are expecting(?: a baby)?|expecting a baby|having a baby)|i broke up(?P<b>)|i(?:'m| am) seeing someone(?P<s>))(?: with (?P<x>.+?)| to (?P<y>.+?)| (?P<z>.+?))?`, relationshipEN},
		{"relationship-loss", `my (?P<w>{rel})(?:,? \w+,?)? (?P<o>died|passed away|has died|has passed away|left me|dumped me|moved out)(?: .*)?`, func(m match) []draft {
			w, o := relative(m.g("w").fold), m.g("o")
			return one(draft{typ: memory.TypeRelationship, key: "relation/" + w + "/status", content: "Their " + w + " " + theirs(o.raw) + ".", st: Statement{Value: o.raw}, tags: []string{"relationship", "关系", w}, importance: importanceIdentity, reason: "a change in a relationship"})
		}},
		{"fact-language", `i(?: can)?(?P<neg> {dont}| {cant})? {adv}speak (?:fluent |good |some |a (?:little|bit of) |basic |native )*(?P<o>.+)|{am} (?:fluent in|a native speaker of|bilingual in|a native) (?P<p>.+?)(?: speaker)?`, languageEN},
		{"fact-fear", `{am} {adv}(?:afraid|scared|terrified|frightened) of (?P<o>.+)|i have a fear of (?P<p>.+)`, func(m match) []draft {
			o := firstPart(m, "o", "p").trim()
			if !o.valid(3) || reactionEN.Match(o.fold) || definiteEN.Match(o.fold) && !oneOfAKind.Match(o.fold) || o.fold != "flying" && o.fold != "driving" && strings.Contains(strings.Fields(o.fold)[0], "ing") && size(o.fold) > 1 {
				return nil
			}
			return one(draft{typ: memory.TypeFact, key: "fear/" + objectKey(o.fold), content: "Is afraid of " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"fear", "害怕"}, importance: importanceFact, reason: "states who the user is"})
		}},
		{"fact-have", `(?:i|we)(?: do)?(?P<neg> {dont}| no longer)? {adv}(?:have|own|'ve got|have got|got|adopted|just got|just adopted|recently adopted)(?P<no> no| any)? (?P<o>.+?)(?:,? (?:named|called|whose name is|who is called|(?:and )?(?:his|her|its|their) names? (?:is|are)) (?P<n>.+))?`, haveEN},
		{"fact-drive", `i {adv}(?P<v>drive|ride) an? (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(5) || noVehicle.Match(o.fold) {
				return nil
			}
			if m.g("v").fold == "ride" { // beside a car, not in its place
				return one(slot("car/ridden", "Vehicle", "Rides a "+o.raw+".", o, importanceFact, "vehicle", "车"))
			}
			return one(slot("car", "Vehicle", "Drives a "+o.raw+".", o, importanceFact, "car", "车"))
		}},
		{"fact-play", `i {adv}play (?:the )?(?P<o>(?:` + gamesEN + `)(?:(?:, | and |, and )(?:the )?(?:` + gamesEN + `))*)(?: .*)?`, func(m match) []draft {
			var out []draft
			for _, o := range m.g("o").list() {
				o = o.skip(len(o.fold) - len(strings.TrimPrefix(o.fold, "the ")))
				out = append(out, draft{typ: memory.TypeFact, key: "activity/" + objectKey(o.fold), content: "Plays " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"hobby", "爱好"}, importance: importancePattern, reason: "what the user does"})
			}
			return out
		}},
		{"identity", `{am} {adv}(?P<neg>not |no longer )?(?P<o>.+?)(?: (?:at|for|with) (?P<p>.+))?`, identityEN},
	}
}

// gamesEN are what one plays: instruments, sports, games.
const gamesEN = `piano|guitar|bass|bass guitar|electric guitar|violin|viola|cello|drums|flute|clarinet|saxophone|trumpet|trombone|ukulele|harp|keyboard|accordion|harmonica|banjo|football|soccer|basketball|tennis|table tennis|badminton|golf|hockey|volleyball|baseball|cricket|rugby|squash|chess|go|poker|bridge|video games|board games|d&d|dungeons and dragons`

const slotsEN = `(?:e-?mail|email address|e-mail address|phone|phone number|mobile|mobile number|cell|cell number|number|address|home address|postal address|time ?zone|native language|first language|mother tongue|height|weight|shoe size|shirt size|t-shirt size|clothing size|ring size|blood type|nationality|citizenship|gender|sex|star sign|zodiac sign|zodiac|religion|major|degree|university|school|company|employer|team|department|car|bike|editor|ide|shell|os|operating system|laptop|computer|phone model|github|github username|github handle|twitter|twitter handle|website|blog|passport number|passport|id number|ssn|social security number|driver'?s licen[cs]e|salary|budget|income|work hours|working hours|office hours|diet|condition|mbti|mbti type|personality type|favourite|iban|account number|hobby|hobbies|interests|team name|keyboard layout|locker number|license plate|licence plate|anniversary|wedding anniversary|bedtime|wake-up time|dominant hand|eye colou?r|hair colou?r|preferred language|preferred name)`

var personLover = expr(`^(?:more of )?an? (?:real |true |big |huge |massive |total |complete |serious |hardcore |die-?hard |lifelong |avid |passionate |proud )*(?:(?P<a>fan|lover|fanatic|supporter|devotee|connoisseur) of (?P<o>.+)|(?P<p>.+?) (?:person|lover|fan|enthusiast|addict|guy|girl|nerd|buff|freak|aficionado|fanatic|supporter|geek|junkie|fiend))$`)

var childCount = expr(` of (?:two|three|four|five|one|twins|\d)(?: \w+)?$`)

var traitPerson = wordSet(`shy good bad nice busy simple lucky happy terrible kind private quiet people practical normal regular
	single big horrible nervous religious sensitive positive negative creative visual logical spiritual curious tall short
	different changed new better bad weird strange boring fun funny patient impatient social real free poor rich lonely
	terrible wise smart old young great wonderful sad cool family tough honest very_busy very_private great busy angry`)

// identityEN reads "I'm (not) …": allergies and moods aside, an occupation, a diet, a lasting condition, a
// nationality, a status, or "a … person".
func identityEN(m match) []draft {
	o := m.g("o").trim()
	if !o.valid(9) {
		return nil
	}
	pol := Positive
	neg := ""
	if !m.g("neg").empty() {
		pol, neg = Negative, "not "
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(o.fold, "an "), "a "), "strictly ")
	for _, adv := range []string{"strict ", "proud ", "lifelong ", "committed ", "happily ", "newly ", "recently ", "mostly ", "currently ", "happily ", "practicing ", "devout ", "type 1 ", "type 2 ", "heavy ", "big "} {
		bare = strings.TrimPrefix(bare, adv)
	}
	bare = strings.TrimSuffix(bare, " person")
	bare = strings.TrimPrefix(strings.TrimPrefix(bare, "more of a "), "more of an ")
	bare = childCount.Replace(bare, "")
	fact := func(key, title string, imp float64, tags ...string) []draft {
		d := slot(key, title, "Is "+neg+theirs(o.raw)+".", o, imp, tags...)
		d.st.Polarity = pol
		return one(d)
	}
	switch {
	case diets[bare]:
		return fact("diet", "Diet", importanceHealth, "diet", "饮食")
	case statuses[bare]:
		ds := fact("relationship/status", "Relationship status", importanceIdentity, "relationship", "关系")
		ds[0].typ = memory.TypeRelationship
		return ds
	case pol == Positive && works[bare]:
		return fact("job", "Job", importanceIdentity, "job", "work", "工作")
	case nationalities[bare] && !m.c.correction:
		return fact("nationality", "Nationality", importanceFact, "nationality", "origin", "国籍")
	case conditions[bare], traits[bare], traits[bare+" person"]:
		return fact("fact/"+objectKey(bare), "", importanceFact, "about")
	}
	if g := personLover.Groups(o.fold); g != nil {
		return personEN(m, o, g, pol)
	}
	if pol == Positive && (strings.HasPrefix(o.fold, "a ") || strings.HasPrefix(o.fold, "an ") || strings.HasPrefix(o.fold, "the ") && strings.Contains(o.fold, " of ")) {
		role := o.skip(strings.IndexByte(o.fold, ' ') + 1)
		if occupied(role.fold) {
			out := one(slot("job", "Job", "Is "+o.raw+".", role, importanceIdentity, "job", "work", "工作"))
			if p := m.g("p").trim(); p.valid(6) && !notWork.Match(p.fold) {
				out = append(out, employer(p))
			}
			return out
		}
	}
	return nil
}

func personEN(m match, o part, g []int, pol Polarity) []draft {
	lo, hi := g[4], g[5]
	if lo < 0 {
		lo, hi = g[6], g[7]
	}
	x := o.c.part(o.lo+lo, o.lo+hi).trim()
	if !x.valid(5) || traitPerson[x.fold] || reactionEN.Match(x.fold) || definiteEN.Match(x.fold) && !oneOfAKind.Match(x.fold) && !properNoun(x) {
		return nil
	}
	verb := "Likes "
	if pol == Negative {
		verb = "Does not like "
	}
	return one(preference(x, pol, verb+x.raw+"."))
}

func factSlotEN(m match) []draft {
	s, o := m.g("s"), m.g("o").whole()
	if !o.valid(10) || reactionEN.Match(o.fold) || slotNot.Match(o.fold) {
		return nil
	}
	switch s.fold {
	case "hobby", "hobbies", "interests":
		return preferences(o, Positive, "Likes ", "")
	case "nationality", "gender", "major":
		return one(slot(map[string]string{"nationality": "nationality", "gender": "gender", "major": "study"}[s.fold], sentenceTitle(s.raw), sentenceTitle(s.raw)+" is "+o.raw+".", o, importanceFact, s.fold))
	case "diet":
		return one(slot("diet", "Diet", "Diet is "+o.raw+".", o, importanceHealth, "diet", "饮食"))
	}
	d := slot("fact/"+strings.ReplaceAll(s.fold, " ", "-"), sentenceTitle(s.raw), sentenceTitle(s.raw)+" is "+theirs(o.raw)+".", o, importanceFact, s.fold)
	if w := m.g("w").trim(); !w.empty() {
		d.corrects = w.raw
	}
	return one(d)
}

var slotNot = expr(`^(?:broken|slow|down|full|not|too|so|very|really|dead|stuck|acting|making|getting|being|on fire|gone|lost|here|there|in|on|at|running|working|great|good|bad|awesome|terrible|annoying|ok|okay|fine|empty|out|up|late|dirty|crashing|freezing|overheating|under|about|still|already|always|never|a (?:mess|bit|little|problem|pain)|the (?:best|worst|same|problem)|due|coming|blocked|failing|frozen|wrong|old|new|hard|big|small|exceeded|hurting|high|low|tight|limited)\b`)

func sentenceTitle(raw string) string {
	return strings.TrimSuffix(sentenceCase(raw), ".")
}

func relationshipEN(m match) []draft {
	o := m.g("o")
	val := o.raw
	switch {
	case strings.HasPrefix(m.c.text, "i broke up"):
		val = "broke up"
	case strings.Contains(m.c.text, "seeing someone"):
		val = "is seeing someone"
	case val == "":
		return nil
	}
	if z := m.g("z"); !z.empty() && !afterEvent.Match(z.fold) {
		return nil
	}
	if o.fold == "divorced" || o.fold == "separated" {
		if strings.HasPrefix(m.c.text, "we ") && !m.g("z").empty() {
			return nil
		}
	}
	with := ""
	if x := m.g("x").trim(); x.valid(6) {
		with = " with " + theirs(x.raw)
	}
	if y := m.g("y").trim(); y.valid(4) {
		with = " to " + theirs(y.raw)
	}
	if w := m.g("w"); !w.empty() && with == "" {
		with = " (their " + w.raw + " and they)"
	}
	return one(draft{
		typ: memory.TypeRelationship, key: "relationship/status", title: "Relationship status", content: sentenceCase(val) + with,
		st: Statement{Value: val + with}, tags: []string{"relationship", "关系"}, importance: importanceIdentity, reason: "a change in a relationship",
	})
}

var afterEvent = expr(`^(?:last|this|yesterday|today|in|on|recently|again|now|two|three|a|\d|after|finally|when|for|earlier|over)\b`)

func languageEN(m match) []draft {
	o := firstPart(m, "o", "p").whole()
	pol, verb := Positive, "Speaks "
	if !m.g("neg").empty() {
		pol, verb = Negative, "Does not speak "
	}
	var out []draft
	for _, x := range o.list() {
		w := languageWord.Text(x.fold)
		if w == "" {
			continue
		}
		out = append(out, draft{
			typ: memory.TypeFact, key: "language/" + objectKey(w), content: verb + x.raw + ".", st: Statement{Value: x.raw, Polarity: pol},
			tags: []string{"language", "语言"}, importance: importanceFact, reason: "states who the user is",
		})
	}
	return out
}

var languageWord = expr(`\b(?:` + languagesEN + `)\b`)
