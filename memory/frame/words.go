package frame

import (
	"embed"
	"io/fs"
	"sync"

	"memoria/memory/pattern"
	"memoria/memory/phrase"
)

//go:embed data
var files embed.FS

// subject is what a list of openings is about.
type subject struct {
	what string
	list phrase.List
}

// words are the lists of all languages.
type words struct {
	opening, wish, notPlay, notTask phrase.List
	endEN, endZH, notZH             phrase.List
	coming, more, leaving, refining phrase.List
	claims                          phrase.List
	acting, material, textNoun      phrase.List
	shapeNot, pointing              phrase.List
	play, tasks                     []subject
	identity                        []string
}

var vocabulary = sync.OnceValue(func() words {
	data, err := fs.Sub(files, "data")
	if err != nil {
		panic(err)
	}
	read := func(names ...string) phrase.List { return phrase.Must(phrase.Load(data, names...)) }
	both := func(name string) phrase.List { return read(name+".en.txt", name+".zh.txt") }
	about := func(prefix string, names ...string) (out []subject) {
		for _, name := range names {
			out = append(out, subject{name, both(prefix + name)})
		}
		return out
	}
	keys, err := fs.ReadFile(data, "identity.txt")
	if err != nil {
		panic(err)
	}
	return words{
		opening: both("opening"), wish: both("wish"), notPlay: both("play-not"), notTask: both("task-not"),
		endEN: read("play-end.en.txt"), endZH: read("play-end.zh.txt"), notZH: read("not.zh.txt"),
		coming: both("coming"), more: both("more"), leaving: both("leaving"), refining: both("refine"),
		claims:   both("claims"),
		acting:   both("acting"),
		material: both("material"),
		textNoun: both("textnoun"),
		shapeNot: both("shape-not"),
		pointing: both("pointing"),
		play:     about("play-", "role", "game", "story"),
		tasks:    about("task-", "translate", "summarise", "reply", "edit", "review", "write"),
		identity: pattern.Lines(string(keys)),
	}
})
