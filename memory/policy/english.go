package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/memory"
)

// englishRules returns the rules for English clauses, the more special before the more general.
func englishRules() []rule {
	var rs []rule
	rs = append(rs, nameRulesEN()...)
	rs = append(rs, styleRulesEN()...)
	rs = append(rs, identityRulesEN()...)
	rs = append(rs, relationRulesEN()...)
	rs = append(rs, preferenceRulesEN()...)
	rs = append(rs, habitRulesEN()...)
	rs = append(rs, goalRulesEN()...)
	rs = append(rs, correctionRulesEN()...)
	return rs
}

// --- names

func nameRulesEN() []rule {
	name := func(m match) []draft { return nameEN(m.g("n"), m.g("w")) }
	return []rule{
		{"name-corrected", `my (?:first |last |full |real )?name(?: is not| isn'?t|'?s not) (?P<w>.+?)(?:,| but|;| -)\s*(?:it'?s |it is |but |rather )?(?P<n>.+)`, name},
		{"name", `my (?:first |full |real |given |actual )?name(?: is|'?s|:| =)(?: actually| really)? (?P<n>.+?)(?:,? (?:and )?not (?P<w>.+))?`, name},
		{"name-surname", `my (?:last|family|sur) ?name(?: is|'?s) (?P<n>.+)`, func(m match) []draft {
			n := trimName(m.g("n"))
			if !isName(n, 3) {
				return nil
			}
			return one(slot("name/family", "Family name", "Family name is "+n.raw+".", n, importanceIdentity, "name", "姓"))
		}},
		{"name-nickname", `my (?:nick|pen|user|stage|chinese |english )(?:-| )?name(?: is|'?s) (?P<n>.+)`, func(m match) []draft {
			n := trimName(m.g("n"))
			if !isName(n, 3) {
				return nil
			}
			return one(slot("name/nickname", "Nickname", "Nickname is "+n.raw+".", n, importanceIdentity, "name", "昵称"))
		}},
		{"name-called", `(?:{am} (?:called|named)|i go by|i'm known as|(?:my friends|friends|people|everyone|everybody|most people|my family|they all|folks)(?: all| usually| just| mostly)* calls? me) (?P<n>.+?)(?:,? (?:and )?not (?P<w>.+))?`, name},
		{"name-call-me", `(?:please |pls |you (?:can|may|should|could) |just |always |do |i'?d (?:like|love|prefer)(?: it)?(?: if)?(?: for)? you (?:to |could |would )?|i (?:want|need) you to |i would (?:like|prefer) you to |can you |could you |feel free to )*(?:also )?call(?:ed)? me (?P<n>.+?)(?:,? (?:and )?not (?P<w>.+))?`, name},
		{"name-to-be-called", `i(?:'d| would) (?:like|prefer|love) to be (?:called|addressed as) (?P<n>.+)`, name},
		{"name-introduced", `{am} (?P<n>.+?)`, introduced},
	}
}

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
	if m := afterName.find(p.fold); m != nil {
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
	n := trimName(m.g("n"))
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
	if !greeted.match(m.c.v.src[:lo]) && !(lo == 0 && !m.c.alone && m.c.text != "") {
		return nil
	}
	return nameEN(n, part{c: m.c})
}

var notNameAlone = wordSet(`sorry fine okay good great happy sad sure tired hungry glad late busy sick ready done back home
	here lost confused afraid new old young alone awake asleep drunk sober free bored angry mad serious kidding joking
	right wrong stuck well better worse excited curious grateful thankful proud ill broke rich poor hot cold thirsty`)

// --- who the user is

