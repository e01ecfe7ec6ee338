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
// many of those that do not, when recall finds nothing. Those that do so only where the
// archive mentions what they ask about are counted apart. The rules were written with a
// third of each file in sight; the bounds are on the rest.
func TestMessagesThatLookUp(t *testing.T) {
	for _, tt := range []struct {
		file        string
		least, most float64 // percent of the rest: that may look, and that look whatever the archive has
	}{
		{"asks_en.txt", 85, 100}, {"asks_zh.txt", 85, 100},
		{"ordinary_en.txt", 0, 8}, {"ordinary_zh.txt", 0, 9},
	} {
		t.Run(tt.file, func(t *testing.T) {
			var asked, surely, maybe [2]float64 // in sight while the rules were written, and the rest
			for i, message := range messagesOf(t, tt.file) {
				part := min(i%3, 1)
				asked[part]++
				trigger := retrieve.Trigger(message, nil, retrieve.Triggers())
				switch trigger {
				case "":
				case retrieve.TriggerMentioned:
					maybe[part]++
				default:
					surely[part]++
				}
				if part == 0 && (trigger != "") != (tt.least > 0) {
					t.Logf("%q: %s", trigger, message)
				}
			}
			for part, name := range []string{"in sight", "others"} {
				t.Logf("%s: %v of %v look into the archive, %v more if it mentions them", name, surely[part], asked[part], maybe[part])
			}
			may, must := 100*(surely[1]+maybe[1])/asked[1], 100*surely[1]/asked[1]
			if may < tt.least || must > tt.most {
				t.Errorf("of the others %.1f %% may look into the archive, want %v; %.1f %% do in any case, want at most %v", may, tt.least, must, tt.most)
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
