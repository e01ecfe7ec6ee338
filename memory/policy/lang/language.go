package lang

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"sync"

	"memoria/memory/pattern"
)

// data holds the vocabulary and the rules, a folder for each language and a file for each subject; data/README.md
// describes them.
//
//go:embed data/en data/zh data/lists
var data embed.FS

// Language is the vocabulary of one language. It is read once and then safe for concurrent use.
type Language struct {
	*pattern.Book
	Changes map[string]Change
	Tables  map[string]map[string]string
	Blocks  []pattern.Block // of other kinds, in the order of the files
}

var (
	// English returns the content of the English files.
	English = sync.OnceValue(func() *Language { return mustRead("en") })
	// Chinese returns the content of the Chinese files. They can use the English forms as {en:NAME}.
	Chinese = sync.OnceValue(func() *Language {
		l := mustRead("zh")
		l.Also("en", func() *pattern.Book { return English().Book })
		return l
	})
)

// Both returns the languages, English first.
func Both() []*Language { return []*Language{English(), Chinese()} }

// mustRead reads the embedded files of a language. It panics on an error, which a test excludes.
func mustRead(name string) *Language {
	l, err := Read(data, "data/"+name)
	if err != nil {
		panic("lang: " + err.Error())
	}
	return l
}

// Read reads every file of a folder.
func Read(files fs.FS, folder string) (*Language, error) {
	l := &Language{Book: pattern.NewBook(), Changes: map[string]Change{}, Tables: map[string]map[string]string{}}
	names, err := fs.Glob(files, folder+"/*.txt")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		blocks, err := pattern.Parse(name, string(content))
		if err != nil {
			return nil, err
		}
		if blocks, err = l.Add(blocks); err != nil {
			return nil, err
		}
		for _, b := range blocks {
			if err := l.add(b); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

func (l *Language) add(b pattern.Block) error {
	switch b.Kind {
	case "change":
		lines, err := arrows(b, "PATTERN")
		for _, line := range lines {
			by := strings.NewReplacer("$", "$$", "<", "${", ">", "}").Replace(line[1])
			l.Changes[b.Name] = append(l.Changes[b.Name], replacement{l.Pattern(line[0]), by})
		}
		return err
	case "table":
		t := map[string]string{}
		lines, err := arrows(b, "WORDS")
		for _, line := range lines {
			for _, w := range Commas(line[0]) {
				t[w] = line[1]
			}
		}
		l.Tables[b.Name] = t
		return err
	}
	l.Blocks = append(l.Blocks, b)
	return nil
}

// arrows returns the two sides of each line "LEFT -> TEXT" of a block.
func arrows(b pattern.Block, left string) (out [][2]string, err error) {
	for _, line := range b.Lines {
		from, to, ok := strings.Cut(line.Text, "->")
		if !ok {
			return nil, fmt.Errorf("%s: %s %s: want %s -> TEXT, have %q", line.Where, b.Kind, b.Name, left, line.Text)
		}
		out = append(out, [2]string{strings.TrimSpace(from), strings.TrimSpace(to)})
	}
	return out, nil
}

// Commas returns the members of a list with commas between them.
func Commas(list string) (out []string) {
	for _, w := range strings.Split(list, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// Change rewrites the words of a text, one replacement after the other.
type Change []replacement

type replacement struct {
	old pattern.Pattern
	by  string // in the syntax of package regexp
}

// Of returns the changed text.
func (c Change) Of(text string) string {
	for _, r := range c {
		text = r.old.Replace(text, r.by)
	}
	return text
}

// Form returns the pattern of a form of either language, or of both if both have it.
func Form(name string) pattern.Pattern {
	return pattern.Lazy(func() string {
		var all []string
		for _, l := range Both() {
			if l.Has(name) {
				all = append(all, l.expressionOf(name))
			}
		}
		if len(all) == 0 {
			panic("lang: no form is called " + name)
		}
		return strings.Join(all, "|")
	})
}

// FormEach returns the patterns of a form of both languages, English first, for decisions within one
// language.
func FormEach(name string) []pattern.Pattern {
	in := func(l func() *Language) pattern.Pattern {
		return pattern.Lazy(func() string { return l().expressionOf(name) })
	}
	return []pattern.Pattern{in(English), in(Chinese)}
}

func (l *Language) expressionOf(name string) string {
	e, err := l.Expression("{" + name + "}")
	if err != nil {
		panic("lang: " + err.Error())
	}
	return e
}

// Words returns a list of either language as a set, or the union of both.
func Words(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := English().Set(name)
		maps.Copy(set, Chinese().Set(name))
		if len(set) == 0 {
			panic("lang: no list is called " + name)
		}
		return set
	})
}

// Table returns a table of either language, or those of both merged.
func Table(name string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		t := map[string]string{}
		maps.Copy(t, English().Tables[name])
		maps.Copy(t, Chinese().Tables[name])
		if len(t) == 0 {
			panic("lang: no table is called " + name)
		}
		return t
	})
}
