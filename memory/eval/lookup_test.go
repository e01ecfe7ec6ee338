package eval_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory/eval"
	"memoria/memory/retrieve"
)

// A2, Q4: how often messages that have nothing to do with anybody's memories look
// into the archive, although recall finds nothing for them: none asks for proof,
// and at most 5 % look like a question about before.
func TestUnrelatedMessagesLookNothingUp(t *testing.T) {
	all := eval.Unrelated()
	proof, sparse := 0, 0
	for _, message := range all {
		switch retrieve.Trigger(message, nil, retrieve.Triggers()) {
		case retrieve.TriggerProof:
			proof++
			t.Logf("proof: %s", message)
		case retrieve.TriggerSparse:
			sparse++
			t.Logf("sparse: %s", message)
		}
	}
	t.Logf("looked up: proof %d, sparse %d of %d", proof, sparse, len(all))
	if proof > 0 || sparse*20 > len(all) {
		t.Errorf("proof %d, sparse %d of %d", proof, sparse, len(all))
	}
}

// A2: how many of the messages that ask about the past look into the archive, and how
// many of those that do not, when recall finds nothing. The rules were written with a
// third of each file in sight; the bounds are on the rest.
func TestMessagesThatLookUp(t *testing.T) {
	for _, tt := range []struct {
		file        string
		least, most float64 // share of the rest, in percent
	}{
		{"asks_en.txt", 30, 100}, {"asks_zh.txt", 30, 100},
		{"ordinary_en.txt", 0, 15}, {"ordinary_zh.txt", 0, 25},
	} {
		t.Run(tt.file, func(t *testing.T) {
			var asked, looked [2]int // in sight while the rules were written, and the rest
			for i, message := range messagesOf(t, tt.file) {
				part := min(i%3, 1)
				asked[part]++
				trigger := retrieve.Trigger(message, nil, retrieve.Triggers())
				if trigger != "" {
					looked[part]++
				}
				if part == 0 && (trigger != "") != (tt.least > 0) {
					t.Logf("%q: %s", trigger, message)
				}
			}
			rest := 100 * float64(looked[1]) / float64(asked[1])
			t.Logf("looked up: %d of %d in sight, %d of %d others (%.1f %%)", looked[0], asked[0], looked[1], asked[1], rest)
			if rest < tt.least || rest > tt.most {
				t.Errorf("%.1f %% of the others look into the archive, want %v to %v", rest, tt.least, tt.most)
			}
		})
	}
}

// messagesOf reads the messages of a file of testdata/lookup.
func messagesOf(t *testing.T, file string) (out []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "lookup", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
