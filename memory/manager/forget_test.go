package manager_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
)

const day = 24 * time.Hour

func forget(t testing.TB, m *manager.Manager) learning.Forgotten {
	t.Helper()
	return must(m.Learning().Forget(t.Context(), luna))(t)
}

func states(t testing.TB, m *manager.Manager) map[string]memory.State {
	t.Helper()
	out := map[string]memory.State{}
	for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items {
		out[it.Content] = it.State
	}
	return out
}

// P8: expired items become inactive. Unimportant unused ones decay, then become inactive.
// Items written by the user stay. Each change is in the ledger with origin system. Items
// are deleted only after 30 inactive days.
func TestForgetting(t *testing.T) {
	c := newClock()
	m := openAt(t, filepath.Join(t.TempDir(), "data"), c, func(cfg *write.Config) { cfg.ForgetImportance = 1 })
	ctx := t.Context()
	say(t, m, luna, "", "I like oolong tea")
	mine := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Written by hand."}))(t)
	until := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Is on leave.", ValidTo: start.Add(10 * day)}))(t)
	say(t, m, luna, "", email) // waits
	if done := forget(t, m); done.Any() {
		t.Errorf("forgot what is new: %+v", done)
	}
	c.Add(11 * day)
	if done := forget(t, m); done != (learning.Forgotten{Ended: 1}) {
		t.Errorf("expired: %+v", done)
	}
	history := must(m.Lookup().History(ctx, luna, until.ID))(t)
	if last := history[len(history)-1]; last.Action != memory.ActionExpired || last.Reason != "expired" || last.Origin != memory.OriginSystem || last.Version != 2 {
		t.Errorf("history %+v", history)
	}
	c.Add(90 * day)
	if done := forget(t, m); done.Decayed != 1 || done.Ended != 0 || done.Deleted != 1 {
		t.Errorf("after 101 days: %+v", done)
	}
	if _, err := m.Lookup().Item(ctx, luna, until.ID); err == nil {
		t.Error("the expired one is still there after 90 days aside")
	}
	for range 20 {
		c.Add(7 * day)
		forget(t, m)
		if states(t, m)["Likes oolong tea."] != memory.StateActive {
			break
		}
	}
	got := states(t, m)
	if got["Likes oolong tea."] != memory.StateInactive || got[mine.Content] != memory.StateActive || len(inbox(t, m)) != 1 {
		t.Errorf("at the end: %v", got)
	}
	page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true, Text: "oolong"}))(t)
	history = must(m.Lookup().History(ctx, luna, page.Items[0].ID))(t)
	if last := history[len(history)-1]; last.Action != memory.ActionDecayed || last.Origin != memory.OriginSystem || last.Version != page.Items[0].Version || len(history) < 3 {
		t.Errorf("history %+v", history)
	}
	c.Add(29 * day)
	if done := forget(t, m); done.Deleted != 0 {
		t.Error("deleted after 29 days")
	}
	c.Add(2 * day)
	if done := forget(t, m); done.Deleted != 1 {
		t.Errorf("after 31 days: %+v", done)
	}
	if n := len(must(m.Lookup().LastRecords(ctx, luna, must(m.Lookup().Session(ctx, luna, page.Items[0].SessionID))(t).ID, 9))(t)); n != 2 {
		t.Errorf("the archive has %d messages left, want 2", n)
	}
}

// L5: over the threshold the least sure go, of equally sure ones the one that
// was used longest ago; without a threshold nothing goes.
func TestEviction(t *testing.T) {
	c := newClock()
	dir := filepath.Join(t.TempDir(), "data")
	m := openAt(t, dir, c, nil)
	for i, sure := range []float64{0.5, 0.9, 0.2, 0.5, 1} {
		it := memory.Item{Content: fmt.Sprintf("Fact %d about topic%d.", i, i)}
		must(m.Learning().AddItem(t.Context(), luna, it, func(it *memory.Item) { it.Confidence = sure; it.LastAccessed = start.Add(-time.Duration(i) * day) }))(t)
	}
	if done := forget(t, m); done.Any() {
		t.Fatalf("off by default: %+v", done)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	m = openAt(t, dir, c, func(cfg *write.Config) { cfg.EvictionThreshold = 3 })
	if done := forget(t, m); done != (learning.Forgotten{Evicted: 2}) {
		t.Errorf("evicted %+v", done)
	}
	if done := forget(t, m); done.Any() {
		t.Errorf("twice: %+v", done)
	}
	var gone []string
	for content, s := range states(t, m) {
		if s == memory.StateInactive {
			gone = append(gone, content[:6])
		}
	}
	slices.Sort(gone)
	if diff := cmp.Diff([]string{"Fact 2", "Fact 3"}, gone); diff != "" {
		t.Error(diff)
	}
	page := must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true, Text: "topic2"}))(t)
	history := must(m.Lookup().History(t.Context(), luna, page.Items[0].ID))(t)
	if last := history[len(history)-1]; last.Action != memory.ActionEvicted || last.Origin != memory.OriginSystem {
		t.Errorf("history %+v", history)
	}
}

