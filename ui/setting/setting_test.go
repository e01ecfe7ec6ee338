package setting

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// I5: the help of a setting is the comment above it, which also holds for those
// behind it that have none, or else that of its table.
func TestParseHelp(t *testing.T) {
	h := ParseHelp("# The file.\n\n# About a\n# and more.\na = 1\nb = 2\n# About c.\nc = 3\n\nd = 4\n\n# left out = 1\n\n# About the table.\n[t.u] # note\nx = 1\n# About y.\n#\n# More.\ny = 2\n\n[empty]\nz = 1\n")
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "t.u.x", "t.u.y", "empty.z"}, h.Keys); diff != "" {
		t.Error(diff)
	}
	for key, want := range map[string]string{
		"a": "About a and more.", "b": "About a and more.", "c": "About c.", "d": "", "t.u.x": "About the table.",
		"t.u.y": "About y. More.", "empty.z": "", "nothing": "",
	} {
		if got := h.Of(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// I5: every setting of the example has its help.
func TestExampleExplainsAll(t *testing.T) {
	b, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		t.Fatal(err)
	}
	h := ParseHelp(string(b))
	for _, key := range h.Keys {
		if text := h.Of(key); len(text) < 15 || strings.Contains(text, "#") {
			t.Errorf("%s: %q", key, text)
		}
	}
	if len(h.Keys) < 60 {
		t.Errorf("%d settings", len(h.Keys))
	}
}

func FuzzParseHelp(f *testing.F) {
	f.Add("# a\nb = 1\n[c]\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := ParseHelp(text)
		for _, key := range h.Keys {
			_ = h.Of(key)
		}
	})
}

func TestFindAndMatch(t *testing.T) {
	all := []Info{
		{Key: "agent", Value: "luna"}, {Key: "model.retries", Help: "How often a request is repeated."},
		{Key: "embedding.retries", From: FromEnvironment}, {Key: "memory.weights.keyword"},
	}
	for word, want := range map[string]string{"agent": "agent", "keyword": "memory.weights.keyword", "Weights.Keyword": "memory.weights.keyword", "model.retries": "model.retries", "retries": "", "tries": "", "": ""} {
		i, err := Find(all, word)
		if i.Key != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", word, i.Key, err)
		}
	}
	for words, want := range map[string]int{"": 4, "retries": 2, "RETRIES often": 1, "environment": 1, "luna": 1, "nothing": 0} {
		if got := Match(all, words); len(got) != want {
			t.Errorf("%q matches %d", words, len(got))
		}
	}
}

func TestCut(t *testing.T) {
	for typed, want := range map[string][2]string{
		"a 1": {"a", "1"}, " a  =  1 2 ": {"a", "1 2"}, "a=1": {"a", "1"}, "a= 1": {"a", "1"}, "a =1": {"a", "1"}, "a": {"a", ""}, "": {"", ""}, "a \"\"": {"a", `""`}, "u http://x?a=b": {"u", "http://x?a=b"},
	} {
		word, value, ok := Cut(typed)
		if word != want[0] || value != want[1] || ok != (want[1] != "") {
			t.Errorf("%q is %q and %q, %v", typed, word, value, ok)
		}
	}
}

func TestWords(t *testing.T) {
	for want, c := range map[string]Change{
		"a.b is 7 now":                                  {Info: Info{Key: "a.b", Value: "7"}, Before: "5"},
		"a.b is 7 as before · X is set":                 {Info: Info{Key: "a.b", Value: "7"}, Before: "7", Notes: []string{"X is set"}},
		"a.b is 9 after restart":                        {Info: Info{Key: "a.b", Value: "7", Later: "9", AtStart: true}, Before: "7"},
		"a.b is 7 now · X is set · it counts no longer": {Info: Info{Key: "a.b", Value: "7"}, Before: "5", Notes: []string{"X is set", "it counts no longer"}},
	} {
		if got := c.Words(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	i := Info{Key: "memory.weights.keyword", Value: "1", Default: "2", From: FromFile, Where: "c.toml:3", AtStart: true}
	if i.Table() != "memory.weights" || i.Name() != "keyword" || i.Source() != "file, c.toml:3" || i.Effect() != "after restart" || !i.Changed() {
		t.Errorf("%q %q %q %q", i.Table(), i.Name(), i.Source(), i.Effect())
	}
}
