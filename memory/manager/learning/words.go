package learning

import (
	"embed"
	"strings"
	"sync"

	"memoria/memory/pattern"
)

//go:embed data
var files embed.FS

// books returns the forms of data, by language.
var books = sync.OnceValue(func() (out []*pattern.Book) {
	for _, name := range []string{"data/en.txt", "data/zh.txt"} {
		content, err := files.ReadFile(name)
		if err != nil {
			panic("learning: " + err.Error()) // it is embedded
		}
		blocks, err := pattern.Parse(name, string(content))
		book := pattern.NewBook()
		if err == nil {
			_, err = book.Add(blocks)
		}
		if err != nil {
			panic("learning: " + err.Error())
		}
		out = append(out, book)
	}
	return out
})

// either returns the expression of a form, in whichever language.
func either(form string) string { return "(?:" + strings.Join(inEach(form), "|") + ")" }

// inEach returns the expression of a form in each language that has it.
func inEach(form string) (out []string) {
	for _, book := range books() {
		if !book.Has(form) {
			continue
		}
		e, err := book.Expression("{" + form + "}")
		if err != nil {
			panic("learning: " + err.Error())
		}
		out = append(out, e)
	}
	return out
}

// patternOf returns the pattern of a form in either language, between other expressions.
func patternOf(before, form, after string) pattern.Pattern {
	return pattern.Lazy(func() string { return before + either(form) + after })
}
