package manager_test

import (
	"slices"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

// P9b: what changes in a life and was not confirmed for six months is asked about once a month.
func TestStillTrue(t *testing.T) {
	m, clock := open(t)
	for _, s := range []string{
		"I live in Leeds", "I work at Tesco", "My girlfriend is called Anna", "I'm learning Welsh", "I like tea", "我叫小明",
	} {
		say(t, m, luna, "", s)
	}
	must(m.Learning().Forget(t.Context(), luna))(t)
	if n := must(m.Lookup().Inbox(t.Context(), luna, 0, 0))(t).Total; n != 0 {
		t.Fatalf("asked %d at once", n)
	}
	clock.Add(220 * 24 * time.Hour)
	must(m.Learning().Forget(t.Context(), luna))(t)
	must(m.Learning().Forget(t.Context(), luna))(t)
	page := must(m.Lookup().Inbox(t.Context(), luna, 0, 0))(t)
	if page.Total != 4 {
		t.Fatalf("asked: %q", contents(heldItems(page)))
	}
	for _, h := range page.Items {
		shown := learning.Shown{ID: h.ID, Version: h.Version}
		switch h.Content {
		case "Still true? Lives in Leeds.":
			must(m.Learning().Accept(t.Context(), luna, shown))(t)
		case "Still true? Works at Tesco.":
			must(m.Reject(t.Context(), luna, shown))(t)
		case "Still true? Is learning Welsh.":
			must(m.Learning().AcceptEdited(t.Context(), luna, shown, func(it *memory.Item) { it.Content = "Is learning Irish." }))(t)
		}
	}
	say(t, m, luna, "", "My girlfriend is called Anna") // answers the last one
	must(m.Learning().Forget(t.Context(), luna))(t)
	if left := must(m.Lookup().Inbox(t.Context(), luna, 0, 0))(t); left.Total != 0 {
		t.Errorf("left: %q", contents(heldItems(left)))
	}
	want := []string{"Girlfriend is called Anna.", "Is learning Irish.", "Likes tea.", "Lives in Leeds.", "名字叫小明"}
	if got := activeContents(t, m); !slices.Equal(got, want) {
		t.Errorf("active: %q, want %q", got, want)
	}
	clock.Add(150 * 24 * time.Hour)
	must(m.Learning().Forget(t.Context(), luna))(t)
	if again := must(m.Lookup().Inbox(t.Context(), luna, 0, 0))(t); again.Total != 0 {
		t.Errorf("asked again: %q", contents(heldItems(again)))
	}
}

func heldItems(page lookup.InboxPage) (out []memory.Item) {
	for _, h := range page.Items {
		out = append(out, h.Item)
	}
	return out
}

// before makes of a home what a rule of an earlier version may have made.
type before struct{ *policy.Policy }

func (b before) PlanUpsert(c policy.Candidate, existing []memory.Item) policy.Plan {
	if c.Key == "home" {
		c.Key, c.Content = "job", "Works as a lead."
	}
	return b.Policy.PlanUpsert(c, existing)
}

// P9b: items that the current rules would not create are listed, except those that the
// user wrote.
func TestReview(t *testing.T) {
	cfg := write.DefaultConfig()
	cfg.Analysis = write.AnalysisRules
	m, err := manager.Open(t.Context(), manager.Options{
		Dir: t.TempDir(), Config: cfg, Now: newClock().Now, NoSync: true, Decider: before{policy.New(policy.Default())},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	say(t, m, luna, "", "I like tea")
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Type: memory.TypeFact, Key: "boat", Content: "Owns a boat"}))(t)
	if got := must(m.Learning().Review(t.Context(), luna))(t); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	say(t, m, luna, "", "I live in Leeds")
	got := must(m.Learning().Review(t.Context(), luna))(t)
	if len(got) != 1 || got[0].Content != "Works as a lead." || got[0].Said != "I live in Leeds" || got[0].Rule != "home" {
		t.Errorf("%+v", got)
	}
}
