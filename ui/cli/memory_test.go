package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// K5: what cannot be read is counted wherever it may be missing, for people and for
// programs.
func TestUnreadableIsTold(t *testing.T) {
	h := newHome(t)
	h.run(t, nil, "memory", "add", "Plays the cello")
	h.run(t, nil, "memory", "add", "Plays the viola")
	path := filepath.Join(h.dir, "XDG_DATA_HOME", "memoria", "memoria.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.ReplaceAll(b, []byte(`"content":"Plays the viola"`), []byte(`"content":"Plays the vjola"`))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"memory", "list"}, {"recall", "cello"}, {"archive", "search", "cello"}, {"session", "list"}} {
		code, out, errs := h.run(t, nil, append(args, "--json")...)
		if code != ExitDone || !strings.Contains(out, `"unreadable":`) || !strings.Contains(errs,
			"cannot be read and may be missing here: memoria doctor") {
			t.Errorf("%q: code %d, %s, %s", args, code, out, errs)
		}
	}
	if _, out, errs := h.run(t, nil, "ask", "--json", "Hello"); !strings.Contains(out, `"unreadable": 1`) ||
		!strings.Contains(errs, "cannot be read and may be missing here") {
		t.Errorf("ask: %s, %s", out, errs)
	}
}

// I8: a name that nobody configured and that has no memory is an error that suggests the
// nearest, and nothing is made.
func TestUnknownAgent(t *testing.T) {
	h := newHome(t, "MEMORIA_AGENT=luna")
	if code, _, errs := h.run(t, nil, "memory", "add", "Plays chess"); code != ExitUsage || !strings.Contains(errs,
		"no agent is called luna; there is memoria (a new one: memoria agent add luna)") {
		t.Errorf("from a variable: code %d, %q", code, errs)
	}
	h.run(t, nil, "--agent", "memoria", "agent", "add", "luna")
	if code, _, errs := h.run(t, nil, "memory", "add", "Plays chess"); code != ExitDone || strings.Contains(errs, "called") {
		t.Errorf("made: code %d, %q", code, errs)
	}
	for _, args := range [][]string{{"--agent", "lnua", "memory", "list"}, {"--agent", "lnua", "ask", "Hello"}, {"group", "add",
		"club", "memoria", "lnua"}} {
		code, out, errs := h.run(t, nil, args...)
		if code != ExitUsage || out != "" || !strings.Contains(errs, "no agent is called lnua; did you mean luna?") {
			t.Errorf("%q: code %d, %q, %q", args, code, out, errs)
		}
	}
	if code, _, errs := h.run(t, nil, "--agent", "memoria", "memory", "list"); code != ExitDone || strings.Contains(errs, "called") {
		t.Errorf("the default: %q", errs)
	}
}

// Words after list are searched for, and ls and rm are other names of list and delete.
func TestListWords(t *testing.T) {
	h := newHome(t)
	for _, said := range []string{"Drinks green tea", "Lives in Lisbon"} {
		if code, _, errs := h.run(t, nil, "memory", "add", said); code != ExitDone {
			t.Fatal(errs)
		}
	}
	for args, want := range map[string]string{
		"memory list tea": "1 of 1", "memory ls green tea": "1 of 1", "memory ls": "2 of 2", "memory ls tea --filter green": "1 of 1",
		"memory list lisbon --type fact": "1 of 1", "memory ls zither": "no memory has these words",
		"session ls kiln": "no session has these words", "agent ls": "1 agent", "backup ls": "1 backup",
	} {
		if code, _, errs := h.run(t, nil, strings.Fields(args)...); code != ExitDone || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %q", args, code, errs)
		}
	}
	if _, out, _ := h.run(t, nil, "memory", "rm", "--find", "tea", "--yes", "--json"); !strings.Contains(out, `"deleted": 1`) {
		t.Errorf("rm: %q", out)
	}
	if _, out, _ := h.run(t, nil, "session", "rm", "--help"); !strings.Contains(out, "delete, rm") {
		t.Errorf("help: %q", out)
	}
	for begun, want := range map[string]string{"l": "\nls\t", "r": "\nrm\t"} {
		if _, out, _ := h.run(t, nil, "__complete", "memory", begun); !strings.Contains("\n"+out, want) {
			t.Errorf("completing %s: %q", begun, out)
		}
	}
}
