package instruct

import (
	"embed"
	"strings"
	"sync"

	"memoria/memory/pattern"
)

//go:embed data/en.txt data/zh.txt data/groups.txt data/manners.txt data/replies.txt data/spelling.txt data/subjects.txt
var files embed.FS

// modelText is the model of [Guess].
//
//go:embed data/model.txt
var modelText string

// read returns the content of a file of data/.
func read(name string) string {
	b, err := files.ReadFile("data/" + name)
	if err != nil {
		panic("instruct: " + err.Error()) // it is embedded
	}
	return string(b)
}

// lines returns the lines of a file without comments.
func lines(name string) []string { return pattern.Lines(read(name)) }

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

// respelled maps words to the spelling used for comparison.
var respelled = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, line := range lines("spelling.txt") {
		if from, to, ok := strings.Cut(line, "="); ok {
			for word := range strings.SplitSeq(from, "|") {
				out[strings.TrimSpace(word)] = strings.TrimSpace(to)
			}
		}
	}
	return out
})
