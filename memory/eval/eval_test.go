package eval_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory/eval"
)

func measured(t *testing.T, dir string, change func(*eval.Options)) ([]eval.Conversation, eval.Outcome) {
	t.Helper()
	set, err := eval.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := eval.Options{Layer: eval.LayerRecall, Top: 5, Sample: len(set), Unrelated: eval.Unrelated(), Temp: t.TempDir()}
	if change != nil {
		change(&o)
	}
	out, err := eval.Measure(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	return set, out
}

var bilingual = filepath.Join("testdata", "bilingual")

// R1–R5, Q4: with the default limits a small memory of both languages answers
// what is asked of it, and unrelated messages recall nothing, nearly always.
func TestBilingual(t *testing.T) {
	set, o := measured(t, bilingual, nil)
	items, messages := 0, 0
	for _, c := range set {
		items, messages = items+len(c.Records), messages+len(c.Queries)
	}
	if items < 40 || messages < 30 || len(o.Answers) != messages {
		t.Fatalf("%d items, %d messages, %d answers", items, messages, len(o.Answers))
	}
	f := o.Figures()
	if f.Recall[5] < 0.95 || f.Recall[1] < 0.9 {
		t.Errorf("R@1 %.3f, R@5 %.3f", f.Recall[1], f.Recall[5])
	}
	if f.Unrelated > 0.05 || o.Unrelated.Asked < 200 {
		t.Errorf("%.3f of %d unrelated messages recall something", f.Unrelated, o.Unrelated.Asked)
	}
	if float64(o.Unrelated.Matched)/float64(o.Unrelated.Asked) < 0.3 {
		t.Errorf("only %d of %d match anything: the messages test nothing", o.Unrelated.Matched, o.Unrelated.Asked)
	}
}

// R7: another conversation's memories never come back.
func TestWalls(t *testing.T) {
	for _, layer := range eval.Layers() {
		set, o := measured(t, bilingual, func(o *eval.Options) { o.Layer, o.Sample = layer, 0 })
		ids := map[string]map[string]bool{}
		for _, c := range set {
			ids[c.Name] = map[string]bool{}
			for _, r := range c.Records {
				ids[c.Name][r.ID] = true
			}
		}
		for _, a := range o.Answers {
			for _, id := range a.IDs {
				if !ids[a.Query.Conv][id] {
					t.Errorf("%s, %s: %q is of another conversation", layer, a.Query.ID, id)
				}
			}
		}
	}
}

// A set of a handful of items: the limits hold for the first days of use, too.
func TestFiveItems(t *testing.T) {
	all, err := eval.Load(bilingual)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		small := eval.Conversation{Name: c.Name, Records: c.Records[:5]}
		for _, q := range c.Queries {
			for _, r := range small.Records {
				if q.Evidence[0] == r.ID {
					small.Queries = append(small.Queries, q)
				}
			}
		}
		o, err := eval.Measure(t.Context(), []eval.Conversation{small}, eval.Options{
			Layer: eval.LayerRecall, Top: 5, Sample: 1, Unrelated: eval.Unrelated(), Temp: t.TempDir(),
		})
		if err != nil {
			t.Fatal(err)
		}
		f := o.Figures()
		if f.Recall[5] < 0.8 || len(o.Answers) < 5 {
			t.Errorf("%s: R@5 %.3f of %d", c.Name, f.Recall[5], len(o.Answers))
		}
		if f.Unrelated > 0.05 {
			t.Errorf("%s: %.3f of the unrelated messages recall something", c.Name, f.Unrelated)
		}
	}
}

// The figures, worked out by hand.
func TestFigures(t *testing.T) {
	o := eval.Outcome{
		Top: 5,
		Answers: []eval.Answer{
			{Query: eval.Query{Conv: "c", ID: "1", Evidence: []string{"a", "b"}}, IDs: strings.Fields("a x b")},
			{Query: eval.Query{Conv: "c", ID: "2", Evidence: []string{"y"}}, LookedUp: "proof"},
		},
		Unrelated: eval.Strays{Asked: 10, Answered: 2, Matched: 5},
	}
	f := o.Figures()
	for name, c := range map[string]struct{ got, want float64 }{
		"R@1":       {f.Recall[1], 0.25},
		"R@5":       {f.Recall[5], 0.5},
		"hit@5":     {f.Hit[5], 0.5},
		"chosen":    {f.Chosen, 1.5},
		"looked up": {f.LookedUp, 0.5},
		"unrelated": {f.Unrelated, 0.2},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, c.got, c.want)
		}
	}
	var ranked, table bytes.Buffer
	if err := o.WriteRanked(&ranked); err != nil {
		t.Fatal(err)
	}
	if want := `{"conv":"c","qid":"1","ranked":["a","x","b"]}` + "\n" + `{"conv":"c","qid":"2","ranked":[]}` + "\n"; ranked.String() != want {
		t.Errorf("ranked\n%s want\n%s", &ranked, want)
	}
	if err := eval.Print(&table, "set", eval.Column{Name: "one", Outcome: o}, eval.Column{Name: "two", Outcome: o}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "R@5") || strings.Contains(table.String(), "R@10") || strings.Count(table.String(), "50.0") != 8 {
		t.Errorf("table\n%s", &table)
	}
}

