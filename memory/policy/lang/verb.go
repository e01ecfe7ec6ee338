package lang

import "strings"

// ThirdPerson puts the first verb of a phrase into the third person.
func ThirdPerson(raw string) string {
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
var gerunds = Table("gerund")

// Infinitive turns "using emojis" after "stop" into "use emojis".
func Infinitive(raw string) string {
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

// Plural returns the regular plural of an English noun, or the singular of a plural.
func Plural(noun string) string {
	for _, end := range []string{"ss", "sh", "ch", "x"} {
		if strings.HasSuffix(noun, end) {
			return noun + "es"
		}
	}
	if one, ok := strings.CutSuffix(noun, "s"); ok {
		return one
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && stem != "" && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])) {
		return stem + "ies"
	}
	return noun + "s"
}
