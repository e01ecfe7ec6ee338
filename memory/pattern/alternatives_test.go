package pattern

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestAlternatives(t *testing.T) {
	for expression, want := range map[string][]string{
		"":                               {""},
		"a":                              {"a"},
		"a|b|":                           {"a", "b", ""},
		"(?:a|(?:b|c))|d":                {"a", "b", "c", "d"},
		"(?:a|b)(?:c|d)":                 {"(?:a|b)(?:c|d)"},
		"(?:a|b)?|x":                     {"(?:a|b)?", "x"},
		"(a|b)|c":                        {"(a|b)", "c"},
		`[|\]|]|[]|]|[^]|]|[[:alpha:]|]`: {`[|\]|]`, `[]|]`, `[^]|]`, `[[:alpha:]|]`},
		`a\|b|\(|c`:                      {`a\|b`, `\(`, "c"},
		`a|\Qb|c`:                        {`a|\Qb|c`},
		"a|(?i)a|b":                      {"a|(?i)a|b"},
		"(?i)a|b":                        {"(?i)a|b"},
		"(?i:a|b)|c":                     {"(?i:a|b)|c"},
	} {
		if got := alternatives(expression); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", expression, got, want)
		}
	}
}

// Whatever the expression, a pattern matches what package regexp matches.
func FuzzMatch(f *testing.F) {
	f.Add("^tea|茶|(?:no|never) milk|[a|b]c", "never milk")
	f.Add("(?:^我|^I)x|y", "Ix")
	f.Add("^(?:喝|drinks?)$", "drink")
	f.Add("[[:alpha:]|x]|[[:x|y", "x")
	f.Add("(?i)tea|COFFEE", "Coffee")
	f.Add(`(?:^|\b)teas?$`, "teas")
	f.Add(`^(?:喝|tea)(?:$|\b)`, "tea")
	f.Add(`^(?:a|b)*$|(?:^|,)c{0,3}$`, "abcc")
	f.Fuzz(func(t *testing.T, expression, s string) {
		re, err := regexp.Compile(expression)
		if err != nil || len(expression) > 200 {
			t.Skip()
		}
		p := Regexp(expression)
		far := strings.Repeat(" 远", 100) // of a long text one end may tell
		for _, s := range []string{s, far + s, s + far, strings.Repeat(s, min(100, 10_000/(len(s)+1)))} {
			if got, want := p.Match(s), re.MatchString(s); got != want {
				t.Errorf("%q in %q: %v, want %v", expression, s, got, want)
			}
			if got, want := p.Find(s), re.FindStringIndex(s); !slices.Equal(got, want) {
				t.Errorf("%q in %q: found %v, want %v", expression, s, got, want)
			}
		}
		if lower := strings.ToLower(s); lower == s && re.MatchString(s) && !p.PossibleLower(lower) {
			t.Errorf("%q in %q is said to be impossible", expression, s)
		}
	})
}