func identityRulesEN() []rule {
	home := func(m match) []draft { return homeEN(m, "Lives in ") }
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
		{"age", `{am} (?:now |currently |already |actually )?(?P<n>\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:[- ]\w+)?|\w+teen)(?: (?:years? old|yrs? old|yo|y/o|years of age)| years?)?|i just turned (?P<t>\d{1,3})|my age is (?P<a>\d{1,3})`, func(m match) []draft {
			o := firstPart(m, "n", "t", "a")
			return one(slot("age", "Age", "Is "+o.raw+" years old.", o, importanceFact, "age", "年龄"))
		}},
		{"home-moved", `(?:actually )?(?:i|we|my family and i|my \w+ and i)(?:'ve| have)?(?: just| recently| finally| also)* (?:moved|relocated|emigrated)(?: back| over| recently| house)?(?: from (?P<f>.+?))? to (?P<o>.+?)(?: from (?P<g>.+))?`, func(m match) []draft {
			o := placeOf(m.g("o"))
			if o.empty() {
				return reject
			}
			d := slot("home", "Home", "Lives in "+o.raw+" (moved there).", o, importanceIdentity, "home", "address", "住")
			d.st.Value = o.raw
			return one(d)
		}},
		{"home", `(?:i|we|my family and i|my \w+ and i)(?:'ve been| have been|'m| am|'re| are)? {adv}(?:live|living|reside|based|settled|located)(?: (?:now|currently|here))* (?:in|at|near|on|outside|close to|out of)(?: the city of)? (?P<o>.+?)(?:,? (?:and )?not (?:in |at )?(?P<w>.+))?`, home},
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
			if o.empty() || originNot.match(o.fold) {
				return nil
			}
			return one(slot("origin", "Origin", "Comes from "+o.raw+".", o, importanceFact, "origin", "hometown", "家乡"))
		}},
		{"job-as", `(?:i|i've been|i have been) {adv}(?:work|working)(?: now| currently)? as (?:an? |the )?(?P<o>.+?)(?: (?:at|for|with) (?P<p>.+))?`, func(m match) []draft { return jobEN(m, true) }},
		{"job-slot", `my (?:job|occupation|profession|job title|title|current job|day job|work) is (?:being |as |to be )?(?:an? |the )?(?P<o>.+?)(?: (?:at|for|with) (?P<p>.+))?`, func(m match) []draft { return jobEN(m, false) }},
		{"job-work-mode", `i {adv}work (?P<o>from home|remotely|remote|nights?|night shifts?|the night shift|part[- ]time|full[- ]time|weekends|on weekends|in shifts|shifts|freelance|for myself)(?: .*)?`, func(m match) []draft {
			o := m.g("o")
			return one(slot("work-mode", "Way of working", "Works "+theirs(o.raw)+".", o, importanceFact, "work"))
		}},
		{"job-place", `(?:i|i've been|i have been) {adv}(?:work|working|employed) (?:at|for|in|by) (?P<p>.+?)(?: as (?:an? )?(?P<o>.+?))?(?:,? (?:and )?not (?:at |for |in )?(?P<w>.+))?`, employerEN},
		{"job-started", `i(?:'ve| have)?(?: just| recently)* (?:started|began|got|accepted|took|found)(?: working)?(?: an?| my)?(?: new)?(?: job| position| role| offer)?(?: as (?:an? )?(?P<o>.+?))? (?:at|with|for|from) (?P<p>.+)`, func(m match) []draft {
			if !strings.Contains(m.c.text, "job") && !strings.Contains(m.c.text, "position") && !strings.Contains(m.c.text, "role") && !strings.Contains(m.c.text, "working") && !strings.Contains(m.c.text, "offer") {
				return nil
			}
			return employerEN(m)
		}},
		{"job-joined", `i(?:'ve| have)?(?: just| recently)* joined (?P<p>.+?)(?: as (?:an? )?(?P<o>.+))?`, func(m match) []draft {
			r, _ := utf8.DecodeRuneInString(m.g("p").raw)
			if !unicode.IsUpper(r) {
				return nil
			}
			return employerEN(m)
		}},
		{"job-lost", `i(?:'ve| have)?(?: just| recently| finally)* (?P<o>lost my job|got fired|got laid off|was laid off|been laid off|was fired|quit my job|left my job|resigned|retired)(?: .*)?`, func(m match) []draft {
			o := m.g("o")
			d := slot("job", "Job", sentenceCase(theirs(o.raw)), o, importanceIdentity, "job", "work")
			d.reason = "a change in the user's life"
			return one(d)
		}},
		{"study", `i(?:'m| am)? {adv}(?:study|studying|major in|majoring in|majored in)(?: for)? (?P<o>.+?)(?: (?:at|in) (?P<p>.+))?`, studyEN},
		{"school", `i (?:go to|attend|goes to) (?P<p>.*(?:university|college|school|institute|academy|mit|ucla|eth|nyu).*)`, func(m match) []draft {
			p := m.g("p").trim()
			if !p.valid(7) || strings.HasPrefix(p.fold, "the ") && size(p.fold) < 3 || p.fold == "school" || p.fold == "college" {
				return nil
			}
			return one(slot("school", "School", "Goes to "+p.raw+".", p, importanceFact, "school", "学校"))
		}},
		{"fact-slot", `my (?P<s>` + slotsEN + `)(?: is|'s| are|:| =)(?: now| currently| actually)? (?P<o>.+?)(?:,? (?:and )?not (?P<w>.+))?`, factSlotEN},
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
			if !o.valid(7) || reactionEN.match(o.fold) {
				return nil
			}
			return one(draft{typ: memory.TypePreference, key: "diet/only-" + m.g("v").fold, content: "Only " + m.g("v").fold + "s " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"diet", "饮食"}, importance: importanceFact, reason: "what the user takes"})
		}},
		{"relationship", `(?:(?:my (?P<w>{rel})(?: of .*)? and i|we|i)(?:'ve| have|'re| are|'m| am)?(?: just| recently| finally| now)* (?P<o>broke up|split up|separated|got (?:married|engaged|divorced)|(?:getting|am getting) (?:a )?divorced?|are (?:getting )?divorced|divorced|(?:are|am) (?:engaged|separated|no longer together)|got back together|became parents|no longer together|had a baby|are expecting(?: a baby)?|expecting a baby|having a baby)|i broke up(?P<b>)|i(?:'m| am) seeing someone(?P<s>))(?: with (?P<x>.+?)| to (?P<y>.+?)| (?P<z>.+?))?`, relationshipEN},
		{"relationship-loss", `my (?P<w>{rel})(?:,? \w+,?)? (?P<o>died|passed away|has died|has passed away|left me|dumped me|moved out)(?: .*)?`, func(m match) []draft {
			w, o := relative(m.g("w").fold), m.g("o")
			return one(draft{typ: memory.TypeRelationship, key: "relation/" + w + "/status", content: "Their " + w + " " + theirs(o.raw) + ".", st: Statement{Value: o.raw}, tags: []string{"relationship", "关系", w}, importance: importanceIdentity, reason: "a change in a relationship"})
		}},
		{"fact-language", `i(?: can)?(?P<neg> {dont}| {cant})? {adv}speak (?:fluent |good |some |a (?:little|bit of) |basic |native )*(?P<o>.+)|{am} (?:fluent in|a native speaker of|bilingual in|a native) (?P<p>.+?)(?: speaker)?`, languageEN},
		{"fact-fear", `{am} {adv}(?:afraid|scared|terrified|frightened) of (?P<o>.+)|i have a fear of (?P<p>.+)`, func(m match) []draft {
			o := firstPart(m, "o", "p").trim()
			if !o.valid(3) || reactionEN.match(o.fold) || definiteEN.match(o.fold) && !oneOfAKind.match(o.fold) || o.fold != "flying" && o.fold != "driving" && strings.Contains(strings.Fields(o.fold)[0], "ing") && size(o.fold) > 1 {
				return nil
			}
			return one(draft{typ: memory.TypeFact, key: "fear/" + objectKey(o.fold), content: "Is afraid of " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"fear", "害怕"}, importance: importanceFact, reason: "states who the user is"})
		}},
		{"fact-have", `(?:i|we)(?: do)?(?P<neg> {dont}| no longer)? {adv}(?:have|own|'ve got|have got|got|adopted|just got|just adopted|recently adopted)(?P<no> no| any)? (?P<o>.+?)(?:,? (?:named|called|whose name is|who is called|(?:and )?(?:his|her|its|their) names? (?:is|are)) (?P<n>.+))?`, haveEN},
		{"fact-drive", `i {adv}(?:drive|ride) an? (?P<o>.+)`, func(m match) []draft {
			o := m.g("o").trim()
			if !o.valid(5) {
				return nil
			}
			return one(slot("car", "Vehicle", "Drives a "+o.raw+".", o, importanceFact, "car", "车"))
		}},
		{"fact-play", `i {adv}play (?:the )?(?P<o>piano|guitar|bass|bass guitar|electric guitar|violin|viola|cello|drums|flute|clarinet|saxophone|trumpet|trombone|ukulele|harp|keyboard|accordion|harmonica|banjo|football|soccer|basketball|tennis|table tennis|badminton|golf|hockey|volleyball|baseball|cricket|rugby|squash|chess|go|poker|bridge|video games|board games|d&d|dungeons and dragons)(?: .*)?`, func(m match) []draft {
			o := m.g("o")
			return one(draft{typ: memory.TypeFact, key: "activity/" + objectKey(o.fold), content: "Plays " + o.raw + ".", st: Statement{Value: o.raw, Polarity: Positive}, tags: []string{"hobby", "爱好"}, importance: importancePattern, reason: "what the user does"})
		}},
		{"identity", `{am} {adv}(?P<neg>not |no longer )?(?P<o>.+?)(?: (?:at|for|with) (?P<p>.+))?`, identityEN},
	}
}

