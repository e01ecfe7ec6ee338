package retrieve

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
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
	return howLongOrWhen.ReplaceAllString(s.chinese.Replace(message), "${1}什么时候${2}")
}

// howLongOrWhen matches 好久 where it asks when, as in the south-west: 生日好久, 我妈好久复查; but not 等了好久, 好久没去.
var howLongOrWhen = regexp.MustCompile(`([^了过等很有这那]|^)好久([^没不了以之才见前后，。,.!！]|[？?]*$)`)

// asMeant returns a message with unknown words replaced by those of the tables that they misspell. Only the
// forms of questions are looked for in it, since the memory may know the word as it is written: "patent".
func asMeant(message string) string {
	return latinWord.ReplaceAllStringFunc(message, func(w string) string { return cmp.Or(meant(w), w) })
}

// latinWord matches a word in lower case that may be misspelt; a name has a capital letter.
var latinWord = regexp.MustCompile(`\b[a-z]{6,}\b`)

// meant returns the word of the tables that an unknown word is a misspelling of: "allergy" for "alergy". It is
// empty if there is none or more than one.
func meant(word string) string {
	known := vocabulary()
	if known[word[0]][word] || text.IsStop(word) || slices.ContainsFunc(text.QueryTerms(word), isCommon) {
		return ""
	}
	found := ""
	for w := range known[word[0]] {
		if n := len(w) - len(word); n < -1 || n > 1 || text.Distance(w, word) > 1 {
			continue
		}
		if found != "" {
			return ""
		}
		found = w
	}
	return found
}

// vocabulary has the English words of six letters and more in the tables of questions, by their first letter.
var vocabulary = sync.OnceValue(func() map[byte]map[string]bool {
	out := map[byte]map[string]bool{}
	for _, table := range []string{asksTable, relationsTable, relatedTable, plansTable} {
		for line := range strings.Lines(table) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			for _, w := range latinWord.FindAllString(line, -1) {
				if out[w[0]] == nil {
					out[w[0]] = map[string]bool{}
				}
				out[w[0]][w] = true
			}
		}
	}
	return out
})
