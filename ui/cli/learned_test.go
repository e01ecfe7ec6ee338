package cli

import (
	"strings"
	"testing"

	"memoria/memory"
)

// U6, P5c: what a turn replaced and ended is said with its words.
func TestPrintLearnt(t *testing.T) {
	old, now := &memory.Item{ID: "A", Content: "Lives in Lyon."}, &memory.Item{ID: "B", Content: "Lives in Bonn."}
	out := strings.Join((&input{Program: &Program{}, Console: (&Program{}).console(nil)}).learnt([]memory.Change{
		{Action: memory.ActionSuperseded, Item: now, Replaced: old}, {Action: memory.ActionEnded, Item: old},
	}), "\n")
	if want := "replaced   B  Lives in Lyon. → Lives in Bonn.\nended      A  Lives in Lyon."; out != want {
		t.Errorf("got  %q\nwant %q", out, want)
	}
}
