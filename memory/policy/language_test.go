package policy

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"memoria/memory/pattern"
)

// TestLanguageFiles reads the files of both languages and compiles all they hold.
func TestLanguageFiles(t *testing.T) {
	for _, l := range []*language{english(), chinese()} {
		if err := l.Check(); err != nil {
			t.Error(err)
		}
		for _, r := range l.rules {
			if r.says.Regexp() == nil {
				t.Errorf("%s: rule %s does not compile", r.where, r.name)
			}
		}
	}
}

// TestLanguageErrors shows that a mistake in a file is reported with its file and line.
func TestLanguageErrors(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"unknown slot", "rule x\n    says  i am <o>\n    keep  nothing\n", `en/x.txt:3: rule x: unknown slot "nothing"`},
		{"unknown kind", "rule x\n    says  i am <o>\n    object <o> thing\n", `en/x.txt:3: rule x: unknown kind "thing"`},
		{"says nothing", "slot s\nrule x\n    keep  s\n", `en/x.txt:2: rule x: says or keeps nothing`},
		{"change without arrow", "change x\n    my their\n", `en/x.txt:2: change x: want PATTERN -> TEXT, have "my their"`},
		{"no place", "slot s\nrule x\n    says a\n    keep s\n", `en: the rules of x have no place in order.txt`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			order := "order rules\n    x\n"
			if tt.name == "no place" {
				order = "order rules\n"
			}
			files := fstest.MapFS{"en/x.txt": {Data: []byte(tt.file)}, "en/order.txt": {Data: []byte(order)}}
			if _, err := readLanguage(files, "en"); err == nil || err.Error() != tt.want {
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
	l, err := readLanguage(fstest.MapFS{
		"en/x.txt": {Data: []byte(file)}, "en/order.txt": {Data: []byte("order rules\n    x\n")},
	}, "en")
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
		v := newView(tt.said, maxRead)
		var got []string
		for _, d := range l.apply(clause{v: v, text: v.text}) {
			got = append(got, d.key, d.content)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.said, diff)
		}
	}
}