// P8: at any moment, forgetting twice equals forgetting once: items, versions
// and ledger.
func TestForgettingTwiceIsForgettingOnce(t *testing.T) {
	fewer(t, 30)
	rapid.Check(t, func(rt *rapid.T) {
		c := newClock()
		cfg := write.DefaultConfig()
		cfg.ForgetFloor = rapid.Float64Range(0, 1).Draw(rt, "floor")
		cfg.ForgetImportance = rapid.Float64Range(0, 1).Draw(rt, "importance")
		cfg.EvictionThreshold = rapid.IntRange(0, 6).Draw(rt, "threshold")
		frozen := func() time.Time {
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.now
		}
		m := must(manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: cfg, Now: frozen, NoSync: true}))(t)
		defer m.Close()
		for i := range rapid.IntRange(1, 8).Draw(rt, "items") {
			it := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: fmt.Sprint("Fact ", i), Key: fmt.Sprint("fact/", i)}, func(it *memory.Item) {
				it.Confidence = rapid.Float64Range(0, 1).Draw(rt, "confidence")
				it.Importance = rapid.Float64Range(0, 1).Draw(rt, "importance")
				if rapid.Bool().Draw(rt, "ends") {
					it.ValidTo = start.Add(time.Duration(rapid.IntRange(1, 300).Draw(rt, "end")) * day)
				}
			}))(t)
			manager.AsLearned(t, m, luna, it.ID)
		}
		for range rapid.IntRange(1, 5).Draw(rt, "rounds") {
			c.Add(time.Duration(rapid.IntRange(0, 120*24).Draw(rt, "hours")) * time.Hour)
			forget(t, m)
			once := everythingOf(t, m)
			if done := forget(t, m); done.Any() {
				rt.Fatalf("the second time did %+v", done)
			}
			if diff := cmp.Diff(once, everythingOf(t, m)); diff != "" {
				rt.Fatal(diff)
			}
		}
	})
}

type kept struct {
	Item    memory.Item
	History []memory.Change
}

func everythingOf(t testing.TB, m *manager.Manager) (out []kept) {
	for _, it := range must(m.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true}))(t).Items {
		out = append(out, kept{it, must(m.Lookup().History(t.Context(), luna, it.ID))(t)})
	}
	return out
}

// P8: while the program runs, forgetting happens by itself: soon after the start
// and then every hour; and it ends with the program.
func TestForgettingByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := must(manager.Open(t.Context(), manager.Options{Dir: t.TempDir(), Config: write.DefaultConfig(), Now: time.Now}))(t)
		defer m.Close()
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Is on leave.", ValidTo: time.Now().Add(time.Second)}))(t)
		must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Is in Rome.", ValidTo: time.Now().Add(time.Minute)}))(t)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := states(t, m); got["Is on leave."] != memory.StateInactive || got["Is in Rome."] != memory.StateActive {
			t.Errorf("after the start: %v", got)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := states(t, m); got["Is in Rome."] != memory.StateInactive {
			t.Errorf("after an hour: %v", got)
		}
	})
}

// How long one write of forgetting holds up a message that comes then.
func BenchmarkForgetWrite(b *testing.B) {
	c := newClock()
	m := openAt(b, filepath.Join(b.TempDir(), "data"), c, nil)
	for i := range 1000 {
		must(m.Learning().AddItem(b.Context(), luna, memory.Item{Content: fmt.Sprintf("Fact %d about something that is long enough.", i), ValidTo: start.Add(day)}))(b)
	}
	c.Add(2 * day)
	b.ResetTimer()
	done := must(m.Learning().Forget(b.Context(), luna))(b)
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64((done.Ended+7)/8), "ms/write")
	b.ReportMetric(float64(done.Ended), "items")
}

// keeping is a policy that never forgets.
type keeping struct{ policy.Decider }

func (keeping) Forget(memory.Item, time.Time) policy.Fate {
	return policy.Fate{Action: policy.Keep, Reason: "nothing is forgotten here"}
}

// P1: a decider can replace one decision and leave the others.
func TestAnotherDecider(t *testing.T) {
	c := newClock()
	m := must(manager.Open(t.Context(), manager.Options{
		Dir: t.TempDir(), Config: write.DefaultConfig(), Now: c.Now, Decider: keeping{policy.New(policy.Default())},
	}))(t)
	defer m.Close()
	must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "Is on leave.", ValidTo: start.Add(day)}))(t)
	if _, changes := say(t, m, luna, "", "I like tea"); len(changes) != 1 {
		t.Errorf("the others: %+v", changes)
	}
	c.Add(500 * day)
	if done := forget(t, m); done.Any() {
		t.Errorf("forgot %+v", done)
	}
}
