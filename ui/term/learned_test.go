package term

import (
	"testing"

	"memoria/memory"
)

// U6, P5c: what a turn replaced and ended is said with its words.
func TestLearnedWords(t *testing.T) {
	old, now := &memory.Item{Content: "Lives in Lyon."}, &memory.Item{Content: "Lives in Bonn."}
	got := learnedWords([]memory.Change{
		{Action: memory.ActionSuperseded, Item: now, Replaced: old}, {Action: memory.ActionEnded, Item: old},
		{Action: memory.ActionUndone, Item: now}, {Action: memory.ActionSkipped, Reason: "proposed twice"},
	})
	if want := "replaced: Lives in Lyon. → Lives in Bonn. · ended: Lives in Lyon. · took back: Lives in Bonn."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
