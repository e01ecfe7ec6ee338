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
