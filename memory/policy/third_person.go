package policy

import (
	"strings"

	"memoria/memory/policy/lang"
)

// Changes that the texts of a rule can make to an object's words; see [changesOf].

// sentenceTitle capitalises the first letter.
func sentenceTitle(raw string) string {
	return strings.TrimSuffix(sentenceCase(raw), ".")
}

// verbS puts the first verb of a phrase into the third person.
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

// gerunds are those that lose more than their ending.
var gerunds = lang.Table("gerund")

// gerund turns "using emojis" after "stop" into "use emojis".
func gerund(raw string) string {
	w, rest, _ := strings.Cut(raw, " ")
	l := strings.ToLower(w)
	base, ok := gerunds()[l]
	if !ok {
		if base, ok = strings.CutSuffix(l, "ing"); !ok {
			return raw
		}
	}
	return strings.TrimSpace(base + " " + rest)
}

// relations are names of relations, with their common name.
var relations = lang.Table("relation")

// relative reduces a relation to its word in keys.
func relative(w string) string {
	w = strings.TrimSuffix(strings.TrimSpace(w), "'s")
	if name := relations()[w]; name != "" {
		return name
	}
	if strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && w != "boss" {
		w = strings.TrimSuffix(w, "s")
	}
	return strings.ReplaceAll(w, " ", "-")
}

// article prepends "a" or "an" to a role.
func article(o part) string {
	switch {
	case determined.Match(o.fold):
		return o.raw
	case strings.ContainsAny(o.fold[:1], "aeiou"):
		return "an " + o.raw
	}
	return "a " + o.raw
}

// determined begins a role that has an article or needs none.
var determined = lang.Form("determined")
