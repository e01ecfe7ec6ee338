package retrieve

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"memoria/index/text"
)

// Words separated by white space; lines that begin with # are comments.
//
//go:embed data/common_en.txt
var commonEnglish string

//go:embed data/common_zh.txt
var commonChinese string

//go:embed data/kinds_zh.txt
var kindsChinese string

// everyday holds the common words, folded, and the stems of English ones.
var everyday = sync.OnceValue(func() map[string]bool {
	set := listed(commonEnglish + commonChinese)
	for _, w := range slices.Collect(maps.Keys(set)) {
		if w[0] < utf8.RuneSelf {
			for _, t := range text.QueryTerms(w) {
				set[t] = true
			}
		}
	}
	return set
})

// kinds holds single characters, see Query.Singles.
var kinds = sync.OnceValue(func() map[string]bool { return listed(kindsChinese) })

// listed parses a list of words, folded.
func listed(list string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			set[text.Fold(w)] = true
		}
	}
	return set
}

// distinctive returns the forms of a keyword that, found in a memory, show a common
// subject: forms of a word that is not an everyday one, or of a number that is more
// than a count. A single character is distinctive only if it is the whole keyword (猫).
func distinctive(keyword string, forms []string) []string {
	folded := text.Fold(keyword)
	if everyday()[folded] || count(folded) {
		return nil
	}
	var out []string
	for _, f := range forms {
		if everyday()[f] || f != folded && utf8.RuneCountInString(f) < 2 || len(f) < 2 {
			continue
		}
		out = append(out, f)
	}
	return out
}

// count reports whether a word is a number below a thousand, or a time of day.
func count(word string) bool {
	digits := 0
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			return false
		}
	}
	return digits < 4 || strings.Contains(word, ":")
}
