package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func workRulesEN() []rule {
	return []rule{
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
	}
}

var notWork = expr(`^(?:night|home|the moment|it|this|that|these|them|my|your|our|the (?:weekend|weekends|morning|evening|garden|same|office|background|project|bug|feature|future|dark|way)|me|you|him|her|peace|silence|general|theory|practice|progress|parallel|pairs|teams?|least|all|first|once|a (?:while|minute|living|few)|\d|two|three|hours|months|years|vim|python|rust|go|weekends|nights|what|how|an hour)\b`)

func jobEN(m match, must bool) []draft {
	o := m.g("o").trim()
	if !o.valid(8) || !must && !occupied(o.fold) {
		return nil
	}
	out := one(slot("job", "Job", "Works as "+article(o)+".", o, importanceIdentity, "job", "work", "工作"))
	if p := m.g("p").trim(); p.valid(6) && !notWork.Match(p.fold) {
		out = append(out, employer(p))
	}
	return out
}

func employer(p part) draft {
	return slot("job/employer", "Employer", "Works at "+p.raw+".", p, importanceIdentity, "job", "work", "company", "工作")
}

func employerEN(m match) []draft {
	p := m.g("p")
	if cut := afterPlace.Find(p.fold); cut != nil && cut[0] > 0 {
		p = p.upTo(cut[0])
	}
	p = p.trim()
	if !p.valid(7) || notWork.Match(p.fold) {
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
	f = beforeHead.Replace(f, "")
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

func studyEN(m match) []draft {
	o, p := m.g("o").trim(), m.g("p").trim()
	if !o.valid(5) || reactionEN.Match(o.fold) || definiteEN.Match(o.fold) || strings.HasPrefix(o.fold, "my ") || studyNot[o.fold] {
		return nil
	}
	out := one(slot("study", "Studies", "Studies "+o.raw+".", o, importanceFact, "study", "school", "学习"))
	if p.valid(6) && !studyNot[p.fold] && !strings.HasPrefix(p.fold, "the ") {
		out = append(out, slot("school", "School", "Studies at "+p.raw+".", p, importanceFact, "school", "学校"))
	}
	return out
}

var studyNot = wordSet(`hard a_lot now tonight today tomorrow together alone night home better best late all_night at`)
