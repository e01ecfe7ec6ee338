package quoted

import (
	"embed"
	"io/fs"
	"sync"

	"memoria/memory/pattern"
	"memoria/memory/phrase"
)

//go:embed data
var files embed.FS

// words are the lists of all languages.
type words struct {
	points, brings, own, aside                               phrase.List
	headers, strong, forwarded, greetings, farewells, fields phrase.List
	says, keeps, orders, first                               phrase.List
	formatting                                               map[string]bool
}

var vocabulary = sync.OnceValue(func() words {
	data, err := fs.Sub(files, "data")
	if err != nil {
		panic(err)
	}
	both := func(name string) phrase.List { return phrase.Must(phrase.Load(data, name+".en.txt", name+".zh.txt")) }
	tags, err := fs.ReadFile(data, "formatting.txt")
	if err != nil {
		panic(err)
	}
	w := words{
		points: both("points"), brings: both("brings"), own: both("own"), aside: both("aside"),
		headers: both("headers"), strong: both("strong"), forwarded: both("forwarded"),
		greetings: both("greetings"), farewells: both("farewells"), fields: both("fields"),
		says: both("says"), keeps: both("keeps"), orders: both("orders"), first: both("first"),
		formatting: map[string]bool{},
	}
	for _, tag := range pattern.Lines(string(tags)) {
		w.formatting[tag] = true
	}
	return w
})
