package policy

import (
	"strings"
)

// Words that English rules share, as alternatives of an expression.
const (
	relativesEN = `(?:ex-?)?(?:wife|husband|spouse|partner|fiancee?|girlfriend|boyfriend|gf|bf|mother|mom|mum|mommy|father|dad|daddy|parents|sister|brother|sibling|son|daughter|kids?|child(?:ren)?|baby|twins?|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin|niece|nephew|mother-in-law|father-in-law|sister-in-law|brother-in-law|stepmother|stepfather|(?:best |close |childhood |good )?friend|roommate|flatmate|neighbou?r|boss|manager|colleague|coworker|co-worker|mentor|therapist|doctor|dentist|landlord|teacher|professor|advisor|supervisor|dog|puppy|cat|kitten|pet|parrot|rabbit|bunny|hamster|horse|fish|bird|turtle|tortoise|lizard|snake|guinea pig|goldfish)s?`

	languagesEN = `english|chinese|mandarin|cantonese|german|french|spanish|italian|portuguese|brazilian portuguese|dutch|russian|ukrainian|polish|czech|slovak|hungarian|romanian|greek|turkish|arabic|hebrew|hindi|urdu|bengali|tamil|japanese|korean|vietnamese|thai|indonesian|malay|swedish|norwegian|danish|finnish|icelandic|estonian|latvian|lithuanian|catalan|swahili|persian|farsi|latin|esperanto|simplified chinese|traditional chinese|british english|american english|plain english|simple english`

	monthsEN = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`

	daysEN = `(?:mon|tues|wednes|thurs|fri|satur|sun)day`

	dateEN = `(?:(?:the )?(?:end|middle|beginning|start) of (?:the |this |next )?\w+(?: \d{4})?|(?:early |late |mid-?)?(?:next|this|the coming|the next|the end of) (?:week|month|year|spring|summer|fall|autumn|winter|weekend|semester|quarter|decade|january|february|march|april|may|june|july|august|september|october|november|december|` + daysEN + `)|(?:` + daysEN + `)(?: (?:morning|afternoon|evening|night))?(?:,? (?:the )?(?:` + monthsEN + ` )?\d{1,2}(?:st|nd|rd|th)?)?(?: at \d.*)?|(?:early |late |mid-?)?` + monthsEN + `(?: (?:the )?\d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + monthsEN + `(?:,? \d{4})?|the \d{1,2}(?:st|nd|rd|th)|(?:19|20)\d{2}(?:[-/.]\d{1,2}(?:[-/.]\d{1,2})?)?|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|spring|summer|autumn|winter|christmas|new year(?:'?s)?(?: eve)?|easter|thanksgiving|halloween|q[1-4]|(?:my|our) (?:\w+ )?(?:birthday|wedding|anniversary|graduation)|(?:i turn|i'm|the age of|age) \d{2}|tomorrow(?: (?:morning|afternoon|evening|night))?|(?:two|three|four|five|six|\d+|a|a few) (?:weeks?|months?|years?|days))`

	styleWordsEN = `(?:short(?:er)?|brief(?:er)?|concise|succinct|terse|compact|to the point|simple(?:r)?|plain|detailed|long(?:er)?|thorough|in-depth|direct|straightforward|blunt|honest|formal|informal|casual|friendly|polite|professional|serious|funny|playful|light(?:hearted)?|gentle|kind|nice|patient|encouraging|technical|non-technical|structured|precise|critical|short and sweet|under (?:\d+|two|three|five|ten|a hundred|one hundred) (?:words|sentences|lines)|in bullet points|free of \w+|(?:one|two|three) (?:sentences?|paragraphs?))`
)

var occupations = wordSet(`
	accountant actor actress actuary administrator analyst anesthesiologist architect archivist artist astronaut
	athlete attorney author baker banker barber bartender barista biologist builder butcher carpenter cashier chef
	chemist clerk cleaner coach composer comedian consultant contractor cook copywriter counselor curator dancer dba
	dentist designer detective dev developer devops dietitian diplomat director doctor driver economist editor
	electrician engineer entrepreneur executive farmer firefighter fisherman florist founder freelancer gardener
	geologist guard guide hairdresser headhunter historian homemaker housewife illustrator instructor intern
	interpreter investor janitor journalist judge lawyer lecturer librarian lifeguard linguist machinist magician
	manager marketer mathematician mechanic medic midwife miner minister model musician nanny nurse nutritionist
	officer optician painter paralegal paramedic pastor pathologist pharmacist philosopher photographer physician
	physicist physiotherapist pianist pilot plumber poet policeman politician postdoc potter preacher priest
	principal producer professor programmer psychiatrist psychologist publisher realtor receptionist recruiter
	researcher resident retailer sailor salesman salesperson salesperson scientist sculptor secretary singer sailor
	soldier statistician student stylist surgeon surveyor sysadmin tailor teacher technician tester therapist
	trainer translator tutor undergraduate undergrad vet veterinarian waiter waitress welder writer youtuber zoologist
	streamer blogger ceo cto cfo coo pm sre postman paralegal apprentice trainee graduate phd_student grad_student
	high-schooler freshman sophomore
	teacher's_assistant owner`)

var traits = wordSet(`
	introvert extrovert ambivert insomniac night_owl early_bird morning_person night_person only_child parent twin
	father mother dad mom mum single_parent single_mom single_dad widow widower bachelor immigrant expat refugee
	veteran smoker non-smoker nonsmoker teetotaler celiac coeliac diabetic asthmatic hemophiliac haemophiliac muslim
	christian catholic protestant buddhist jew hindu sikh atheist agnostic perfectionist minimalist lefty left-hander
	feminist pacifist vampire_fan native_speaker polyglot grandparent grandmother grandfather hypochondriac beginner
	stay-at-home_mom stay-at-home_dad homeowner gamer runner cyclist hiker climber swimmer skier
	surfer marathoner triathlete photographer_in_my_spare_time virgo leo aries taurus gemini cancer libra scorpio
	sagittarius capricorn aquarius pisces millennial boomer`)

var diets = wordSet(`vegetarian vegan pescatarian pescetarian flexitarian keto halal kosher gluten-free gluten_free
	dairy-free dairy_free lactose-free lactose_free plant-based carnivore omnivore`)

var conditions = wordSet(`
	left-handed left_handed right-handed ambidextrous colorblind color-blind color_blind colour_blind colour-blind
	colourblind deaf blind dyslexic diabetic autistic neurodivergent asthmatic anemic anaemic celiac coeliac pregnant
	nearsighted short-sighted farsighted hard_of_hearing epileptic bipolar gay lesbian bisexual straight trans
	transgender non-binary nonbinary asexual queer muslim christian catholic jewish buddhist hindu atheist religious
	introverted extroverted bilingual trilingual sober lactose_intolerant gluten_intolerant
	adopted an_only_child`)

var statuses = wordSet(`married single divorced engaged widowed separated in_a_relationship`)

var works = wordSet(`retired unemployed self-employed self_employed freelance freelancing between_jobs on_parental_leave
	on_maternity_leave on_disability semi-retired`)

var nationalities = wordSet(`
	american argentinian australian austrian belgian brazilian british bulgarian canadian chilean chinese colombian
	croatian cuban czech danish dutch egyptian english estonian ethiopian filipino finnish french german ghanaian greek
	hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese kenyan korean latvian
	lebanese lithuanian malaysian mexican moroccan nepali nigerian norwegian pakistani peruvian polish portuguese
	romanian russian scottish serbian singaporean slovak slovenian spanish swedish swiss syrian taiwanese thai turkish
	ukrainian venezuelan vietnamese welsh`)

// notNames cannot be what somebody is called.
var notNames = wordSet(`
	a an the on in at not no yes my your his her our this that these those it he she they we you me i him them later
	back tomorrow today tonight now soon when if as maybe crazy stupid old-fashioned dumb lazy picky paranoid asap
	again sometime anytime whenever after before by from for with without out up over around names name sir_or hard
	spelled spelt pronounced easy difficult long short common rare unique irrelevant important wrong right missing
	unknown secret so very too really what who how why where which something anything nothing someone anyone curious
	biased naive skeptical old cab taxi uber ambulance ishmael_as well just because please like there here still
	registered listed taken written misspelled and but or nuts weird spoiled cheap sentimental blessed selfish`)

// notPlaces begin what is no place although it follows "live in" or "moved to".
var notPlaces = expr(`^(?:it|this|that|these|those|another|other|my|your|his|her|their|our|its|next|a|an|the (?:next|last|first|second|other|same|new|old|end|moment|past|future|present|now|top|bottom|left|right|back|front|right|cloud|folder|trash|archive|file|table|queue|backlog|couch|sofa|bed|kitchen|point|topic|question|plan|master|main|branch|server|same)|fear|hope|peace|denial|harmony|poverty|luxury|constant|sin|the|pain|chaos|step|version|phase|chapter|part|section|item|page|line|plan|something|somewhere|someone|nothing|python|rust|go|typescript|java|kotlin|vim|emacs|neovim|vscode|linux|mac|windows|github|gitlab|aws|gcp|azure|postgres|mysql|mongodb|kubernetes|docker|react|vue|remote|production|staging|tears|bed|sleep|eat|work|see|do|be|get|make|use|change|fix|a)\b`)

// placesWithThe are the exceptions for places that carry an article or stand in a general phrase.
var placesWithThe = expr(`^(?:the (?:us|usa|u\.s\.?|uk|u\.k\.?|netherlands|states|united \w+|philippines|uae|hague|bronx|bay area|midwest|south|north|east|west|city|suburbs|countryside|country|mountains|coast|east coast|west coast|alps|black forest|highlands|desert|philippines|bahamas|maldives|czech republic|dominican republic|netherlands|gambia|balkans|basque country|congo|south of \w+|north of \w+|east of \w+|west of \w+|outskirts of .+|center of .+|centre of .+|heart of .+)|new (?:york|orleans|jersey|mexico|zealand|delhi|hampshire|south wales|haven|town|castle)\b)`)

// reactionEN begins objects that point at what was just said or shown: liking them lasts no longer than the
// conversation.
var reactionEN = expr(`^(?:it|its|it's|this|that|that's|these|those|them|him|her|you|your|ur|u|yours|us|how|what|whatever|where|when|who|why|both|either|neither|all (?:of|the|these|those|this|that)|none|one|some of|option|version|variant|number|choice|plan [a-z]|everything|everyone|everybody|nothing|(?:anything|something)(?: else| about .*| you .*| like .*)?$|someone|somebody|being (?:here|able)|life|myself|my life|seeing (?:this|that|you|it)|hearing (?:this|that|from)|talking (?:to|with) you|chatting with you|chatting|our (?:chat|conversation|talk)s?|his|their|the former|the latter|the same|yesterday'?s?|today'?s?|to (?:think|believe|say|imagine|know|see if|see how|see what|see that|hear|ask|add|admit|point|be honest|bother|interrupt|inform|break|complain|brag|disagree|clarify|mention|apologi[sz]e|be a|nitpick|burst|rush|push|thank|start (?:by|with)|begin (?:by|with)|see you|do (?:it|this|that|so)|use (?:it|this|that|the)|keep (?:it|this|that)|go with|have (?:it|this|that)|leave (?:it|this|that)|stay with)|not to (?:say|talk|answer|discuss|do|think)|waiting for (?:this|it|you)|using (?:this|that|it)|doing (?:this|that|it)|to not|no (?:one|longer)|version \w+|so far|as is|not)\b|\b(?:this|these|it|that one|those ones?|the one)$|^.*\b(?:this (?:one|idea|plan|version|approach|answer|song|book|movie|film|place|code|design|way|bug|error|weather|time|conversation|kind|app|feature|task|meeting|part|model|chat)|you (?:just|said|wrote|suggested|gave|made|did|mentioned|sent|showed|proposed|recommended)|your (?:idea|suggestion|answer|plan|explanation|style|humou?r|help|advice|code|version|response|reply|approach|recommendation|work|list))\b`)

// definiteEN finds "the …": a thing both know of, which is a reaction unless it is one of a kind.
var definiteEN = expr(`^the\b`)

var oneOfAKind = expr(`^the (?:sea|ocean|beach|mountains?|outdoors|countryside|rain|snow|cold|heat|sun|sunshine|city|night|dark|theat(?:re|er)|cinema|opera|ballet|gym|library|forest|woods|desert|winter|summer|autumn|fall|spring|morning|evening|internet|radio|piano|guitar|violin|smell of|taste of|sound of (?:rain|the|waves|music|silence)|feeling of|colou?r|beatles|rolling stones|lakers|yankees|command line|terminal|cold weather|hot weather|holidays|weekend|weekends|news|stage|piano|metric system|oxford comma|window seat|aisle seat|office|lord of|great gatsby|simpsons|wire|sopranos|matrix|godfather|martian|hobbit|violin|theory)\b`)

// listable reports whether an object is a plain list whose members can be kept one by one, and splits it.
func (p part) list() []part {
	if size(p.fold) > 14 || strings.Contains(p.fold, " to ") || strings.Contains(p.fold, " when ") || strings.Contains(p.fold, " with ") || fixedPair.Match(p.fold) {
		return []part{p.trim()}
	}
	var out []part
	lo := 0
	add := func(hi int) bool {
		q := p.c.part(p.lo+lo, p.lo+hi)
		if q.empty() || size(q.fold) > 3 || reactionEN.Match(q.fold) {
			return false
		}
		out = append(out, q)
		return true
	}
	for _, m := range listJoin.FindAll(p.fold) {
		if !add(m[0]) {
			return []part{p.trim()}
		}
		lo = m[1]
	}
	if !add(len(p.fold)) {
		return []part{p.trim()}
	}
	if len(out) == 2 && !strings.ContainsAny(p.fold, ",、") && size(out[0].fold) == 1 && size(out[1].fold) > 2 {
		return []part{p} // "black and white photos": the adjectives share a noun
	}
	return out
}

var (
	listJoin  = expr(`\s*[,、]\s*(?:and |or |和|还有|以及)?\s*|\s+(?:and|or|&)\s+(?:also )?|\s*(?:和|跟|与|以及|还有|及|或者?)\s*`)
	fixedPair = expr(`\b(?:fish and chips|mac(?:aroni)? and cheese|rock and roll|rock & roll|salt and pepper|peanut butter and jelly|black and white|r&b|rhythm and blues|drum and bass|bed and breakfast|dungeons and dragons|rick and morty|country and western|arts and crafts|gin and tonic|bacon and eggs|ham and eggs|bread and butter|milk and cookies|surf and turf|sweet and sour|calvin and hobbes|war and peace|crime and punishment|pride and prejudice|tom and jerry|ben and jerry|here and there|peace and quiet)\b|饱和|和平|和服|和牛|和食|柔和|暖和|和尚|温和|缓和|和声|和弦`)
)
