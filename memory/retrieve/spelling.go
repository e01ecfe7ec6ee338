package retrieve

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"

	"memoria/index/text"
)

//go:embed data/spelling.txt
var spellingTable string

// spelling has the usual form of each English word of data/spelling.txt, a pattern that finds
// these words, and a replacer of the Chinese ones.
var spelling = sync.OnceValue(func() (s struct {
	english map[string]string
	words   *regexp.Regexp
	chinese *strings.Replacer
},
) {
	s.english = map[string]string{}
	var words, pairs []string
	for line := range strings.Lines(spellingTable) {
		usual, written, ok := strings.Cut(strings.TrimSpace(line), " < ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for w := range strings.SplitSeq(written, " | ") {
			if text.CJK(first(w)) {
				pairs = append(pairs, w, usual)
			} else {
				s.english[w], words = usual, append(words, w)
			}
		}
	}
	s.words = regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
	s.chinese = strings.NewReplacer(pairs...)
	return s
})

// spelt returns the part of a message that is read, in the spelling of the tables: people
// write "whats" and 啥子.
func spelt(message string) string {
	message = head(message, maxQuery)
	s := spelling()
	message = s.words.ReplaceAllStringFunc(message, func(w string) string { return s.english[strings.ToLower(w)] })
	return s.chinese.Replace(message)
}
