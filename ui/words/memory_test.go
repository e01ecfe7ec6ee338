package words_test

import (
	"strings"
	"testing"
	"time"

	"memoria/memory"
)

// D3: a person reads from the history which of two items is the newer one.
func TestChangeOfReplacement(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for want, c := range map[string]memory.Change{
		"2026-03-01 12:00, replaces an older one (in a conversation): the user corrected it": {
			Time: at, Action: memory.ActionSuperseded, Origin: memory.OriginTurn, Reason: "the user corrected it",
		},
		"2026-03-01 12:00, replaced by a newer one (by hand)": {
			Time: at, Action: memory.ActionSuperseded, Origin: memory.OriginUser, Reason: memory.ReplacedBy("01KG"),
		},
	} {
		if got := english.Change(c, time.UTC); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, f := range english.MemoryFields(memory.Item{Content: "Likes tea", AccessCount: 1}, time.UTC) {
		if f.Name == "used" && !strings.HasPrefix(f.Said, "used 1 time") {
			t.Errorf("used: %q", f.Said)
		}
	}
}
