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
