package eval_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory/eval"
	"memoria/memory/retrieve"
)

func measured(t *testing.T, dir string) ([]eval.Conversation, eval.Outcome) {
	t.Helper()
	set, err := eval.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	o, err := eval.Measure(t.Context(), set, eval.Unrelated(), len(set), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return set, o
}

// R1–R5, Q4: with the default limits a small memory of both languages answers
// what is asked of it, and unrelated messages recall nothing, nearly always.
func TestBilingual(t *testing.T) {
	set, o := measured(t, filepath.Join("testdata", "bilingual"))
	items, messages := 0, 0
	for _, c := range set {
		items, messages = items+len(c.Records), messages+len(c.Queries)
	}
	if items < 40 || messages < 30 || len(o.Answers) != messages {
		t.Fatalf("%d items, %d messages, %d answers", items, messages, len(o.Answers))
	}
	limit := retrieve.DefaultConfig().MinRelevance
	free, limited := o.Free(), o.At(limit)
	if limited.Recall[5] < 0.95 || limited.Recall[1] < 0.9 {
		t.Errorf("R@1 %.3f, R@5 %.3f", limited.Recall[1], limited.Recall[5])
	}
	// One of the 44 messages may be lost: more precise the set cannot say.
	if free.Recall[5]-limited.Recall[5] > 1.5/44 {
		t.Errorf("the limits cost %.3f of R@5 %.3f", free.Recall[5]-limited.Recall[5], free.Recall[5])
	}
	if rate := o.Unrelated.Rate(limit); rate > 0.05 || o.Unrelated.Asked < 200 {
		t.Errorf("%.3f of %d unrelated messages recall something", rate, o.Unrelated.Asked)
	}
	if float64(o.Unrelated.Free)/float64(o.Unrelated.Asked) < 0.3 {
		t.Errorf("only %d of %d would without limits: the messages test nothing", o.Unrelated.Free, o.Unrelated.Asked)
	}
}

// R7: another conversation's memories never come back.
func TestWalls(t *testing.T) {
	set, o := measured(t, filepath.Join("testdata", "bilingual"))
	ids := map[string]map[string]bool{}
	for _, c := range set {
		ids[c.Name] = map[string]bool{}
		for _, r := range c.Records {
			ids[c.Name][r.ID] = true
		}
	}
	for _, a := range o.Answers {
		for _, r := range a.All {
			if !ids[a.Query.Conv][r.ID] {
				t.Errorf("%s: %q is of another conversation", a.Query.ID, r.ID)
			}
		}
	}
}

// A set of a handful of items: the limits hold for the first days of use, too.
func TestFiveItems(t *testing.T) {
	all, err := eval.Load(filepath.Join("testdata", "bilingual"))
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
		o, err := eval.Measure(t.Context(), []eval.Conversation{small}, eval.Unrelated(), 1, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		limit := retrieve.DefaultConfig().MinRelevance
		if got := o.At(limit).Recall[5]; got < 0.8 || len(o.Answers) < 5 {
			t.Errorf("%s: R@5 %.3f of %d", c.Name, got, len(o.Answers))
		}
		if rate := o.Unrelated.Rate(limit); rate > 0.05 {
			t.Errorf("%s: %.3f of the unrelated messages recall something", c.Name, rate)
		}
	}
}

// The figures, worked out by hand.
func TestFigures(t *testing.T) {
	list := func(ids string) (out []eval.Recalled) {
		for i, id := range strings.Fields(ids) {
			out = append(out, eval.Recalled{ID: id, Keyword: 0.5 - float64(i)/10})
		}
		return out
	}
	o := eval.Outcome{
		Answers: []eval.Answer{
			{Query: eval.Query{Conv: "c", ID: "1", Evidence: []string{"a", "b"}}, Chosen: list("a x b"), All: list("a x b")},
			{Query: eval.Query{Conv: "c", ID: "2", Evidence: []string{"y"}}, All: list("x y")},
		},
		Unrelated: eval.Strays{Asked: 10, Best: []float64{0.1, 0.4}, Free: 5},
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"R@1":          {o.At(0).Recall[1], 0.25},
		"R@5":          {o.At(0).Recall[5], 0.5},
		"hit@5":        {o.At(0).Hit[5], 0.5},
		"chosen":       {o.At(0).Chosen, 1.5},
		"R@5 at 0.3":   {o.At(0.3).Recall[5], 0.25},
		"R@5 free":     {o.Free().Recall[5], 1},
		"rate":         {o.Unrelated.Rate(0), 0.2},
		"rate at 0.1":  {o.Unrelated.Rate(0.1), 0.1},
		"nothing at 1": {o.At(1).Hit[10], 0},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, c.got, c.want)
		}
	}
	var ranked, table bytes.Buffer
	if err := o.WriteRanked(&ranked, 0.3); err != nil {
		t.Fatal(err)
	}
	if want := `{"conv":"c","qid":"1","ranked":["a","x"]}` + "\n" + `{"conv":"c","qid":"2","ranked":[]}` + "\n"; ranked.String() != want {
		t.Errorf("ranked\n%s want\n%s", &ranked, want)
	}
	if err := o.Print(&table, "set"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(table.String(), "no limits") || strings.Count(table.String(), "\n") != 3+len(eval.Steps()) {
		t.Errorf("table\n%s", &table)
	}
}

func TestLoadRefuses(t *testing.T) {
	const corpus = `{"conv":"c","id":"1","text":"x"}` + "\n"
	for name, files := range map[string][2]string{
		"no such file":          {"", ""},
		"record 2":              {corpus + "{", ""},
		"of conversation \"d\"": {corpus, `{"conv":"d","qid":"q","question":"?","evidence":["1"]}`},
		"no evidence":           {corpus, `{"conv":"c","qid":"q","question":"?"}`},
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
