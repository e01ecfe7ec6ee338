package pattern

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNotation shows what a notation matches, and what it captures.
func TestNotation(t *testing.T) {
	english := book(t, "en.txt", "words tool\n    hammer, c++\n")
	b := book(t, "zh.txt", `
words animal
    cat, dog

form pet
    [small | big] {animal}
    parrot

form digits4
    {digit}{4}
`)
	b.Also("en", func() *Book { return english })
	tests := []struct {
		notation, text string
		want           []string // the captures; nil for no match
	}{
		{"moved [back] to <o+>", "moved to rome", []string{"rome"}},
		{"moved [back] to <o+>", "moved back to rome", []string{"rome"}},
		{"moved [back] to <o+>", "moved  to rome", nil},
		{"( cat | dog )s", "dogs", []string{}},
		{"a <o: {pet}>", "a small dog", []string{"small dog"}},
		{"a <o: {pet}>", "a parrot", []string{"parrot"}},
		{"a <o: {pet}>", "a smalldog", nil},
		{"<o>[, not <w+>]", "tea, not milk", []string{"tea", "milk"}},
		{"[very_]*big", "very very big", []string{}},
		{"<o: {digits4}>年[底]", "2025年底", []string{"2025"}},
		{"(我 | 俺)爱<o+>|<o+>是我的爱", "茶是我的爱", []string{"", "茶"}},
		{"{en:tool}", "c++", []string{}},
		{"1...9", "1.8+9", []string{}},
		{"1.5", "1x5", nil},
		{`\[_a]`, "[ a]", nil},
		{`\[_a\]`, "[ a]", []string{}},
		{"<o: {inside}+>,b", "a,b", []string{"a"}},
	}
	for _, tt := range tests {
		expression, err := b.Expression(tt.notation)
		if err != nil {
			if tt.want != nil {
				t.Errorf("%s: %v", tt.notation, err)
			}
			continue
		}
		m := Regexp("^(?:" + expression + ")$").Regexp().FindStringSubmatch(tt.text)
		var got []string
		if m != nil {
			got = m[1:]
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s in %q (-want +got):\n%s", tt.notation, tt.text, diff)
		}
	}
}

// TestNotationErrors shows that a mistake in a form is found, with its place.
func TestNotationErrors(t *testing.T) {
	tests := []struct{ file, want string }{
		{"form x\n    (a | b\n", `f.txt:1: form x: missing ')' in "(a | b"`},
		{"form x\n    a {y}\n", `f.txt:1: form x: unknown name {y} in "a {y}"`},
		{"form x\n    <o>)\n", `f.txt:1: form x: unexpected ')' at 3 in "<o>)"`},
	}
	for _, tt := range tests {
		if err := book(t, "f.txt", tt.file).Check(); err == nil || err.Error() != tt.want {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
}

func book(t *testing.T, name, file string) *Book {
	t.Helper()
	blocks, err := Parse(name, file)
	if err != nil {
		t.Fatal(err)
	}
	b := NewBook()
	if _, err := b.Add(blocks); err != nil {
		t.Fatal(err)
	}
	return b
}
