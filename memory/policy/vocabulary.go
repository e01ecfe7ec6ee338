package policy

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

// vocabulary is the content of the files of one language. It is read once and then safe for concurrent use.
type vocabulary struct {
	*pattern.Book
	changes map[string]change
	tables  map[string]map[string]string
	blocks  []pattern.Block // of other kinds, in the order of the files
}

var (
	// englishWords returns the English vocabulary.
	englishWords = sync.OnceValue(func() *vocabulary { return mustRead("en") })
	// chineseWords returns the Chinese vocabulary. It can use the English forms as {en:NAME}.
	chineseWords = sync.OnceValue(func() *vocabulary {
		v := mustRead("zh")
		v.Also("en", func() *pattern.Book { return englishWords().Book })
		return v
	})
)

// bothWords returns the vocabularies, English first.
func bothWords() []*vocabulary { return []*vocabulary{englishWords(), chineseWords()} }

// mustRead reads the embedded files of a language. It panics on an error, which a test excludes.
func mustRead(name string) *vocabulary {
	v, err := readFolder(data, "data/"+name)
	if err != nil {
		panic("lang: " + err.Error())
	}
	return v
}

// readFolder reads every file of a folder.
func readFolder(files fs.FS, folder string) (*vocabulary, error) {
	v := &vocabulary{Book: pattern.NewBook(), changes: map[string]change{}, tables: map[string]map[string]string{}}
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
		if blocks, err = v.Add(blocks); err != nil {
			return nil, err
		}
		for _, b := range blocks {
			if err := v.add(b); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func (v *vocabulary) add(b pattern.Block) error {
	switch b.Kind {
	case "change":
		lines, err := arrows(b, "PATTERN")
		for _, l := range lines {
			by := strings.NewReplacer("$", "$$", "<", "${", ">", "}").Replace(l[1])
			v.changes[b.Name] = append(v.changes[b.Name], replacement{v.Pattern(l[0]), by})
		}
		return err
	case "table":
		t := map[string]string{}
		lines, err := arrows(b, "WORDS")
		for _, l := range lines {
			for _, w := range commas(l[0]) {
				t[w] = l[1]
			}
		}
		v.tables[b.Name] = t
		return err
	}
	v.blocks = append(v.blocks, b)
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

// commas returns the members of a list with commas between them.
func commas(list string) (out []string) {
	for _, w := range strings.Split(list, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// change rewrites the words of a text, one replacement after the other.
type change []replacement

type replacement struct {
	old pattern.Pattern
	by  string // in the syntax of package regexp
}

// of returns the changed text.
func (c change) of(text string) string {
	for _, r := range c {
		text = r.old.Replace(text, r.by)
	}
	return text
}

// form returns the pattern of a form of either language, or of both if both have it.
func form(name string) pattern.Pattern {
	return pattern.Lazy(func() string {
		var all []string
		for _, v := range bothWords() {
			if v.Has(name) {
				all = append(all, v.expressionOf(name))
			}
		}
		if len(all) == 0 {
			panic("lang: no form is called " + name)
		}
		return strings.Join(all, "|")
	})
}

// formEach returns the patterns of a form of both languages, English first, for decisions within one
// language.
func formEach(name string) []pattern.Pattern {
	in := func(v func() *vocabulary) pattern.Pattern {
		return pattern.Lazy(func() string { return v().expressionOf(name) })
	}
	return []pattern.Pattern{in(englishWords), in(chineseWords)}
}

func (v *vocabulary) expressionOf(name string) string {
	e, err := v.Expression("{" + name + "}")
	if err != nil {
		panic("lang: " + err.Error())
	}
	return e
}

// words returns a list of either language as a set, or the union of both.
func words(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := englishWords().Set(name)
		maps.Copy(set, chineseWords().Set(name))
		if len(set) == 0 {
			panic("lang: no list is called " + name)
		}
		return set
	})
}

// table returns a table of either language, or those of both merged.
func table(name string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		t := map[string]string{}
		maps.Copy(t, englishWords().tables[name])
		maps.Copy(t, chineseWords().tables[name])
		if len(t) == 0 {
			panic("lang: no table is called " + name)
		}
		return t
	})
}
