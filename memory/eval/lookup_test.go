package eval_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
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
		{"ordinary_en.txt", 0, 8}, {"ordinary_zh.txt", 0, 8},
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
				t.Errorf("of the others %.1f %% may look into the archive, want %v; %.1f %% do in any case, want at most %v",
					may, tt.least, must, tt.most)
			}
		})
	}
}

// A2: in archives that have nothing on them, ordinary messages quote next to nothing,
// also those that look only where the archive mentions what they are about.
func TestOrdinaryMessagesQuoteNothing(t *testing.T) {
	noRace(t)
	set, err := eval.Load(filepath.Join("testdata", "lookup", "dialogues"))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, file := range []string{"ordinary_en.txt", "ordinary_zh.txt"} {
		for i, message := range messagesOf(t, file) {
			if i%3 > 0 {
				asked = append(asked, message)
			}
		}
	}
	out, err := eval.Measure(t.Context(), set, eval.Options{
		Layer: eval.LayerEvidence, Top: 8, Sample: len(set), Unrelated: asked, Temp: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d messages quote something", out.Unrelated.Answered, out.Unrelated.Asked)
	if rate := out.Unrelated.Rate(); rate > 0.08 {
		t.Errorf("%.1f %% of the messages quote something", 100*rate)
	}
}

// A2, A3: of the questions that the dialogues answer, how many get a quote with the
// evidence among the first eight. Every third was in sight while the rules were written.
func TestQuotesHoldTheEvidence(t *testing.T) {
	noRace(t)
	set, err := eval.Load(filepath.Join("testdata", "lookup", "dialogues"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := eval.Measure(t.Context(), set, eval.Options{Layer: eval.LayerEvidence, Top: 8, Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	looked, held := 0, 0
	for _, a := range out.Answers {
		if a.LookedUp != "" {
			looked++
		}
		if slices.ContainsFunc(a.Query.Evidence, func(id string) bool { return slices.Contains(a.IDs, id) }) {
			held++
		}
	}
	t.Logf("of %d: %d look into the archive, %d quote the evidence", len(out.Answers), looked, held)
	if len(out.Answers) != 100 || looked < 85 || held < 65 {
		t.Errorf("%d look into the archive, %d quote the evidence", looked, held)
	}
}

// A2: of what was never said an answer does not claim that it was. Questions about it
// find nothing, or only what they are told to be loosely related to.
func TestWhatWasNeverSaid(t *testing.T) {
	noRace(t)
	dir := filepath.Join("testdata", "lookup", "dialogues")
	set, err := eval.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string][]eval.Query{}
	data, err := os.ReadFile(filepath.Join(dir, "never.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var q struct{ Conv, QID, Question string }
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		asked[q.Conv] = append(asked[q.Conv], eval.Query{Conv: q.Conv, ID: q.QID, Text: q.Question})
	}
	for i := range set {
		set[i].Queries = asked[set[i].Name]
	}
	out, err := eval.Measure(t.Context(), set, eval.Options{Layer: eval.LayerEvidence, Top: 8, Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	claimed, loose := 0, 0
	for _, a := range out.Answers {
		switch {
		case len(a.IDs) == 0:
		case a.Loose:
			loose++
		default:
			claimed++
		}
	}
	t.Logf("of %d: %d as what was said, %d as loosely related", len(out.Answers), claimed, loose)
	if len(out.Answers) != 20 || 10*claimed > 3*len(out.Answers) {
		t.Errorf("%d of %d quote something as what was said", claimed, len(out.Answers))
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

// noRace skips a measurement under -short, which the race detector runs with. TestWalls,
// TestBilingual and TestFiveItems do the same things at once.
func noRace(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it measures; the race detector makes it slow")
	}
}
