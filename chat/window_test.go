package chat

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"memoria/memory"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// count makes a token of every ten bytes.
func count(s string) int { return (len(s) + 9) / 10 }

func record(i int, role memory.Role, content string) memory.Record {
	return memory.Record{ID: fmt.Sprintf("R%03d", i), Role: role, Content: content, Timestamp: noon.Add(time.Duration(i) * time.Second)}
}

// rounds makes n user messages with their answers.
func rounds(n int, content string) []memory.Record {
	var out []memory.Record
	for i := range n {
		out = append(out, record(2*i, memory.RoleUser, content), record(2*i+1, memory.RoleAssistant, content))
	}
	return out
}

func ids(w window) string {
	var out []string
	for _, e := range w.entries {
		out = append(out, e.record.ID)
	}
	return strings.Join(out, " ")
}

// C2: with a limit of 4 there may be 6 messages, system and new one included:
// the window holds 4, and past that the oldest round leaves.
func TestRollingWindow(t *testing.T) {
	for n, want := range map[int]string{
		1: "R000 R001",
		2: "R000 R001 R002 R003",
		3: "R002 R003 R004 R005",
		9: "R014 R015 R016 R017",
	} {
		if got := ids(newWindow(rounds(n, "x"), 4, count)); got != want {
			t.Errorf("%d rounds: %s, want %s", n, got, want)
		}
	}
	if w := newWindow(rounds(9, "x"), 4, count); len(w.dropped) != 14 || w.dropped[0].What != "R000" {
		t.Errorf("dropped: %+v", w.dropped)
	}
}

// C2, C3: the program's own words, empty answers and repetitions are not sent.
func TestWindowLeavesOut(t *testing.T) {
	own := record(1, memory.RoleAssistant, "I am not a model")
	own.Model = memory.ModelOffline
	twice := record(2, memory.RoleUser, "b")
	records := []memory.Record{
		record(0, memory.RoleUser, "a"), own, twice, twice, record(3, memory.RoleAssistant, ""), record(4, memory.RoleSystem, "note"),
		record(5, memory.RoleUser, "b"),
	}
	if got := ids(newWindow(records, 20, count)); got != "R000 R002 R005" {
		t.Errorf("window: %s", got)
	}
}

// C3: never more than 20 messages, whatever the limit.
func TestWindowTop(t *testing.T) {
	if w := newWindow(rounds(30, "x"), 1000, count); len(w.entries) != windowTop {
		t.Errorf("%d messages", len(w.entries))
	}
}

// C3: long messages are cut before any is dropped, answers first and the oldest
// first; a short message is never cut.
func TestFitCutsAnswersFirst(t *testing.T) {
	long := strings.Repeat("长", 600) // 1,800 bytes, 180 tokens; cut: about 152
	w := newWindow(rounds(3, long), 20, count)
	whole := w.tokens()
	w.fit(whole-1, windowFloor, "test", count)
	var cut []string
	for _, e := range w.entries {
		if e.cut > 0 {
			cut = append(cut, e.record.ID)
			if kept := utf8.RuneCountInString(e.record.Content[:e.cut]); kept != longMessage {
				t.Errorf("%s is cut to %d characters", e.record.ID, kept)
			}
		}
	}
	if strings.Join(cut, " ") != "R001" || len(w.entries) != 6 {
		t.Errorf("cut %v of %d", cut, len(w.entries))
	}
	w.fit(whole-100, windowFloor, "test", count)
	if w.entries[3].cut == 0 || w.entries[5].cut == 0 || w.entries[0].cut == 0 || len(w.entries) != 6 {
		t.Errorf("then: %+v", w.entries)
	}
}

// C3 as properties: within the budget or at the floor, the newest messages kept
// in their order, cuts only of long messages, tokens as counted.
func TestFitProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var records []memory.Record
		for i := range rapid.IntRange(0, 40).Draw(rt, "n") {
			role := rapid.SampledFrom([]memory.Role{memory.RoleUser, memory.RoleAssistant}).Draw(rt, "role")
			unit := rapid.SampledFrom([]string{"a", "字", "🙂"}).Draw(rt, "unit")
			records = append(records, record(i, role, strings.Repeat(unit, rapid.IntRange(1, 1500).Draw(rt, "len"))))
		}
		limit := rapid.IntRange(2, 50).Draw(rt, "limit")
		budget := rapid.IntRange(0, 3000).Draw(rt, "budget")
		w := newWindow(records, limit, count)
		before := len(w.entries)
		w.fit(budget, windowFloor, "test", count)
		if w.tokens() > budget && len(w.entries) > windowFloor {
			rt.Fatalf("%d tokens over %d with %d messages", w.tokens(), budget, len(w.entries))
		}
		if before > windowFloor && len(w.entries) < windowFloor {
			rt.Fatalf("below the floor: %d of %d", len(w.entries), before)
		}
		if len(w.entries) > min(limit, windowTop) && len(w.entries) > 0 {
			rt.Fatalf("%d messages with a limit of %d", len(w.entries), limit)
		}
		for i, e := range w.entries {
			if want := records[len(records)-len(w.entries)+i]; e.record.ID != want.ID {
				rt.Fatalf("message %d is %s, want %s", i, e.record.ID, want.ID)
			}
			shown := e.record.Content
			if e.cut > 0 {
				shown = shown[:e.cut] + memory.TruncationMark
				if utf8.RuneCountInString(e.record.Content) <= longMessage || !utf8.ValidString(shown) {
					rt.Fatalf("cut %q", shown)
				}
			}
			if e.tokens != count(shown) {
				rt.Fatalf("counted %d, is %d", e.tokens, count(shown))
			}
		}
	})
}

// S11: which session a message belongs to is decided apart from sending, from
// what is known alone (S1, S2, S9a, S10).
func TestResolve(t *testing.T) {
	passive := 30 * time.Minute
	active := memory.Session{ID: "A", State: memory.SessionActive, LastMessageAt: noon}
	ended := memory.Session{ID: "A", State: memory.SessionArchived, LastMessageAt: noon}
	for name, c := range map[string]struct {
		want next
		last memory.Session
		has  bool
		now  time.Time
		is   place
	}{
		"first":         {next{}, memory.Session{}, false, noon, place{why: WhyFirst}},
		"at once":       {next{}, active, true, noon, place{sessionID: "A", why: WhyContinued}},
		"just in time":  {next{}, active, true, noon.Add(passive - 1), place{sessionID: "A", why: WhyContinued}},
		"timeout":       {next{}, active, true, noon.Add(passive), place{archive: "A", why: WhyTimeout}},
		"clock back":    {next{}, active, true, noon.Add(-time.Hour), place{sessionID: "A", why: WhyContinued}},
		"ended":         {next{}, ended, true, noon, place{why: WhyFirst}},
		"new":           {next{fresh: true}, active, true, noon, place{archive: "A", why: WhyRequested}},
		"resume":        {next{sessionID: "B"}, active, true, noon, place{sessionID: "B", archive: "A", why: WhyResumed}},
		"resume itself": {next{sessionID: "A"}, active, true, noon.Add(48 * time.Hour), place{sessionID: "A", archive: "A", why: WhyResumed}},
	} {
		if got := resolve(c.want, c.last, c.has, passive, c.now); got != c.is {
			t.Errorf("%s: %+v, want %+v", name, got, c.is)
		}
	}
}
