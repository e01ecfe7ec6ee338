package policy

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"memoria/memory/pattern"
)

// data holds the vocabulary and the rules, a folder for each language and a file for each subject; data/README.md
// describes them.
//
//go:embed data/en data/zh data/lists
var data embed.FS

// language holds the content of the files of one language. It is read once and then safe for
// concurrent use.
type language struct {
	*pattern.Book
	rules []fileRule // in the order of order.txt, and in each file from top to bottom
	slots map[string]*slotInfo
	kinds map[string]*kind

	changes   map[string]change
	tables    map[string]map[string]string
	opposites opposites

	feelings []feeling // in file order
	topics   []topic   // likewise
}

var (
	english = sync.OnceValue(func() *language { return read("en") })
	// chinese can use the English forms as {en:NAME}.
	chinese = sync.OnceValue(func() *language {
		l := read("zh")
		l.Also("en", func() *pattern.Book { return english().Book })
		return l
	})

	// read is mustRead. init sets it, because the files name parts of the program that use forms of the
	// files.
	read func(name string) *language
)

func init() { read = mustRead }

// mustRead reads the embedded files of a language. It panics on an error, which a test excludes.
func mustRead(name string) *language {
	l, err := readLanguage(data, "data/"+name)
	if err != nil {
		panic("policy: " + err.Error())
	}
	return l
}

// readLanguage reads every file of a folder.
func readLanguage(files fs.FS, folder string) (*language, error) {
	l := &language{
		Book: pattern.NewBook(), slots: map[string]*slotInfo{}, kinds: map[string]*kind{},
		changes: map[string]change{}, tables: map[string]map[string]string{}, opposites: opposites{},
	}
	names, err := fs.Glob(files, folder+"/*.txt")
	if err != nil {
		return nil, err
	}
	rules := map[string][]pattern.Block{} // by subject
	var order []string
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
		subject := strings.TrimSuffix(path.Base(name), ".txt")
		for _, b := range blocks {
			switch b.Kind {
			case "slot":
				err = l.addSlot(b)
			case "kind":
				err = l.addKind(b)
			case "opposites":
				l.readOpposites(b)
			case "change":
				err = l.addChange(b)
			case "table":
				err = l.addTable(b)
			case "feeling":
				err = l.addFeeling(b)
			case "topic":
				err = l.addTopic(b)
			case "rule":
				rules[subject] = append(rules[subject], b)
			case "order":
				for _, line := range b.Lines {
					order = append(order, line.Text)
				}
			default:
				err = fmt.Errorf("%s: unknown kind of block %q", b.Where, b.Kind)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	for _, subject := range order {
		for _, b := range rules[subject] {
			rs, err := l.readRule(b)
			if err != nil {
				return nil, err
			}
			l.rules = append(l.rules, rs...)
		}
		delete(rules, subject)
	}
	for subject := range rules {
		return nil, fmt.Errorf("%s: the rules of %s have no place in order.txt", folder, subject)
	}
	return l, nil
}

// apply returns the result of the first matching rule, with the endings of rules without content.
func (l *language) apply(c clause) []draft {
	var idx []int
	var ended []draft
	last := ""
	for i := range l.rules {
		r := &l.rules[i]
		if r.form != last { // rules with the same form are adjacent
			idx, last = r.says.Groups(c.text), r.form
		}
		if idx == nil {
			continue
		}
		ds := r.apply(l, &c, idx)
		switch {
		case slices.ContainsFunc(ds, draft.adds):
			ended = append(ended, ds...)
		case ds != nil:
			return joined(ds, ended)
		}
	}
	return joined(nil, ended)
}

// both returns the languages, English first.
func both() []*language { return []*language{english(), chinese()} }

// form returns the pattern of a form of either language, or of both if both have it.
func form(name string) pattern.Pattern {
	return pattern.Lazy(func() string {
		var all []string
		for _, l := range both() {
			if l.Has(name) {
				all = append(all, l.expressionOf("{"+name+"}"))
			}
		}
		if len(all) == 0 {
			panic("policy: no form is called " + name)
		}
		return strings.Join(all, "|")
	})
}

// formEach returns the patterns of a form of both languages, English first, for decisions within one
// language.
func formEach(name string) []pattern.Pattern {
	in := func(l func() *language) pattern.Pattern {
		return pattern.Lazy(func() string { return l().expressionOf("{" + name + "}") })
	}
	return []pattern.Pattern{in(english), in(chinese)}
}

// words returns a list of either language as a set, or the union of both.
func words(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := english().Set(name)
		for w := range chinese().Set(name) {
			set[w] = true
		}
		if len(set) == 0 {
			panic("policy: no list is called " + name)
		}
		return set
	})
}