// R3b: ages and uses are the same in every run, spread as they should be, and keep
// the evidence where it was.
func TestAgesAndUses(t *testing.T) {
	noRace(t)
	_, plain := measured(t, bilingual, func(o *eval.Options) { o.Sample = 0 })
	aged := func(o *eval.Options) { o.Sample, o.Ages, o.Uses = 0, eval.Ages{Days: 400}, true }
	_, one := measured(t, bilingual, aged)
	_, two := measured(t, bilingual, aged)
	for i, a := range one.Answers {
		if !slices.Equal(a.IDs, two.Answers[i].IDs) {
			t.Errorf("%s: %v and %v", a.Query.ID, a.IDs, two.Answers[i].IDs)
		}
	}
	if was, is := plain.Figures().Recall[5], one.Figures().Recall[5]; math.Abs(was-is) > 0.025 {
		t.Errorf("R@5 is %.3f, with ages and uses %.3f", was, is)
	}
	for s, want := range map[string]eval.Ages{"": {}, "0": {}, "own": {Own: true}, "90": {Days: 90}} {
		if got, err := eval.ParseAges(s); err != nil || got != want {
			t.Errorf("%q is %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"-1", "all", "1.5", "99999"} {
		if _, err := eval.ParseAges(s); err == nil {
			t.Errorf("%q is accepted", s)
		}
	}
}

// R11: the archive keeps speakers, sessions and times; people of a conversation
// without a user talk in a group.
func TestArchiveLayer(t *testing.T) {
	at := time.Date(2025, 3, 3, 10, 0, 0, 0, time.UTC)
	set := []eval.Conversation{{
		Name: "two", Records: []eval.Record{
			{Conv: "two", ID: "1", Session: "a", Time: at, Speaker: "Ana", Text: "I bought a canoe."},
			{Conv: "two", ID: "2", Session: "a", Time: at, Speaker: "Ben", Text: "A canoe? Where will you keep it?"},
			{Conv: "two", ID: "3", Session: "b", Time: at.AddDate(0, 0, 2), Speaker: "Ben", Text: "My sister paints."},
		},
		Queries: []eval.Query{
			{Conv: "two", ID: "q1", Text: "Who has a canoe?", Evidence: []string{"1"}},
			{Conv: "two", ID: "q2", Text: "Whose sister paints?", Evidence: []string{"3"}},
		},
	}, {
		Name: "mine", Records: []eval.Record{
			{Conv: "mine", ID: "1", Session: "a", Time: at, Speaker: "user", Text: "I bought a canoe."},
			{Conv: "mine", ID: "2", Session: "a", Time: at, Speaker: "assistant", Text: "A fine thing."},
		},
		Queries: []eval.Query{{Conv: "mine", ID: "q3", Text: "What about the canoe?", Evidence: []string{"1"}}},
	}}
	o, err := eval.Measure(t.Context(), set, eval.Options{Layer: eval.LayerArchive, Top: 5, Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if f := o.Figures(); f.Recall[5] < 1 {
		t.Errorf("R@5 %.2f: %v", f.Recall[5], o.Answers)
	}
}

func TestLoadRefuses(t *testing.T) {
	const corpus = `{"conv":"c","id":"1","text":"x"}` + "\n"
	for name, files := range map[string][2]string{
		"no such file":          {"", ""},
		"record 2":              {corpus + "{", ""},
		"of conversation \"d\"": {corpus, `{"conv":"d","qid":"q","question":"?","evidence":["1"]}`},
		"no evidence":           {corpus, `{"conv":"c","qid":"q","question":"?"}`},
		"time \"soon\"":         {`{"conv":"c","id":"1","text":"x","time":"soon"}`, ""},
	} {
		dir := t.TempDir()
		for i, f := range []string{"corpus.jsonl", "queries.jsonl"} {
			if name == "no such file" {
				break
			}
			if err := os.WriteFile(filepath.Join(dir, f), []byte(files[i]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := eval.Load(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestUnrelatedIsUsable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range eval.Unrelated() {
		if seen[m] || m != strings.TrimSpace(m) || strings.HasPrefix(m, "#") {
			t.Errorf("%q", m)
		}
		seen[m] = true
	}
	if len(seen) < 200 {
		t.Errorf("%d messages", len(seen))
	}
}
