package list

import (
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"memoria/ui/words"
)

// D2: what was deleted is offered back, the newest first, until its time is over,
// in lines that fit.
func TestRemovals(t *testing.T) {
	plain, english := lipgloss.NewStyle(), words.Words{}
	now := time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)
	var r Removals
	if got := r.Offer(english, plain, "deleted", now, 60); got != nil || r.Expire(now) {
		t.Fatalf("nothing is offered as %q", got)
	}
	r.Add(Removed{ID: "a", Title: "likes green tea from the mountains of Yunnan", Until: now.Add(time.Second)})
	r.Add(Removed{ID: "b", What: "1 message, 2 memories", Until: now.Add(8 * time.Second)})
	if d, ok := r.Newest(); !ok || d.ID != "b" {
		t.Fatalf("the newest is %v", d)
	}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{80, " deleted 1 message, 2 memories and 1 more · u restores it (8 s)"},
		{40, " deleted 1 message, 2 memories and 1\n more · u restores it (8 s)"},
	} {
		if got := strings.Join(r.Offer(english, plain, "deleted", now, tt.width), "\n"); got != tt.want {
			t.Errorf("%d wide: %q, want %q", tt.width, got, tt.want)
		}
	}
	r.Drop("b")
	for _, tt := range []struct {
		width int
		want  string
	}{
		{84, " rejected “likes green tea from the mountains of Yunnan” · u restores it (1 s)"},
		{60, " rejected “likes green tea from the…” · u restores it (1 s)"},
		{36, " rejected “likes green tea from t…”\n u restores it (1 s)"},
	} {
		if got := strings.Join(r.Offer(english, plain, "rejected", now, tt.width), "\n"); got != tt.want {
			t.Errorf("%d wide: %q, want %q", tt.width, got, tt.want)
		}
	}
	if !r.Expire(now.Add(time.Second)) || len(r) != 0 {
		t.Errorf("what is over stays: %v", r)
	}
}
