package learn_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"memoria/memory/learn"
	"memoria/memory/policy"
)

// S13: a first message that gives a task is the topic of a session, whatever the
// user asks to change later.
func TestTitleIsTheTask(t *testing.T) {
	data, err := os.ReadFile("testdata/titles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	p := policy.New(policy.Default())
	var titled, told, all int
	for line := range bytes.Lines(data) {
		var c struct {
			Said  []string `json:"said"`
			About string   `json:"about"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		var d learn.Dialogue
		for _, s := range c.Said {
			d.Said = append(d.Said, learn.Said{Text: s, New: true})
		}
		all++
		g := learn.Summarise(p, d, 600)
		if title := cmp.Or(g.Title, c.Said[0]); strings.Contains(title, c.About) {
			titled++
		} else {
			t.Errorf("title of %q is %q", c.Said[0], title)
		}
		if g.Snippet == "" || strings.Contains(g.Snippet, c.About) {
			told++
		} else {
			t.Errorf("summary of %q is %q", c.Said[0], g.Snippet)
		}
	}
	t.Logf("of %d sessions %d titles and %d summaries state the topic", all, titled, told)
}

// P7: an episode is about something. Statements without a common word are no story, though a session
// has several of them.
func TestEpisodeHasATopic(t *testing.T) {
	p := policy.New(policy.Default())
	episode := func(said ...string) *learn.Conclusion {
		var d learn.Dialogue
		for _, s := range said {
			d.Said = append(d.Said, learn.Said{Text: s, New: true})
		}
		return learn.Summarise(p, d, 600).Episode
	}
	for _, said := range [][]string{
		{"last Christmas we went to Lagos.", "Marcus is moving back in with us this weekend.", "My grandad was called Torvald."},
		{"I told Folake to delete her Facebook.", "my sister's husband Lars is a skipper.", "my dad was called Arne."},
		{"二姐去年秋天换了膝盖。", "我打算正月十六回吴桥给我爹上坟。", "我六月考了个高级防腐师证。"},
	} {
		if e := episode(said...); e != nil {
			t.Errorf("%q became %q", said, e.Content)
		}
	}
	moved := []string{
		"Our new depot occupies the fifth floor of an old house.", "My brother brought his van for the shelves.",
		"We carry the wardrobe up ourselves because the lift of the depot is too small.",
	}
	if e := episode(moved...); e == nil || !strings.Contains(e.Content, "wardrobe") || !strings.Contains(e.Content, "brother") {
		t.Errorf("%q became %v", moved, e)
	}
}
