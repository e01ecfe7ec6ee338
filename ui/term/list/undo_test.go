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
		{80, " deleted 1 message, 2 memories and 1 more · F7 restores it (8 s)"},
		{40, " deleted 1 message, 2 memories and 1\n more · F7 restores it (8 s)"},
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
		{84, " rejected “likes green tea from the mountains of Yunnan” · F7 restores it (1 s)"},
		{60, " rejected “likes green tea from th…” · F7 restores it (1 s)"},
		{36, " rejected “likes green tea from t…”\n F7 restores it (1 s)"},
	} {
		if got := strings.Join(r.Offer(english, plain, "rejected", now, tt.width), "\n"); got != tt.want {
			t.Errorf("%d wide: %q, want %q", tt.width, got, tt.want)
		}
	}
	if !r.Expire(now.Add(time.Second)) || len(r) != 0 {
		t.Errorf("what is over stays: %v", r)
	}
}

// D2: the time of a deletion is extended once, to that of an answer, and never shortened; the newest
// of several panes is that which was deleted last.
func TestExtendRemovals(t *testing.T) {
	now := time.Date(2026, 1, 28, 12, 0, 0, 0, time.UTC)
	long := now.Add(10 * time.Minute)
	r := Removals{
		{ID: "a", Until: now.Add(10 * time.Second)}, {ID: "b", Until: long, Longer: 10*time.Minute - 10*time.Second},
		{ID: "c", Until: now.Add(25 * time.Second), Longer: 15 * time.Second},
	}
	shared := r
	for _, tt := range []struct {
		id    string
		until time.Time
		ok    bool
	}{
		{"a", now.Add(10*time.Second + AnswerTime), true},
		{"a", now.Add(10*time.Second + AnswerTime), false},
		{"b", long, false},
		{"c", now.Add(10*time.Second + AnswerTime), true},
	} {
		_, ok := r.Extend(tt.id)
		if d := r[r.index(tt.id)]; ok != tt.ok || !d.Until.Equal(tt.until) {
			t.Errorf("%s: until %v, %v", tt.id, d.Until, ok)
		}
	}
	if _, ok := r.Extend("none"); ok || r.Has("none") || !r.Has("b") || shared[0].Longer != 0 {
		t.Errorf("%v, shared %v", r, shared)
	}
	other := Removals{{ID: "d", Until: now.Add(12 * time.Second)}}
	if d, ok := Latest([]*Removals{&r, &other, {}}); !ok || d.ID != "d" {
		t.Errorf("the newest is %v", d)
	}
	if _, ok := Latest([]*Removals{{}}); ok {
		t.Error("nothing is the newest")
	}
}
