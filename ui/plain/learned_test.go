package plain

import (
	"strings"
	"testing"

	"memoria/memory"
)

// U6, P5c: what a turn replaced and ended is said with its words.
func TestLearnedWords(t *testing.T) {
	old, now := &memory.Item{Content: "Lives in Lyon."}, &memory.Item{Content: "Lives in\x1b[2J Bonn."}
	var out strings.Builder
	s := &session{out: &printer{w: &out}}
	for _, c := range []memory.Change{
		{Action: memory.ActionSuperseded, Item: now, Replaced: old},
		{Action: memory.ActionSuperseded, Item: old},
		{Action: memory.ActionEnded, Item: old},
		{Action: memory.ActionUndone, Item: old},
		{Action: memory.ActionSkipped, Reason: "proposed twice"},
	} {
		s.learned(c)
	}
	got := out.String()
	for _, want := range []string{"replaced: Lives in Lyon. → Lives in", "corrected: Lives in Lyon.", "ended: Lives in Lyon.", "took back: Lives in Lyon."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "\x1b") || strings.Count(got, "\n") != 4 {
		t.Errorf("%q", got)
	}
}
