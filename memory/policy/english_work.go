package policy

import (
	"strings"
)

var notWork = expr(`^(?:night|home|the moment|it|this|that|these|them|my|your|our|the (?:weekend|weekends|morning|evening|garden|same|office|background|project|bug|feature|future|dark|way)|me|you|him|her|peace|silence|general|theory|practice|progress|parallel|pairs|teams?|least|all|first|once|a (?:while|minute|living|few)|\d|two|three|hours|months|years|vim|python|rust|go|weekends|nights|what|how|an hour)\b`)

func employer(p part) draft {
	return slot("job/employer", "Employer", "Works at "+p.raw+".", p, importanceIdentity, "job", "work", "company", "工作")
}

// employment makes an employer, or the field where the user says "in", and the job beside it.
func employment(s *scene) []draft {
	p := s.object("p")
	d := employer(p)
	if strings.Contains(s.m.c.text, " in "+p.fold) && !strings.Contains(s.m.c.text, " at "+p.fold) {
		d = slot("job/field", "Field of work", "Works in "+p.raw+".", p, importanceFact, "job", "work", "工作")
	}
	if w := s.object("w"); !w.empty() {
		d.corrects = w.raw
	}
	out := one(d)
	if o := s.object("o"); !o.empty() {
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
