package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// relative reduces a relation to the word in its key.
func relative(w string) string {
	w = strings.TrimSuffix(strings.TrimSpace(w), "'s")
	switch w {
	case "mum", "mom", "mommy":
		return "mother"
	case "dad", "daddy":
		return "father"
	case "gf":
		return "girlfriend"
	case "bf":
		return "boyfriend"
	case "kids", "kid", "children":
		return "child"
	}
	if strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && w != "boss" {
		w = strings.TrimSuffix(w, "s")
	}
	return strings.ReplaceAll(w, " ", "-")
}

func capitalised(p part) bool {
	r, _ := utf8.DecodeRuneInString(p.raw)
	return unicode.IsUpper(r)
}
