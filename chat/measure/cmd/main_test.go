package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Q4: the command prints the figures of a set, and names what fails with -v alone.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	for name, line := range map[string]string{
		"teach.en.jsonl":  `{"id":"a","messages":["My name is Bo."],"teaches":[{"type":["fact"],"about":"home","words":["Oslo"]}]}`,
		"silent.en.jsonl": `{"id":"b","category":"greeting","messages":["Good morning."],"allowed":[]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args    []string
		want    string
		absent  string
		failing error
	}{
		{args: []string{"-layer", "statements", dir}, want: "0.0 % (0 of 1)", absent: "is missing"},
		{args: []string{"-layer", "statements", "-v", dir}, want: "a: [Oslo] is missing"},
		{args: []string{"-layer", "songs", dir}, failing: errUsage},
		{args: []string{"-layer", "lives"}, failing: errUsage},
		{args: []string{"-layer", "lives", t.TempDir()}, failing: errors.New("has no life")},
		{args: []string{"-layer", "instructions", dir}, failing: errors.New("has no say.LANG.jsonl")},
	} {
		var out, problems bytes.Buffer
		err := run(t.Context(), c.args, &out, &problems)
		switch {
		case c.failing == nil && err != nil:
			t.Errorf("%q: %v", c.args, err)
		case c.failing != nil && !errors.Is(err, c.failing) && (err == nil || !strings.Contains(err.Error(), c.failing.Error())):
			t.Errorf("%q: %v, want %v", c.args, err, c.failing)
		case !strings.Contains(out.String(), c.want) || c.absent != "" && strings.Contains(out.String(), c.absent):
			t.Errorf("%q prints %s", c.args, out.String())
		}
	}
}
