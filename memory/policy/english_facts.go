package policy

import (
	"strings"

	"memoria/memory"
)

// noVehicle is what is driven or ridden once, by others, or in a saying.
var noVehicle = expr(`^(?:(?:hard )?bargain|point|wedge|nail|friend|wave|tiger|storm|roller ?coaster|carousel|bus|train|tram|subway|plane|lift|elevator)\b|\b(?:home|crazy|mad|dream|tomorrow|tonight|today|once)$`)

// gamesEN are what one plays: instruments, sports, games.
const gamesEN = `piano|guitar|bass|bass guitar|electric guitar|violin|viola|cello|drums|flute|clarinet|saxophone|trumpet|trombone|ukulele|harp|keyboard|accordion|harmonica|banjo|football|soccer|basketball|tennis|table tennis|badminton|golf|hockey|volleyball|baseball|cricket|rugby|squash|chess|go|poker|bridge|video games|board games|d&d|dungeons and dragons`

const slotsEN = `(?:e-?mail|email address|e-mail address|phone|phone number|mobile|mobile number|cell|cell number|number|address|home address|postal address|time ?zone|native language|first language|mother tongue|height|weight|shoe size|shirt size|t-shirt size|clothing size|ring size|blood type|nationality|citizenship|gender|sex|star sign|zodiac sign|zodiac|religion|major|degree|university|school|company|employer|team|department|car|bike|editor|ide|shell|os|operating system|laptop|computer|phone model|github|github username|github handle|twitter|twitter handle|website|blog|passport number|passport|id number|ssn|social security number|driver'?s licen[cs]e|salary|budget|income|work hours|working hours|office hours|diet|condition|mbti|mbti type|personality type|favourite|iban|account number|hobby|hobbies|interests|team name|keyboard layout|locker number|license plate|licence plate|anniversary|wedding anniversary|bedtime|wake-up time|dominant hand|eye colou?r|hair colou?r|preferred language|preferred name)`

var personLover = expr(`^(?:more of )?an? (?:real |true |big |huge |massive |total |complete |serious |hardcore |die-?hard |lifelong |avid |passionate |proud )*(?:(?P<a>fan|lover|fanatic|supporter|devotee|connoisseur) of (?P<o>.+)|(?P<p>.+?) (?:person|lover|fan|enthusiast|addict|guy|girl|nerd|buff|freak|aficionado|fanatic|supporter|geek|junkie|fiend))$`)

var childCount = expr(` of (?:two|three|four|five|one|twins|\d)(?: \w+)?$`)

var traitPerson = wordSet(`shy good bad nice busy simple lucky happy terrible kind private quiet people practical normal regular
	single big horrible nervous religious sensitive positive negative creative visual logical spiritual curious tall short
	different changed new better bad weird strange boring fun funny patient impatient social real free poor rich lonely
	terrible wise smart old young great wonderful sad cool family tough honest very_busy very_private great busy angry`)

func sentenceTitle(raw string) string {
	return strings.TrimSuffix(sentenceCase(raw), ".")
}

// languages makes one item of each language in a list, by its name.
func languages(s *scene) []draft {
	m := s.m
	o := m.g("o").whole()
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
