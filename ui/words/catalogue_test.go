package words

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every message that is said is in the catalogue, and every message of the catalogue is said.
func TestCatalogue(t *testing.T) {
	id := regexp.MustCompile(`"([a-z]+(?:[.-][a-z]+)*)"`)
	said := map[string]bool{}
	call := regexp.MustCompile(`\b(?:[Ss]ay|SayTo|note|refuse|add|part|row|deleted|items|listAgents|groupChanged|foundSessions|withMemories|remark|result|confirm|decide|ask|question|wrongUsage)\(([^\n]*)`)
	for _, pattern := range []string{"*.go", "../actions/*.go", "../plain/*.go", "../cli/*.go", "../term/*.go", "../term/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") || f == "english.go" {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?:\bSay|\.note|\.refuse|\.remark|\.confirm|\.question|wrongUsage)\("([a-z.-]+)"`).FindAllStringSubmatch(string(text), -1) {
				if _, ok := english[m[1]]; !ok && !strings.HasSuffix(m[1], ".") {
					t.Errorf("%s says %q, which is not in the catalogue", f, m[1])
				}
			}
			for _, m := range append(call.FindAllString(string(text), -1), regexp.MustCompile(`(?m)^.*(?::?=|return) "[a-z.-]+".*$`).FindAllString(string(text), -1)...) {
				for _, q := range id.FindAllStringSubmatch(m, -1) {
					said[q[1]] = true
				}
			}
		}
	}
	for id := range english {
		if !said[strings.TrimSuffix(id, ".shell")] && !strings.HasPrefix(id, "layer.") {
			t.Errorf("nothing says %q", id)
		}
	}
}

// A message keeps the braces of its arguments; those of the catalogue name actions.
func TestSayTo(t *testing.T) {
	slash := func(action string) string { return "/" + action }
	if got, want := SayTo(slash, "undo.turn", "{add} me"), "undone, /undo restores it: {add} me"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Say("no.such"); got != "no.such" {
		t.Errorf("%q", got)
	}
}
