package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"memoria/memory/pattern"
	"memoria/memory/policy/lang"
)

// TestLanguageFiles reads the files of both languages and compiles all they hold.
func TestLanguageFiles(t *testing.T) {
	for _, l := range both() {
		if err := l.Check(); err != nil {
			t.Error(err)
		}
		for _, r := range l.rules {
			if r.says.Regexp() == nil {
				t.Errorf("rule %s does not compile", r.name)
			}
		}
		for _, f := range l.feelings {
			if f.says.Regexp() == nil {
				t.Errorf("feeling %s does not compile", f.name)
			}
		}
	}
}

// TestLanguageNames shows that the files have every name that the program uses, and that a name of both languages is
// meant to be one: it stands in files of one name.
func TestLanguageNames(t *testing.T) {
	in := map[string][]string{} // the files of each name; a table may be called like a form
	files, err := filepath.Glob("lang/data/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, b := range parsed(t, file) {
			name := b.Name
			if b.Kind == "table" {
				name = "table " + name
			}
			in[name] = append(in[name], filepath.Base(file))
		}
	}
	source, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := regexp.MustCompile(`\b(Form|FormEach|Words|Table)\("(\w+)"\)`)
	for _, file := range append(source, more...) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(content), -1) {
			name := m[2]
			if m[1] == "Table" {
				name = "table " + name
			}
			switch where := slices.Compact(slices.Clone(in[name])); {
			case len(where) == 0:
				t.Errorf("%s: %s is in no file", file, m[0])
			case len(where) > 1:
				t.Errorf("%s: %s is in %s", file, m[0], strings.Join(where, " and "))
			case m[1] == "FormEach" && len(in[name]) != 2:
				t.Errorf("%s: %s is in one language only", file, m[0])
			}
		}
	}
}

// parsed returns the lists, forms and tables of a file.
func parsed(t *testing.T, file string) []pattern.Block {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := pattern.Parse(file, string(content))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(blocks, func(b pattern.Block) bool {
		return !slices.Contains([]string{"words", "form", "table"}, b.Kind)
	})
}

// TestLanguageErrors shows that a mistake in a file is reported with its file and line.
func TestLanguageErrors(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"unknown slot", "rule x\n    says  i am <o>\n    keep  nothing\n", `en/x.txt:3: rule x: unknown slot "nothing"`},
		{"unknown kind", "rule x\n    says  i am <o>\n    object <o> thing\n", `en/x.txt:3: rule x: unknown kind "thing"`},
		{"says nothing", "slot s\nrule x\n    keep  s\n", `en/x.txt:2: rule x: says or keeps nothing`},
		{"change without arrow", "change x\n    my their\n", `en/x.txt:2: change x: want PATTERN -> TEXT, have "my their"`},
		{"unknown line of a feeling", "feeling sad\n    keeps a\n", `en/x.txt:2: feeling sad: unknown line "keeps"`},
		{"table without arrow", "table x\n    one 1\n", `en/x.txt:2: table x: want WORDS -> TEXT, have "one 1"`},
		{"no place", "slot s\nrule x\n    says a\n    keep s\n", `en/x.txt:2: the rules of x have no place in order.txt`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			order := "order rules\n    x\n"
			if tt.name == "no place" {
				order = "order rules\n"
			}
			files := fstest.MapFS{"en/x.txt": {Data: []byte(tt.file)}, "en/order.txt": {Data: []byte(order)}}
			v, err := lang.Read(files, "en")
			if err == nil {
				_, err = readRules(v)
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// TestLanguageEngine shows what the lines "otherwise", the changes and the pairs of keys do.
func TestLanguageEngine(t *testing.T) {
	file := `
change theirs
    ^my\b -> their
    <x: one>_two$ -> two <x>

form tool
    hammer

slot liking
    type preference

slot pair
    type preference

rule like
    says    i like <o+>
    split   <o> <o> over <y+>
    only    <y> said
    keep    pair
    key     pair/<pair>
    text    <o:theirs> before <y:theirs>
    otherwise
    only    <o> a list
    each    <o>
    keep    liking
    key     liking/<o>
    text    <verb> <o>
    otherwise
    only    <o> is {own:tool}; <o> has one
    keep    liking
    text    <o:theirs>
`
	v, err := lang.Read(fstest.MapFS{
		"en/x.txt": {Data: []byte(file)}, "en/order.txt": {Data: []byte("order rules\n    x\n")},
	}, "en")
	if err != nil {
		t.Fatal(err)
	}
	l, err := readRules(v)
	if err != nil {
		t.Fatal(err)
	}
	l.Also("own", func() *pattern.Book { return l.Book })
	tests := []struct {
		said string
		want []string // key and text of each conclusion
	}{
		{"i like tea over coffee", []string{"pair/coffee|tea", "tea before coffee"}},
		{"i like tea and coffee", []string{"liking/tea", "i like tea", "liking/coffee", "i like coffee"}},
		{"i like hammer", []string{"liking", "hammer"}},
		{"i like my one two", []string{"liking", "their two one"}},
		{"i like saws", nil},
	}
	for _, tt := range tests {
		v := lang.NewView(tt.said, lang.MaxRead)
		var got []string
		for _, d := range l.apply(clause{v: v, text: v.Text}) {
			got = append(got, d.key, d.content)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.said, diff)
		}
	}
}
