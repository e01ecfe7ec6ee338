package retrieve

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"

	"memoria/index/text"
)

//go:embed data/back.txt
var backTable string

var back = sync.OnceValues(func() (words map[string]bool, idle []string) {
	words = map[string]bool{}
	for line := range strings.Lines(backTable) {
		if phrase, ok := strings.CutPrefix(line, ">"); ok {
			idle = append(idle, text.Fold(strings.TrimSpace(phrase)))
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			words[text.Fold(w)] = true
		}
	}
	return words, idle
})

// refersBack reports whether a message refers to earlier ones: "and then?", 它多大.
// Greetings and thanks do not, although they contain such words (thanks, that's it).
func refersBack(message string) bool {
	words, idle := back()
	for _, c := range clauses(message) {
		for _, phrase := range idle {
			if c.holds(phrase) {
				return false
			}
		}
	}
	for _, t := range text.Tokens(message) {
		base, _, _ := strings.Cut(t.Text, "'") // it's
		if words[base] {
			return true
		}
	}
	return false
}

// hasSubject reports whether one of the distinctive words is complete enough to be a
// subject: the beginning of a word that is being typed (ln) is not.
func hasSubject(distinctive []string) bool {
	for _, d := range distinctive {
		if text.CJK(first(d)) || utf8.RuneCountInString(d) >= 3 {
			return true
		}
	}
	return false
}