const slotsEN = `(?:e-?mail|email address|e-mail address|phone|phone number|mobile|mobile number|cell|cell number|number|address|home address|postal address|time ?zone|native language|first language|mother tongue|height|weight|shoe size|shirt size|t-shirt size|clothing size|ring size|blood type|nationality|citizenship|gender|sex|star sign|zodiac sign|zodiac|religion|major|degree|university|school|company|employer|team|department|car|bike|editor|ide|shell|os|operating system|laptop|computer|phone model|github|github username|github handle|twitter|twitter handle|website|blog|passport number|passport|id number|ssn|social security number|driver'?s licen[cs]e|salary|budget|income|work hours|working hours|office hours|diet|condition|mbti|mbti type|personality type|favourite|iban|account number|hobby|hobbies|interests|team name|keyboard layout|locker number|license plate|licence plate|anniversary|wedding anniversary|bedtime|wake-up time|dominant hand|eye colou?r|hair colou?r|preferred language|preferred name)`

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
	return mine.replaceFunc(raw, func(w string) string {
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
	o := m.g("o").trim()
	if !o.valid(8) || !monthOrDay.match(o.fold) {
		return nil
	}
	if yearOnly.match(o.fold) {
		return one(slot("birth-year", "Birth year", "Was born in "+o.raw+".", o, importanceFact, "birthday", "age"))
	}
	if y := strings.Fields(o.fold); len(y) > 0 && yearOnly.match(y[0]) && size(o.fold) > 1 {
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
	if cut := afterPlace.find(o.fold); cut != nil && cut[0] > 0 {
		o = o.upTo(cut[0])
	}
	o = o.trim()
	if !o.valid(8) || notPlaces.match(o.fold) && !placesWithThe.match(o.fold) && !properNoun(o) {
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

var dwelling = expr(`^an? (?:.* )?(?:flat|apartment|house|studio|village|town|city|farm|van|boat|houseboat|dorm|condo|cottage|cabin|trailer|suburb|shared \w+|duplex|loft|bungalow|small \w+|quiet \w+)\b`)

func homeEN(m match, verb string) []draft {
	if o := m.g("o").trim(); dwelling.match(o.fold) && o.valid(10) {
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

var notWork = expr(`^(?:night|home|the moment|it|this|that|these|them|my|your|our|the (?:weekend|weekends|morning|evening|garden|same|office|background|project|bug|feature|future|dark|way)|me|you|him|her|peace|silence|general|theory|practice|progress|parallel|pairs|teams?|least|all|first|once|a (?:while|minute|living|few)|\d|two|three|hours|months|years|vim|python|rust|go|weekends|nights|what|how|an hour)\b`)

func jobEN(m match, must bool) []draft {
	o := m.g("o").trim()
	if !o.valid(8) || !must && !occupied(o.fold) {
		return nil
	}
	out := one(slot("job", "Job", "Works as "+article(o)+".", o, importanceIdentity, "job", "work", "工作"))
	if p := m.g("p").trim(); p.valid(6) && !notWork.match(p.fold) {
		out = append(out, employer(p))
	}
	return out
}

func employer(p part) draft {
	return slot("job/employer", "Employer", "Works at "+p.raw+".", p, importanceIdentity, "job", "work", "company", "工作")
}

func employerEN(m match) []draft {
	p := m.g("p")
	if cut := afterPlace.find(p.fold); cut != nil && cut[0] > 0 {
		p = p.upTo(cut[0])
	}
	p = p.trim()
	if !p.valid(7) || notWork.match(p.fold) {
		return nil
	}
	d := employer(p)
	if strings.Contains(m.c.text, " in "+p.fold) && !strings.Contains(m.c.text, " at "+p.fold) {
		d = slot("job/field", "Field of work", "Works in "+p.raw+".", p, importanceFact, "job", "work", "工作")
	}
	if w := m.g("w").trim(); !w.empty() {
		d.corrects = w.raw
	}
	out := one(d)
	if o := m.g("o").trim(); o.valid(6) {
		out = append(out, slot("job", "Job", "Works as "+article(o)+".", o, importanceIdentity, "job", "work", "工作"))
	}
	return out
}

// article puts "a" or "an" before a role.
func article(o part) string {
	switch {
	case strings.HasPrefix(o.fold, "a "), strings.HasPrefix(o.fold, "an "), strings.HasPrefix(o.fold, "the "), strings.HasPrefix(o.fold, "head of"):
		return o.raw
	case strings.ContainsAny(o.fold[:1], "aeiou"):
		return "an " + o.raw
	}
	return "a " + o.raw
}

var beforeHead = expr(`\s+(?:in|from|by|at|of|on|who|working|specializing|specialising|based|living|here|and|with|for|turned|doing|now)\b.*$|,.*$`)

// occupied reports whether the head of a noun phrase is an occupation.
func occupied(f string) bool {
	f = beforeHead.replace(f, "")
	words := strings.Fields(f)
	if len(words) == 0 || len(words) > 5 {
		return false
	}
	head := words[len(words)-1]
	if occupations[head] {
		return head != "owner" || len(words) > 1
	}
	return len(words) > 1 && (strings.HasSuffix(head, "ologist") || strings.HasSuffix(head, "ician") || strings.HasSuffix(head, "graduate"))
}

var personLover = expr(`^(?:more of )?an? (?:real |true |big |huge |massive |total |complete |serious |hardcore |die-?hard |lifelong |avid |passionate |proud )*(?:(?P<a>fan|lover|fanatic|supporter|devotee|connoisseur) of (?P<o>.+)|(?P<p>.+?) (?:person|lover|fan|enthusiast|addict|guy|girl|nerd|buff|freak|aficionado|fanatic|supporter|geek|junkie|fiend))$`)

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
	fact := func(key, title string, imp float64, tags ...string) []draft {
		d := slot(key, title, "Is "+neg+theirs(o.raw)+".", o, imp, tags...)
		d.st.Polarity = pol
		return one(d)
	}
	switch {
	case diets[bare]:
		return fact("diet", "Diet", importanceHealth, "diet", "饮食")
	case statuses[bare]:
		return fact("relationship/status", "Relationship status", importanceIdentity, "relationship", "关系")
	case pol == Positive && works[bare]:
		return fact("job", "Job", importanceIdentity, "job", "work", "工作")
	case nationalities[bare] && !m.c.correction:
		return fact("nationality", "Nationality", importanceFact, "nationality", "origin", "国籍")
	case conditions[bare], traits[bare], traits[bare+" person"]:
		return fact("fact/"+objectKey(bare), "", importanceFact, "about")
	}
	if g := personLover.groups(o.fold); g != nil {
		return personEN(m, o, g, pol)
	}
	if pol == Positive && (strings.HasPrefix(o.fold, "a ") || strings.HasPrefix(o.fold, "an ") || strings.HasPrefix(o.fold, "the ") && strings.Contains(o.fold, " of ")) {
		role := o.skip(strings.IndexByte(o.fold, ' ') + 1)
		if occupied(role.fold) {
			out := one(slot("job", "Job", "Is "+o.raw+".", role, importanceIdentity, "job", "work", "工作"))
			if p := m.g("p").trim(); p.valid(6) && !notWork.match(p.fold) {
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
	if !x.valid(5) || traitPerson[x.fold] || reactionEN.match(x.fold) || definiteEN.match(x.fold) && !oneOfAKind.match(x.fold) && !properNoun(x) {
		return nil
	}
	verb := "Likes "
	if pol == Negative {
		verb = "Does not like "
	}
	return one(preference(x, pol, verb+x.raw+"."))
}

func studyEN(m match) []draft {
	o, p := m.g("o").trim(), m.g("p").trim()
	if !o.valid(5) || reactionEN.match(o.fold) || definiteEN.match(o.fold) || strings.HasPrefix(o.fold, "my ") || studyNot[o.fold] {
		return nil
	}
	out := one(slot("study", "Studies", "Studies "+o.raw+".", o, importanceFact, "study", "school", "学习"))
	if p.valid(6) && !studyNot[p.fold] && !strings.HasPrefix(p.fold, "the ") {
		out = append(out, slot("school", "School", "Studies at "+p.raw+".", p, importanceFact, "school", "学校"))
	}
	return out
}

var studyNot = wordSet(`hard a_lot now tonight today tomorrow together alone night home better best late all_night at`)

func factSlotEN(m match) []draft {
	s, o := m.g("s"), m.g("o").trim()
	if !o.valid(10) || reactionEN.match(o.fold) || slotNot.match(o.fold) {
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

func allergyEN(m match) []draft {
	o := m.g("o").trim()
	if !o.valid(8) || reactionEN.match(o.fold) || o.fold == "work" || o.fold == "mornings" || o.fold == "bullshit" || o.fold == "mondays" {
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

var dietFoods = expr(`\b(?:dairy|milk|gluten|wheat|lactose|sugar|nuts?|peanuts?|eggs?|caffeine|coffee|alcohol|meat|pork|beef|fish|shellfish|seafood|soy|soya|spicy|salt|chocolate|cheese|onions?|garlic)\b`)

func dietEN(m match) []draft {
	v, o := m.g("v").fold, m.g("o").trim()
	quit := strings.Contains(m.c.text[:m.g("v").lo], "stopped") || strings.Contains(m.c.text[:m.g("v").lo], "quit") || strings.Contains(m.c.text[:m.g("v").lo], "gave up")
	base := strings.TrimSuffix(v, "ing")
	if base == "smok" {
		base = "smoke"
	}
	switch {
	case v == "have" && !(strings.Contains(m.c.text, "can't") || strings.Contains(m.c.text, "cannot")):
		return nil
	case v == "have" && !dietFoods.match(o.fold):
		return nil
	case !o.empty() && (!o.valid(7) || reactionEN.match(o.fold) || notDiet.match(o.fold)):
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
	if z := m.g("z"); !z.empty() && !afterEvent.match(z.fold) {
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
	o := firstPart(m, "o", "p").trim()
	pol, verb := Positive, "Speaks "
	if !m.g("neg").empty() {
		pol, verb = Negative, "Does not speak "
	}
	var out []draft
	for _, x := range o.list() {
		w := languageWord.text(x.fold)
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
