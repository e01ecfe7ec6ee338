package quoted

import (
	"embed"
	"sync"

	"memoria/memory/pattern"
	"memoria/memory/phrase"
)

//go:embed data
var files embed.FS

// The lists of data, of both languages.
var (
	points    = both("points")
	brings    = both("brings")
	own       = both("own")
	aside     = both("aside")
	headers   = both("headers")
	strong    = both("strong")
	forwarded = both("forwarded")
	greetings = both("greetings")
	farewells = both("farewells")
	fields    = both("fields")
	says      = both("says")
	keeps     = both("keeps")
	orders    = both("orders")
	first     = both("first")

	formatting = sync.OnceValue(func() map[string]bool {
		tags, err := files.ReadFile("data/formatting.txt")
		if err != nil {
			panic(err)
		}
		out := map[string]bool{}
		for _, tag := range pattern.Lines(string(tags)) {
			out[tag] = true
		}
		return out
	})
)

// both returns the list of a name in both languages, read at first use.
func both(name string) func() phrase.List {
	return sync.OnceValue(func() phrase.List {
		return phrase.Must(phrase.Load(files, "data/"+name+".en.txt", "data/"+name+".zh.txt"))
	})
}
