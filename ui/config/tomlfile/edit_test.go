package tomlfile

import (
	"errors"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func path(s string) []string { return strings.Split(s, ".") }

// I5: a setting is given, given another value or taken out, and all else stays.
func TestEdit(t *testing.T) {
	for _, c := range []struct{ name, text, key, value, want string }{
		{"empty", "", "chat.limit", "3", "[chat]\nlimit = 3\n"},
		{"empty, no table", "", "agent", `"a"`, "agent = \"a\"\n"},
		{"other value", "[a]\n# why\nk = 1 # because\n\nx = 2\n", "a.k", "5", "[a]\n# why\nk = 5 # because\n\nx = 2\n"},
		{"spacing stays", "[ a ]\n\tk  =\t1\t# x\n", "a.k", "5", "[ a ]\n\tk  =\t5\t# x\n"},
		{"quoted names", "['a']\n\"k\" = 1\n", "a.k", "5", "['a']\n\"k\" = 5\n"},
		{"escaped name", "[a]\n\"\\u006b\" = 1\n", "a.k", "5", "[a]\n\"\\u006b\" = 5\n"},
		{"dotted", "a.b.k = 1\n", "a.b.k", "5", "a.b.k = 5\n"},
		{"inline", "a = { x = 1, k = 2 } # c\n", "a.k", "5", "a = { x = 1, k = 5 } # c\n"},
		{"crlf", "[a]\r\nk = 1\r\n", "a.x", "5", "[a]\r\nk = 1\r\nx = 5\r\n"},
		{"no last newline", "[a]\nk = 1", "a.x", "5", "[a]\nk = 1\nx = 5\n"},
		{"no last newline, replaced", "[a]\nk = 1", "a.k", "5", "[a]\nk = 5"},
		{"only a header", "[a]", "a.k", "5", "[a]\nk = 5\n"},
		{"list of lines", "[a]\nk = [\n  1, # one\n  2,\n  # two\n] # end\nx = 1\n", "a.k", "[3]", "[a]\n# one\n# two\nk = [3] # end\nx = 1\n"},
		{"a mark in text", "[a]\nk = \"# no ] comment\"\nx = ']'\n", "a.k", "5", "[a]\nk = 5\nx = ']'\n"},
		{"long text", "[a]\nk = \"\"\"\n[b]\nk = 1\n\\\"\"\"\"\"\n[b]\nk = 2\n", "b.k", "5", "[a]\nk = \"\"\"\n[b]\nk = 1\n\\\"\"\"\"\"\n[b]\nk = 5\n"},
		{"behind its neighbours", "[a]\nk = 1\n# about k\n\n# about b\n[b]\ny = 2\n", "a.x", "5", "[a]\nk = 1\nx = 5\n# about k\n\n# about b\n[b]\ny = 2\n"},
		{"new table", "k = 1\n", "a.b.x", "5", "k = 1\n\n[a.b]\nx = 5\n"},
		{"table above one that is", "[a.b]\nk = 1\n", "a.x", "5", "[a.b]\nk = 1\n\n[a]\nx = 5\n"},
		{"table below dotted", "a.k = 1\n", "a.b.x", "5", "a.k = 1\n\n[a.b]\nx = 5\n"},
		{"beside dotted", "[a]\nw.x = 1\nk = 2\n", "a.w.y", "5", "[a]\nw.x = 1\nw.y = 5\nk = 2\n"},
		{"into an inline table", "a = {x = 1}\n", "a.y", "5", "a = {x = 1, y = 5}\n"},
		{"into an empty inline table", "a = {}\n", "a.y", "5", "a = { y = 5 }\n"},
		{"deep into an inline table", "a = {w = {x = 1}}\n", "a.w.y", "5", "a = {w = {x = 1, y = 5}}\n"},
		{"below an inline table", "a = {x = 1}\n", "a.w.y", "5", "a = {x = 1, w.y = 5}\n"},
		{"before all tables", "# the file\n\n# about a\n[a]\nk = 1\n", "agent", `"x"`, "# the file\n\nagent = \"x\"\n\n# about a\n[a]\nk = 1\n"},
		{"beside its like", "agent = 1\n[a]\nk = 1\n", "other", "2", "agent = 1\nother = 2\n[a]\nk = 1\n"},
		{"indented", "[a]\n  k = 1\n", "a.x", "5", "[a]\n  k = 1\n  x = 5\n"},
		{"tables in a list", "[[a]]\nk = 1\n[b]\nk = 2\n", "b.k", "5", "[[a]]\nk = 1\n[b]\nk = 5\n"},
		{"byte order mark", "\ufeffagent = 1\n", "x", "5", "\ufeffagent = 1\nx = 5\n"},
		{"a date with a blank", "d = 1979-05-27 07:32:00 # x\nk = 1\n", "k", "5", "d = 1979-05-27 07:32:00 # x\nk = 5\n"},

		{"out", "[a]\n# why\nk = 1\nx = 2\n", "a.k", "", "[a]\n# why\nx = 2\n"},
		{"out with a comment", "[a]\n  k = 1 # because\nx = 2\n", "a.k", "", "[a]\n  # because\nx = 2\n"},
		{"out, the last", "[a]\nk = 1", "a.k", "", "[a]\n"},
		{"out of an inline table", "a = { x = 1, k = 2 }\n", "a.k", "", "a = { x = 1 }\n"},
		{"out of an inline table, the first", "a = { x = 1, k = 2 }\n", "a.x", "", "a = { k = 2 }\n"},
		{"out of an inline table, the only", "a = {x = 1}\n", "a.x", "", "a = {}\n"},
		{"out, what is not there", "[a]\nk = 1\n", "a.x", "", "[a]\nk = 1\n"},
		{"out of what is not there", "k = 1\n", "a.x", "", "k = 1\n"},
		{"out, crlf", "[a]\r\nk = 1 # c\r\nx = 2\r\n", "a.k", "", "[a]\r\n# c\r\nx = 2\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Edit(c.text, path(c.key), c.value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What cannot be done is an error, and no text.
func TestEditRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, key, value string }{
		{"through a value", "a = 1\n", "a.k", "2"},
		{"a table's place", "[a.k]\nx = 1\n", "a.k", "2"},
		{"into a list of tables", "[[a]]\nk = 1\n", "a.k", "2"},
		{"two values", "", "k", "1\ny = 2"},
		{"no value", "", "k", "1 # note\nx"},
		{"broken value", "", "k", "\"x"},
		{"broken file", "[a\nk = 1\n", "k", "1"},
	} {
		got, err := Edit(c.text, path(c.key), c.value)
		if err == nil || got != "" {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		if c.name != "broken file" && !errors.Is(err, ErrEdit) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// commentLines are the lines of a text that hold a comment and nothing else, where
// they stand in no text of several lines.
func commentLines(text string) (out []string) {
	d := scan(text)
	at := 0
	for line := range strings.Lines(text) {
		inside := false
		for _, e := range d.entries {
			inside = inside || e.value.from <= at && at < e.value.to
		}
		if l := strings.TrimSpace(line); !inside && strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
		at += len(line)
	}
	return out
}

// texts and keys are what the properties below begin with.
var (
	texts = []string{
		"", "[a]\nk = 1", "a.b = 1\na.c = {d = [1,\n2 # x\n]}\n# end", "[a]\r\nk = '''\n'''\r\n# c\r\n",
		"a = { b = 1, c = { d = \"}\" } } # c", "[[a]]\n[a.b]\nk = 1\n", "\"a\".'b' = \"\"\"\\\"\"\"\"\"\n", "k = nan\n",
		"# m\n[memory]\n[memory.weights]\nkeyword=1\n", "a = {\n b = 1, # one\n # two\n}\n",
		"# about agent\nagent = \"x\"\n\n# about a\n[a]\nb = 2 # two\n\n[c]\n# left out\n# k = 1\n",
	}
	keys = []string{"a.b", "k", "a.k", "memory.rag_top_n", "memory.weights.keyword", "a.c.d"}
)

// I5: whatever valid file is changed, all other settings keep their values and every
// line that is a comment survives.
func FuzzEdit(f *testing.F) {
	example, err := os.ReadFile("../config.example.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range append(texts, string(example)) {
		for _, key := range keys {
			f.Add(text, key, "5")
			f.Add(text, key, "")
		}
	}
	f.Fuzz(func(t *testing.T, text, key, value string) {
		if !strings.Contains(key, "..") && len(path(key)) < 6 {
			keepsTheRest(t, text, key, value)
		}
	})
}

// I5: the same of files that are damaged a little; every fifth is valid.
func TestEditKeepsTheRest(t *testing.T) {
	marks := strings.Split("a b k . = [ ] { } \" ' # \n \r\n \\ , 1 \"\"\" '''", " ")
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(rt, "text")
		for range rapid.IntRange(0, 4).Draw(rt, "changes") {
			at := rapid.IntRange(0, len(text)).Draw(rt, "at")
			over := rapid.IntRange(0, 2).Draw(rt, "over")
			text = text[:at] + rapid.SampledFrom(marks).Draw(rt, "with") + text[min(len(text), at+over):]
		}
		keepsTheRest(rt, text, rapid.SampledFrom(keys).Draw(rt, "key"), rapid.SampledFrom([]string{"5", "", `"x # y"`, "[1]"}).Draw(rt, "value"))
	})
}

// keepsTheRest edits a text and compares all but the one setting.
func keepsTheRest(t interface{ Fatalf(string, ...any) }, text, key, value string) {
	before, err := parse(text)
	if err != nil {
		return
	}
	got, err := Edit(text, path(key), value)
	if err != nil {
		return
	}
	after, err := parse(got)
	if err != nil {
		t.Fatalf("%q became %q: %v", text, got, err)
	}
	kept := map[string]bool{}
	for _, l := range commentLines(got) {
		kept[l] = true
	}
	for _, l := range commentLines(text) {
		if !kept[l] {
			t.Fatalf("the comment %q is lost: %q became %q", l, text, got)
		}
	}
	for _, all := range []map[string]string{before, after} {
		remove(all, path(key))
	}
	if !maps.Equal(before, after) {
		t.Fatalf("%q became %q: %v, %v", text, got, before, after)
	}
}
