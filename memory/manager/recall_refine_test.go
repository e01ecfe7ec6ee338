package manager_test

import (
	"path/filepath"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// filled opens a memory with these contents.
func filled(t testing.TB, change func(*write.Config), said ...string) *manager.Manager {
	t.Helper()
	m := openAt(t, filepath.Join(t.TempDir(), "data"), newClock(), change)
	for _, content := range said {
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: content}))(t)
	}
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	return m
}

func chosen(t testing.TB, m *manager.Manager, text string) []string {
	t.Helper()
	var out []string
	for _, s := range recalls(t, m, recall.Query{Text: text}).Chosen {
		out = append(out, s.Item.Content)
	}
	return out
}

// R10: expand_query finds what is said in other words, and unrelated messages recall
// as little with it.
func TestExpandQuery(t *testing.T) {
	said := []string{"用户是护士，在儿童医院工作", "User has a hamster named Pip", "User plays chess on Mondays", "User is afraid of heights"}
	off := filled(t, func(c *write.Config) { c.ExpandQuery = false }, said...)
	on := filled(t, func(c *write.Config) { c.ExpandQuery = true }, said...)
	for question, want := range map[string]string{
		"who is my employer now?": said[0], "what pet do I own?": said[1], "which phobia is mine?": said[3],
	} {
		if got := chosen(t, off, question); len(got) > 0 && got[0] == want {
			t.Errorf("%q finds %q without expansion: the test shows nothing", question, got)
		}
		got := recalls(t, on, recall.Query{Text: question})
		if len(got.Chosen) == 0 || got.Chosen[0].Item.Content != want {
			t.Errorf("%q recalls %s, looked for %q", question, shownAs(got.Chosen), got.Keywords)
		}
	}
	for _, unrelated := range []string{"hello there", "Write a haiku about volcanoes", "今天天气不错", "What is 17 times 23?"} {
		if got := chosen(t, on, unrelated); len(got) != 0 {
			t.Errorf("%q recalls %q", unrelated, got)
		}
	}
}

// R10: rerank puts the item first in which the words stand together.
func TestRerankSwitch(t *testing.T) {
	said := []string{"User buys a car that is red and an old house with a roof", "User buys an old car and a red house with a roof"}
	const question = "red house"
	order := func(rerank bool) float64 {
		m := filled(t, func(c *write.Config) { c.Rerank = rerank }, said...)
		res := recalls(t, m, recall.Query{Text: question})
		if len(res.Chosen) != 2 {
			t.Fatalf("%q recalls %s", question, shownAs(res.Chosen))
		}
		score := map[string]float64{}
		for _, s := range res.Chosen {
			score[s.Item.Content] = s.Parts.Relevance
		}
		return score[said[1]] - score[said[0]]
	}
	if off := order(false); off > 0.05 || off < -0.05 {
		t.Fatalf("without re-ranking the words already match so differently: %v", off)
	}
	if on := order(true); on <= 0.05 {
		t.Errorf("re-ranking makes a difference of %v", on)
	}
}

// R10: diversify gives the place of what says nearly the same to something else.
func TestDiversifySwitch(t *testing.T) {
	said := []string{
		"User's favourite tea is sencha from Uji, brewed at seventy degrees",
		"User's favourite tea is sencha of Uji, brewed at about seventy degrees",
		"User's favourite tea is a sencha from Uji, which is brewed at seventy degrees",
		"User bought a tea pot in Kyoto",
	}
	for _, on := range []bool{false, true} {
		m := filled(t, func(c *write.Config) {
			c.TopN = 2
			if on {
				c.Diversify = 0.4
			}
		}, said...)
		got := strings.Join(chosen(t, m, "what is my favourite sencha tea?"), "|")
		if pot := strings.Contains(got, "pot"); pot != on || strings.Count(got, "|") != 1 {
			t.Errorf("diversify %v: %s", on, got)
		}
	}
}

// R10: the query is expanded by default; the other switches are off.
func TestRefiningByDefault(t *testing.T) {
	if c := retrieve.DefaultConfig(); c.Diversify != 0 || !c.ExpandQuery || c.Rerank {
		t.Errorf("%+v", c)
	}
}
