package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// proven are the ids of the specification that the program meets. Each has at
// least one test that names it in a comment, "// R2: …" or "// R2, R3a: …" (in
// a script "# R2: …"), so that anyone can find the proof. Add an id here in the
// change that builds it.
var proven = strings.Fields(`
	W1 W2 W3 W4 W5
	L1 L2 L3 L4 L5 L6
	P1 P2 P3 P4 P5 P5c P6 P7 P8 P9 P10
	R1 R2 R3 R3a R4 R5 R6 R7 R8 R9 R10
	A1 A2 A3
	C1 C2 C3 C5 C6 C7 C8
	I3 I5 I6
	S1 S2 S3 S4 S5 S6 S7 S8 S9 S9a S10 S11 S12
	D3 D4
	Q3 Q4
`)

// naming matches a comment line that begins with ids and a colon.
var naming = regexp.MustCompile(`^\s*(?://|#)\s*([A-Z]\d+[a-z]?(?:\s*(?:,|and)\s*[A-Z]\d+[a-z]?)*):`)

var idPattern = regexp.MustCompile(`[A-Z]\d+[a-z]?`)

// namedIn returns the ids that a test file's comments name. A comment that stands
// before an empty line names nothing: its test is not there.
func namedIn(text string) (ids []string) {
	var open []string // named by the comment that is being read
	for line := range strings.Lines(text) {
		if m := naming.FindStringSubmatch(line); m != nil {
			open = append(open, idPattern.FindAllString(m[1], -1)...)
			continue
		}
		switch line = strings.TrimSpace(line); {
		case line == "":
			open = nil
		case !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "#"):
			ids, open = append(ids, open...), nil
		}
	}
	return ids
}

func TestEveryProvenIDIsNamedInATest(t *testing.T) {
	where := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		script := strings.Contains(filepath.ToSlash(name), "testdata/") && slices.Contains([]string{".txt", ".txtar"}, filepath.Ext(name))
		if !strings.HasSuffix(name, "_test.go") && !script || name == "spec_test.go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, id := range namedIn(string(text)) {
			where[id] = append(where[id], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range proven {
		if len(where[id]) == 0 {
			t.Errorf("%s: no test names it", id)
		}
	}
}

func TestNamedIn(t *testing.T) {
	got := namedIn("// R2: a\n\t// R3, R3a and L1: b\n# A1: c\n// see R4: no\nx := 1 // R5: no\n// Note: W1\n\n// P4: its test is gone\n// for long\n\nfunc")
	if want := []string{"R2", "R3", "R3a", "L1", "A1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
