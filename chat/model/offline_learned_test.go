package model

import (
	"strings"
	"testing"

	"memoria/memory"
)

// U: without a model a statement is acknowledged, what was remembered stands beside it (U6), and how to get a
// model is told once, behind it.
func TestOfflineLearned(t *testing.T) {
	item := func(content string) *memory.Item { return &memory.Item{Content: content, State: memory.StateActive} }
	for _, c := range []struct {
		asked  string
		change memory.Change
		want   string
	}{
		{"My name is Bo.", memory.Change{Action: memory.ActionAdded, Item: item("Name is Bo.")}, "Noted."},
		{"我叫小波", memory.Change{Action: memory.ActionAdded, Item: item("名字叫小波")}, "记下了。"},
		{"I live in Bonn", memory.Change{Action: memory.ActionSuperseded, Item: item("Lives in Bonn."), Replaced: item("Lives in Berlin.")}, "Replaced: Lives in Berlin. → Lives in Bonn."},
		{"I like tea", memory.Change{Action: memory.ActionConfirmed, Item: item("Likes tea.")}, "I know."},
		{"My number is 5", memory.Change{Action: memory.ActionHeld, Item: item("Number is 5.")}, "It is remembered once you accept it"},
	} {
		req := Request{Asked: c.asked, Brief: true, Learned: []memory.Change{c.change}}
		first := strings.Join(offlineAnswer(req), "")
		if !strings.HasPrefix(first, c.want) || strings.Count(first, "help model`") != 1 {
			t.Errorf("%q is answered %q", c.asked, first)
		}
		req.Told = true
		if in := strings.Join(offlineAnswer(Request{Asked: c.asked, Learned: req.Learned}), ""); strings.Contains(in, "model") {
			t.Errorf("%q is answered %q in a chat", c.asked, in)
		}
		if later := strings.TrimSpace(strings.Join(offlineAnswer(req), "")); !strings.HasPrefix(later, c.want) || strings.Contains(later, "help model`") {
			t.Errorf("%q is answered later %q", c.asked, later)
		}
	}
}
