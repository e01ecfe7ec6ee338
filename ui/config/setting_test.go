package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// I5: the help of a setting is the comment above it, which also holds for those
// behind it that have none, or else that of its table.
func TestParseHelp(t *testing.T) {
	h := parseHelp("# The file.\n\n# About a\n# and more.\na = 1\nb = 2\n# About c.\nc = 3\n\nd = 4\n\n# left out = 1\n\n# About the table.\n[t.u] # note\nx = 1\n# About y.\n#\n# More.\ny = 2\n\n[empty]\nz = 1\n")
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "t.u.x", "t.u.y", "empty.z"}, h.keys); diff != "" {
		t.Error(diff)
	}
	for key, want := range map[string]string{
		"a": "About a and more.", "b": "About a and more.", "c": "About c.", "d": "", "t.u.x": "About the table.",
		"t.u.y": "About y. More.", "empty.z": "", "nothing": "",
	} {
		if got := h.of(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// I5: every setting of the example has its help.
func TestExampleExplainsAll(t *testing.T) {
	h := parseHelp(Example)
	for _, key := range h.keys {
		if text := h.of(key); len(text) < 15 || strings.Contains(text, "#") {
			t.Errorf("%s: %q", key, text)
		}
	}
	if len(h.keys) < 60 {
		t.Errorf("%d settings", len(h.keys))
	}
}

func FuzzParseHelp(f *testing.F) {
	f.Add("# a\nb = 1\n[c]\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := parseHelp(text)
		for _, key := range h.keys {
			_ = h.of(key)
		}
	})
}

func TestFindAndMatch(t *testing.T) {
	for word, want := range map[string]string{
		"agent": "agent", "keyword": "memory.weights.keyword", "Weights.Keyword": "memory.weights.keyword",
		"model.retries": "model.retries", "retries": "", "tries": "", "": "",
	} {
		s, err := Find(word)
		if s.Key != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", word, s.Key, err)
		}
	}
	if _, err := Find("memory.rag_top"); err == nil || !strings.Contains(err.Error(), "did you mean memory.rag_top_n?") {
		t.Error(err)
	}
	for typed, want := range map[string]string{
		"rag_top": "did you mean memory.rag_top_n?", "_lists": `"_lists"`, "idle": "did you mean model.idle_timeout?", "a": `"a"`,
		"tokens": `setting "tokens"`,
	} {
		if _, err := Find(typed); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", typed, err)
		}
	}
	all := []Setting{
		{Key: "agent", Value: "luna"}, {Key: "model.retries", Help: "How often a request is repeated."},
		{Key: "embedding.retries", From: FromEnvironment}, {Key: "memory.weights.keyword"},
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

func TestSettingInWords(t *testing.T) {
	s := Setting{Key: "memory.weights.keyword", Value: "1", Default: "2", From: FromFile, Where: "c.toml:3", AtStart: true}
	if s.Table() != "memory.weights" || s.Name() != "keyword" || s.Source() != "file, c.toml:3" || s.Effect() != "after restart" || !s.Changed() {
		t.Errorf("%q %q %q %q", s.Table(), s.Name(), s.Source(), s.Effect())
	}
}

// I5: the table has every setting, in the order of the example.
func TestTableFollowsTheExample(t *testing.T) {
	var got []string
	for _, s := range Settings() {
		got = append(got, s.Key)
	}
	if diff := cmp.Diff(parseHelp(Example).keys, got); diff != "" {
		t.Error(diff)
	}
	if len(got) != len(keys()) {
		t.Errorf("%d settings, want %d", len(got), len(keys()))
	}
}

// The common settings come first, each setting once.
func TestCommonFirst(t *testing.T) {
	all := Settings()
	CommonFirst(all)
	seen := map[string]bool{}
	for i, s := range all {
		if s.Common() != (i < len(common)) || seen[s.Key] {
			t.Errorf("%d is %s", i, s.Key)
		}
		seen[s.Key] = true
	}
	if len(all) != len(Settings()) || all[0].Key != "ui.language" {
		t.Errorf("%d settings, the first is %s", len(all), all[0].Key)
	}
}
