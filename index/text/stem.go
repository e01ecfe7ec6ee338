package text

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// irregularForms holds one word a line: the base form, then its irregular forms and
// other spellings.
//
//go:embed data/irregular_en.txt
var irregularForms string

var irregular = sync.OnceValue(func() map[string]string {
	base := make(map[string]string, 512)
	for line := range strings.Lines(irregularForms) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		for i := 1; i < len(words); i++ {
			base[words[i]] = words[0]
		}
	}
	return base
})

// stem returns the stem of an English word: irregular forms by a list, regular ones by
// the Porter2 (Snowball English) rules. Words with digits or of two letters are
// unchanged. Words of other languages in Latin letters are stemmed too, in texts and
// queries alike.
func stem(word string) string {
	if base, ok := irregular()[word]; ok {
		word = base
	}
	if len(word) < 3 || strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
