package manager_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// P4, P5, P9, P10: whatever is said, pasted, accepted, rejected, taken back, edited
// and forgotten, in whatever order: no two active items fill one slot, nothing from
// other hands is active without a yes, every item has its history up to the version
// it is at, and the inbox counts right.
func TestAnyOrderOfDecisions(t *testing.T) {
	fewer(t, 30)
	says := []string{
		email, "My email is max@example.org", "Remember that my email is bo@example.org", phone, "I like tea", "I don't like tea anymore",
		"I live in Rome", "I moved to Oslo", "It's Oslo, not Rome", "我住在北京", "不是北京，是成都", "我喜欢深色模式", "我不喜欢浅色模式",
	}
	docs := []string{"Remember that I live in Berlin", "Remember that my email is eve@example.org", "记住我住在上海", "Remember: I don't like tea"}
	rapid.Check(t, func(rt *rapid.T) {
		c := newClock()
		m := must(manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: c.Now, NoSync: true}))(t)
		defer m.Close()
		ctx := t.Context()
		var gone []write.Deletion
		accepted := map[string]bool{}
		some := func() []lookup.HeldItem {
			held := inbox(t, m)
			if len(held) == 0 {
				return nil
			}
			i := rapid.IntRange(0, len(held)-1).Draw(rt, "which")
			return held[i:rapid.IntRange(i+1, len(held)).Draw(rt, "to")]
		}
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			switch rapid.IntRange(0, 8).Draw(rt, "step") {
			case 0, 1, 2:
				say(t, m, luna, "", rapid.SampledFrom(says).Draw(rt, "says"))
			case 3:
				paste(t, m, memory.SpanPasted, rapid.SampledFrom(docs).Draw(rt, "doc"))
			case 4:
				for _, it := range must(m.Learning().Accept(ctx, luna, shown(some()...)...))(t) {
					accepted[it.ID] = true
				}
			case 5:
				if held := some(); held != nil {
					gone = append(gone, must(m.Reject(ctx, luna, shown(held...)...))(t))
				}
			case 6:
				if n := len(gone); n > 0 {
					if _, err := m.UndoDeletion(ctx, luna, gone[n-1].ID); err != nil && !errors.Is(err, manager.ErrGone) {
						rt.Fatal(err)
					}
					gone = gone[:n-1]
				}
			case 7:
				if all := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t).Items; len(all) > 0 {
					id := rapid.SampledFrom(all).Draw(rt, "item").ID
					it := must(m.Learning().EditItem(ctx, luna, id, func(it *memory.Item) { it.Tags = append(it.Tags, fmt.Sprint(len(it.Tags))) }))(t)
					accepted[it.ID] = true
				}
			case 8:
				c.Add(time.Duration(rapid.IntRange(0, 100).Draw(rt, "days")) * day)
				forget(t, m)
			}
			wantOrder(t, rt, m, accepted)
		}
	})
}

func wantOrder(t *testing.T, rt *rapid.T, m *manager.Manager, accepted map[string]bool) {
	inbox(t, m) // counts
	slots := map[string]string{}
	for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items {
		history := must(m.Lookup().History(t.Context(), luna, it.ID))(t)
		newest := 0
		for _, c := range history {
			newest = max(newest, c.Version)
		}
		if len(history) < it.Version || newest != it.Version {
			rt.Fatalf("version %d of %q has the history %+v", it.Version, it.Content, history)
		}
		if it.IsActive() != (it.State == memory.StateActive) {
			rt.Fatalf("%q is active in one sense: %+v", it.Content, it)
		}
		if it.State != memory.StateActive {
			continue
		}
		if other, taken := slots[it.Key]; taken {
			rt.Fatalf("%q and %q fill %s", other, it.Content, it.Key)
		}
		if slots[it.Key] = it.Content; it.Trust < memory.TrustModel && !accepted[it.ID] {
			rt.Fatalf("active without a yes: %+v", it)
		}
	}
}
