package policy

import (
	"strings"

	"memoria/memory"
)

var pastVerb = expr(`^(?:\w+ed|said|thought|knew|had|was|were|got|went|saw|heard|felt|took|made|did|came|told|found|left|meant|wrote|ate|drank|lost|been|seen|done|mind|know|knows|really|once|again|ever|even|actually|quite|expected|understood|could|would|can|will|wonder|forget|get (?:this|that|it)|feel|seem|think|end up|need|have (?:the|this|that|a (?:problem|question))|say|saw|bought|met|gave|read (?:this|that)|understand|liked|loved|hated)\b`)

func habitRulesEN() []rule {
	habit := func(m match) []draft {
		o := m.g("o").trim()
		f := m.g("f").fold
		if !o.valid(14) || strings.HasSuffix(strings.Fields(o.fold)[0], "ed") && !strings.HasPrefix(o.fold, "need") && !strings.HasPrefix(o.fold, "feed") || pastVerb.Match(o.fold) || habitNot.Match(o.fold) {
			return nil
		}
		pol := Positive
		if strings.Contains(f, "never") || strings.Contains(f, "rarely") || strings.Contains(f, "seldom") || strings.Contains(f, "hardly") {
			pol = Negative
		}
		says := f + " " + theirs(verbS(o.raw))
		switch {
		case f == "tend to":
			says = "tends to " + theirs(o.raw)
		case f == "" && strings.Contains(m.c.text, "used to"):
			says = "is used to " + theirs(o.raw)
		case f == "":
			says = theirs(verbS(o.raw))
		}
		return one(draft{
			typ: memory.TypePattern, key: "pattern/" + objectKey(o.fold), title: sentenceTitle(f) + " " + o.raw,
			content: sentenceCase(says), st: Statement{Value: o.raw, Polarity: pol},
			tags: []string{"habit", "习惯"}, importance: importancePattern, reason: "a habit of the user",
		})
	}
	return []rule{
		{"habit", `(?:i|we) (?P<f>always|never|usually|normally|typically|often|rarely|seldom|hardly ever|tend to|almost always|almost never) (?P<o>.+)`, habit},
		{"habit-used-to", `(?:i'm|i am) (?P<f>)used to (?P<o>\w+ing .+)`, habit},
		{"habit-lead", `(?:usually|normally|most (?:days|mornings|evenings|nights)|every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|` + daysEN + `|other day)|on (?:weekends|weekdays|` + daysEN + `s)|in the (?:mornings?|evenings?)|after (?:work|lunch|dinner)|before (?:bed|work|breakfast)|at night),? i (?P<f>usually |always |never |normally |often |like to )?(?P<o>.+)`, func(m match) []draft {
			o := m.g("o")
			if pastVerb.Match(o.fold) || !o.valid(12) || habitNot.Match(o.fold) || strings.HasPrefix(o.fold, "'") {
				return nil
			}
			lead := m.c.part(m.c.pad, m.idx[1])
			return one(draft{
				typ: memory.TypePattern, key: "pattern/" + objectKey(o.trim().fold), title: sentenceTitle(o.raw),
				content: sentenceCase(theirs(lead.trim().raw)), st: Statement{Value: o.trim().raw, Polarity: Positive},
				tags: []string{"habit", "习惯"}, importance: importancePattern, reason: "a habit of the user",
			})
		}},
		{"habit-time", `i (?P<o>(?:run|jog|swim|cycle|bike|walk|meditate|exercise|work out|go to (?:the gym|bed|church|sleep)|get up|wake up|do yoga|practice .+|practise .+|journal|read|cook|fast|volunteer|take .+ (?:pills?|medication|vitamins?|insulin)|have (?:lunch|dinner|breakfast)|eat (?:lunch|dinner|breakfast)|call my \w+|commute .+|visit my \w+|play .+|train|lift weights|go (?:running|swimming|hiking|climbing|dancing|fishing|skiing|surfing|cycling|for a (?:run|walk|swim))) .*(?:every .+|each .+|daily|weekly|at \d.*|at (?:six|seven|eight|nine|ten|eleven|noon|midnight).*|(?:once|twice|three times|\d times|several times) (?:a|per) .+|on (?:mon|tues|wednes|thurs|fri|satur|sun)days.*|on weekends|in the mornings?|before \w+|to work))(?P<f>)`, habit},
	}
}

// verbS puts the verb that begins a phrase into the third person.
func verbS(raw string) string {
	w, rest, _ := strings.Cut(raw, " ")
	switch l := strings.ToLower(w); {
	case l == "have":
		w = "has"
	case l == "be":
		w = "is"
	case strings.HasSuffix(l, "s"), strings.HasSuffix(l, "x"), strings.HasSuffix(l, "z"), strings.HasSuffix(l, "ch"),
		strings.HasSuffix(l, "sh"), strings.HasSuffix(l, "o"):
		w += "es"
	case strings.HasSuffix(l, "y") && len(l) > 1 && !strings.ContainsRune("aeiou", rune(l[len(l)-2])):
		w = w[:len(w)-1] + "ies"
	default:
		w += "s"
	}
	return strings.TrimSpace(w + " " + rest)
}

var habitNot = expr(`^(?:a\b|an\b|the\b|to\b|again|be (?:the same|late)|love you|here|there|more\b|less\b|too\b|so\b|it\b|this\b|that\b|get tired|tired|happy|sad|stressed|want|hope|believe|agree|ask (?:this|that|you|for)|see (?:this|that|an)|use (?:this|that|it)|do (?:this|that|it)|said|give up|stop learning|can\b|will\b|figured|'|do\b.*\bwrong|fail|lose\b|struggle)`)
