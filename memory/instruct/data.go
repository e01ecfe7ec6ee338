package instruct

import (
	"embed"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"memoria/memory/pattern"
)

//go:embed data/en.txt data/zh.txt data/contrasts.txt data/manners.txt data/replies.txt data/spelling.txt data/subjects.txt data/values.txt
//go:embed data/asides.txt data/kinds.txt data/implied.txt data/spared.txt data/decides.txt data/debts.txt
var files embed.FS

// The model of [Guess], and its words.
var (
	//go:embed data/model.txt
	modelText string
	//go:embed data/groups.txt
	groupsText string
)

// read returns the content of a file of data/.
func read(name string) string {
	b, err := files.ReadFile("data/" + name)
	if err != nil {
		panic("instruct: " + err.Error()) // it is embedded
	}
	return string(b)
}

// blocks parses a file with blocks into a book of its lists and forms; rest are its other
// blocks.
func blocks(name string) (book *pattern.Book, rest []pattern.Block) {
	all, err := pattern.Parse(name, read(name))
	if err == nil {
		book = pattern.NewBook()
		rest, err = book.Add(all)
	}
	if err != nil {
		panic("instruct: " + err.Error())
	}
	return book, rest
}

// entries yields the words on the left of each line "WORD | WORD sep TEXT" of a file, with the text.
func entries(name, sep string) iter.Seq2[string, string] {
	return func(yield func(word, text string) bool) {
		for _, line := range pattern.Lines(read(name)) {
			words, text, ok := strings.Cut(line, sep)
			for word := range strings.SplitSeq(words, "|") {
				if ok && !yield(strings.TrimSpace(word), strings.TrimSpace(text)) {
					return
				}
			}
		}
	}
}

// respelled maps words to the spelling used for comparison.
var respelled = sync.OnceValue(func() map[string]string { return maps.Collect(entries("spelling.txt", "=")) })

// values are the lists and forms of values.txt.
var values = sync.OnceValue(func() *pattern.Book {
	book, _ := blocks("values.txt")
	return book
})

// phrases returns a list of values.txt, as [newPlain] spells its words.
func phrases(name string) func() []string {
	return sync.OnceValue(func() (out []string) {
		for _, w := range values().Words(name) {
			if !han(w) {
				w += " "
			}
			out = append(out, w)
		}
		return out
	})
}

// begunBy returns the first of some phrases that a text begins with.
func begunBy(s string, phrases []string) (phrase string, ok bool) {
	i := slices.IndexFunc(phrases, func(w string) bool { return strings.HasPrefix(s, w) })
	if i < 0 {
		return "", false
	}
	return phrases[i], true
}
