package frame

import (
	"embed"
	"sync"

	"memoria/memory/pattern"
	"memoria/memory/phrase"
)

//go:embed data
var files embed.FS

// subject is what a list of openings is about.
type subject struct {
	what string
	list func() phrase.List
}

// The lists of data, of both languages or one.
var (
	opening  = both("opening")
	wish     = both("wish")
	notPlay  = both("play-not")
	notTask  = both("task-not")
	coming   = both("coming")
	more     = both("more")
	leaving  = both("leaving")
	refining = both("refine")
	claims   = both("claims")
	acting   = both("acting")
	material = both("material")
	textNoun = both("textnoun")
	shapeNot = both("shape-not")
	pointing = both("pointing")
	inviting = both("inviting")
	own      = both("own")
	vague    = both("vague")
	address  = both("address")
	endEN    = list("play-end.en.txt")
	endZH    = list("play-end.zh.txt")
	notZH    = list("not.zh.txt")

	play  = about("play-", "role", "game", "story")
	tasks = about("task-", "translate", "summarise", "reply", "edit", "review", "write")

	identity = sync.OnceValue(func() []string {
		keys, err := files.ReadFile("data/identity.txt")
		if err != nil {
			panic(err)
		}
		return pattern.Lines(string(keys))
	})
)

// list returns the list of some files, read at first use.
func list(names ...string) func() phrase.List {
	for i := range names {
		names[i] = "data/" + names[i]
	}
	return sync.OnceValue(func() phrase.List { return phrase.Must(phrase.Load(files, names...)) })
}

func both(name string) func() phrase.List { return list(name+".en.txt", name+".zh.txt") }

func about(prefix string, names ...string) (out []subject) {
	for _, name := range names {
		out = append(out, subject{name, both(prefix + name)})
	}
	return out
}
