package policy_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memoria/memory/policy"
)

var (
	updateGolden = flag.Bool("update", false, "write the golden files")
	sentences    = flag.String("sentences", "", "a file with a sentence a line to compare too, with FILE.golden")
)

// TestExtractGolden shows that a change of engine or data leaves alone what the rules make of every labelled
// sentence and of the statements in the dialogues, byte for byte (P2–P6). With -sentences FILE it compares further
// sentences. A change of the rules that is meant is written with -update, and its difference reviewed.
func TestExtractGolden(t *testing.T) {
	noRace(t)
	var set []string
	for _, name := range []string{"statements.en.tsv", "statements.zh.tsv"} {
		for _, l := range readLabelled(t, name) {
			set = append(set, l.sentence)
		}
	}
	for _, name := range []string{"dialogues.en.txt", "dialogues.zh.txt"} {
		for _, line := range lines(t, filepath.Join("..", "manager", "testdata", name)) {
			if said, ok := strings.CutPrefix(line, "> "); ok {
				set = append(set, said)
			}
		}
	}
	compareGolden(t, filepath.Join("testdata", "extract.golden.jsonl"), set)
	if *sentences != "" {
		compareGolden(t, *sentences+".golden", lines(t, *sentences))
	}
}

// compareGolden compares what the rules make of each sentence with a file of one JSON object a line.
func compareGolden(t *testing.T, file string, set []string) {
	t.Helper()
	got := make([][]byte, len(set))
	p := policy.New(policy.Default())
	for i, s := range set {
		got[i] = readings(t, p, s)
	}
	if *updateGolden {
		if err := os.WriteFile(file, append(bytes.Join(got, []byte("\n")), '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, differ := lines(t, file), 0
	if len(want) != len(got) {
		t.Fatalf("%s has %d lines, want %d", file, len(want), len(got))
	}
	for i := range got {
		if string(got[i]) == want[i] {
			continue
		}
		if differ++; differ <= 20 {
			t.Errorf("%q:\n got %s\nwant %s", set[i], got[i], want[i])
		}
	}
	if differ > 20 {
		t.Errorf("%d of %d sentences differ", differ, len(set))
	}
}

// readings is everything that the rules say about a text.
func readings(t *testing.T, p *policy.Policy, s string) []byte {
	t.Helper()
	b, err := json.Marshal(struct {
		Text    string
		Found   []policy.Candidate `json:",omitempty"`
		Emotion string             `json:",omitempty"`
		Source  policy.Source
	}{s, p.Extract(s), policy.Emotion(s), p.Source(s, s)})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return slices.Clip(out)
}
