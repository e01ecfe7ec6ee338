package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// I5: the prices of models are no default, and the file gives them by name.
func TestPricesInTheFile(t *testing.T) {
	path := writeFile(t, "[model.prices.\"m-4.1\"]\ninput = 2\noutput = 8\n[model.prices.\"a b\"]\ncached_input = 0.5\n")
	l, err := Load(Source{Path: path, Required: true})
	if err != nil {
		t.Fatal(err)
	}
	cfg, from := l.Config, l.From
	if err != nil || len(cfg.Model.Prices) != 2 || from[`model.prices."m-4.1".input`] != FromFile {
		t.Fatal(cfg.Model.Prices, from, err)
	}
	if p := cfg.Model.Prices["m-4.1"]; p.Input != 2 || p.Output != 8 || p.CachedInput != nil {
		t.Errorf("%+v", p)
	}
	if p := cfg.Model.Prices["a b"]; p.CachedInput == nil || *p.CachedInput != 0.5 {
		t.Errorf("%+v", p)
	}
}

// I5: everything that is wrong is told at once, with its place.
func TestEveryFault(t *testing.T) {
	path := writeFile(t, `agent = "A B"
agnt = "x"
[mdoel]
name = "x"
retries = 5
[model]
retries = "many"
name = ""
max_event_bytes = 9000
max_answer_bytes = 8000
rate = -1
[memory]
rag_top_n = 500
min_relevance = 7
pii_policy = 3
[memory.weights]
keyword = 2
recency = -1
[chat]
passive_timeout = 30
context_limit = 1
[agents."Lu na"]
name = 7
[model.prices.m]
input = -1
output = -1
[ui]
theme = "pink"
panel_width = 7
`)
	faults := Read(Source{Path: path, Required: true, Env: []string{"MEMORIA_UI_PANEL_WIDTH=5", "MEMORIA_UI_MOUSE=maybe", "MEMORIA_UI_MUOSE=1", "MEMORIA_UI_MUOSE=2"}}).Faults
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprintf("%d %s", f.Line, f.Key))
	}
	want := []string{
		"1 agent", "2 agnt", "3 mdoel", "7 model.retries", "8 model.name", "10 model.max_answer_bytes", "11 model.rate",
		"13 memory.rag_top_n", "14 memory.min_relevance", "15 memory.pii_policy", "17 memory.weights.keyword",
		"18 memory.weights.recency", "20 chat.passive_timeout", "21 chat.context_limit", `22 agents."Lu na"`,
		`23 agents."Lu na".name`, `25 model.prices."m".input`, `26 model.prices."m".output`, "28 ui.theme",
		"0 MEMORIA_UI_MOUSE", "0 MEMORIA_UI_MUOSE", "0 MEMORIA_UI_PANEL_WIDTH",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, f := range faults {
		if f.Text == "" || (f.File == path) != (f.Line > 0) {
			t.Errorf("%+v", f)
		}
	}
	if faults := Read(Source{Path: writeFile(t, ""), Required: true}).Faults; len(faults) > 0 {
		t.Error(faults)
	}
	// What cannot be parsed hides the rest.
	if faults := Read(Source{Path: writeFile(t, "x = 1\n[chat\ny = 2\n"), Required: true}).Faults; len(faults) != 1 || faults[0].Line != 2 {
		t.Error(faults)
	}
}

// A file in which everything is wrong ends the search.
func TestManyFaults(t *testing.T) {
	var b strings.Builder
	for i := range 4 * maxFaults {
		fmt.Fprintf(&b, "[agents.a%d]\nname = %d\nx%d = 1\n", i, i, i)
	}
	if n := len(Read(Source{Path: writeFile(t, b.String()), Required: true}).Faults); n != maxFaults {
		t.Errorf("%d faults", n)
	}
}
