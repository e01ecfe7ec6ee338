package compose

import (
	"fmt"
	"slices"
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
		if got := ids(newWindow(rounds(n, "x"), nil, 4, count)); got != want {
			t.Errorf("%d rounds: %s, want %s", n, got, want)
		}
	}
	if w := newWindow(rounds(9, "x"), nil, 4, count); len(w.dropped) != 14 || w.dropped[0].What != "R000" {
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
	if got := ids(newWindow(records, nil, 20, count)); got != "R000 R002 R005" {
		t.Errorf("window: %s", got)
	}
}

// packed is the package that sends a window and a new message.
func packed(w window, message memory.Record) *memory.Package {
	p := memory.Package{Dropped: w.dropped}
	for _, e := range w.entries {
		p.Blocks = append(p.Blocks, memory.Block{
			Layer: memory.LayerWindow, Note: e.note, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: e.record.ID, Cut: e.cut.head, Tail: e.cut.tail}},
		})
	}
	p.Blocks = append(p.Blocks, memory.Block{Layer: memory.LayerMessage, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: message.ID}}})
	return &p
}

// C2: the window grows to the limit, is then cut to about two thirds, and begins with
// the same message in between; of what it looks back at nothing else matters.
func TestWindowGrowsAndIsCut(t *testing.T) {
	all := rounds(1000, "x")
	var last *memory.Package
	heads, before := 0, ""
	for n := 2; n < len(all); n += 2 {
		w := newWindow(all[max(0, n-60):n], last, 20, count)
		if len(w.entries) > 20 || n > 20 && len(w.entries) < 12 {
			t.Fatalf("%d messages after %d", len(w.entries), n)
		}
		if first := w.entries[0].record.ID; first != before {
			before = first
			heads++
			if n > 22 && len(w.entries) != 12 {
				t.Fatalf("cut to %d messages", len(w.entries))
			}
		}
		last = packed(w, all[n])
	}
	if heads > 1000/5+1 {
		t.Errorf("the window began with another message %d times in 1,000 turns", heads)
	}
}

// C2: messages that came back or were deleted move the window no further than needed,
// and a package of another branch says nothing.
func TestWindowGoesOn(t *testing.T) {
	all := rounds(20, "x")
	cut := packed(newWindow(all[:22], nil, 20, count), all[22])      // begins with R010
	deleted := packed(newWindow(all[4:22], nil, 20, count), all[22]) // begins with R004
	for name, c := range map[string]struct {
		records []memory.Record
		last    *memory.Package
		want    string
	}{
		"goes on":       {all[:24], cut, "R010"},
		"first deleted": {append(slices.Clone(all[:10]), all[11:24]...), cut, "R011"},
		"other branch":  {all[24:], cut, "R024"},
		"came back":     {all[2:22], deleted, "R002"},
	} {
		if got := newWindow(c.records, c.last, 20, count).entries[0].record.ID; got != c.want {
			t.Errorf("%s: begins with %s, want %s", name, got, c.want)
		}
	}
}

// C3: long messages are shortened before any is dropped: answers first, the oldest
// first, to 500 characters; a short message never is.
func TestFitShortensAnswersFirst(t *testing.T) {
	long := strings.Repeat("长", 600) // 1,800 bytes, 180 tokens; shortened: about 152
	w := newWindow(rounds(5, long), nil, 20, count)
	whole := w.tokens()
	w.fit(whole-1, windowFloor, "test", count)
	for i, e := range w.entries {
		if old := i < 6; (e.cut.head > 0) != old || e.cut.tail != 0 || old && e.kept() != longMessage {
			t.Errorf("%s: %+v, %s", e.record.ID, e.cut, e.note)
		}
	}
	short := newWindow(rounds(5, "x"), nil, 20, count)
	short.fit(0, 5, "test", count)
	for _, e := range short.entries {
		if e.note != "" || e.cut != (cut{}) {
			t.Errorf("a short message: %+v", e)
		}
	}
	// Where one is enough for the next turns as well, one is shortened.
	one := newWindow(append([]memory.Record{record(-2, memory.RoleUser, long), record(-1, memory.RoleAssistant, strings.Repeat(long, 20))},
		rounds(3, long)...), nil, 20, count)
	one.fit(one.tokens()-1, windowFloor, "test", count)
	for i, e := range one.entries {
		if (e.cut.head > 0) != (i == 1) {
			t.Errorf("%s: %+v", e.record.ID, e.cut)
		}
	}
}

// C3: the last two rounds are shortened when nothing older can be, no further than
// needed, and with their beginning and their end.
func TestFitKeepsEnds(t *testing.T) {
	big := "HEAD" + strings.Repeat("字", 6000) + "TAIL" // 18 kB
	records := append(rounds(2, "short"), record(4, memory.RoleUser, "q"), record(5, memory.RoleAssistant, big), record(6, memory.RoleUser, "q"))
	w := newWindow(records, nil, 20, count)
	w.fit(1000, windowFloor, "test", count)
	e := w.entries[5]
	if s := e.sent(); !strings.HasPrefix(s, "HEAD") || !strings.HasSuffix(s, "TAIL") || !strings.Contains(s, memory.TruncationMark) || !utf8.ValidString(s) {
		t.Errorf("sent: %.40q", s)
	}
	if n := w.tokens(); n > 1000 || n < 850 || len(w.entries) != 7 {
		t.Errorf("%d tokens, %d messages, %s", n, len(w.entries), e.note)
	}
	if want := fmt.Sprintf("shortened to %d of 6008 characters: test", e.kept()); e.note != want {
		t.Errorf("note %q, want %q", e.note, want)
	}
	// It stays as it is while it fits, also when it is not among the last (C2).
	next := newWindow(append(records, rounds(2, "more")...), packed(w, record(6, memory.RoleUser, "q")), 20, count)
	if got := next.entries[5]; got.cut != e.cut || got.note != e.note {
		t.Errorf("then: %+v, %s", got.cut, got.note)
	}
}

// C3: at the floor the question of the oldest answer stays, above it a round
// leaves as a whole, and of a round too long for the floor its oldest answers.
func TestFitKeepsRounds(t *testing.T) {
	user, assistant := memory.RoleUser, memory.RoleAssistant
	conversation := func(roles ...memory.Role) []memory.Record {
		var out []memory.Record
		for i, role := range roles {
			out = append(out, record(i, role, strings.Repeat("x", 600)))
		}
		return out
	}
	for name, c := range map[string]struct {
		records []memory.Record
		budget  int
		want    string
	}{
		"floor":                   {rounds(6, strings.Repeat("x", 600)), 0, "R006 R007 R008 R009 R010 R011"},
		"one round":               {rounds(4, strings.Repeat("x", 600)), 400, "R002 R003 R004 R005 R006 R007"},
		"questions in a row":      {conversation(user, user, assistant, user, assistant, user), 0, "R001 R002 R003 R004 R005"},
		"many answers":            {conversation(user, assistant, assistant, assistant, assistant, assistant, assistant, assistant), 0, "R000 R003 R004 R005 R006 R007"},
		"greeted":                 {conversation(assistant, user, assistant, user, assistant, user), 0, "R001 R002 R003 R004 R005"},
		"greeted, short of floor": {conversation(assistant, user, assistant), 0, "R000 R001 R002"},
	} {
		w := newWindow(c.records, nil, 20, count)
		w.fit(c.budget, windowFloor, "test", count)
		if got := ids(w); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		for _, e := range w.entries {
			if e.kept() != longMessage {
				t.Errorf("%s: %s has %d characters", name, e.record.ID, e.kept())
			}
		}
	}
}

// C2, C3: the limit splits no round, and what takes from
// below the floor takes rounds too.
func TestRoundsLeaveWhole(t *testing.T) {
	records := append([]memory.Record{record(-1, memory.RoleUser, "x")}, rounds(30, "x")...)
	for _, limit := range []int{3, 5, 19, 21, 1000} {
		w := newWindow(records, nil, limit, count)
		for len(w.entries) > 0 {
			if w.entries[0].record.Role != memory.RoleUser {
				t.Fatalf("with a limit of %d: %s", limit, ids(w))
			}
			w.drop("test")
		}
	}
	if w := newWindow(rounds(30, "x")[1:], nil, 20, count); w.entries[0].record.ID != "R048" {
		t.Errorf("an odd number: %s", ids(w))
	}
	many := rounds(1, "x")
	for i := range 30 {
		many = append(many, record(2+i, memory.RoleAssistant, "x"))
	}
	if w := newWindow(many, nil, 20, count); len(w.entries) != 13 || w.entries[0].record.ID != "R000" {
		t.Errorf("thirty answers: %s", ids(w))
	}
}

// C3 as properties: within the budget or at the floor, the newest messages kept
// in their order, cuts only of long messages and before drops, tokens as counted,
// no answer at the head unless nobody asked before it.
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
		w := newWindow(records, nil, limit, count)
		before := len(w.entries)
		if before > limit {
			rt.Fatalf("%d messages with a limit of %d", before, limit)
		}
		if len(records) > 0 && before == 0 {
			rt.Fatalf("nothing left of %d", len(records))
		}
		checkHead(rt, records, w)
		w.fit(budget, windowFloor, "test", count)
		checkHead(rt, records, w)
		checkOrder(rt, records, w)
		checkCuts(rt, w, len(w.entries) < before)
		if before >= windowFloor && len(w.entries) < windowFloor {
			rt.Fatalf("below the floor: %d of %d", len(w.entries), before)
		}
		// One more than the floor is the question of the oldest answer.
		if n := len(w.entries); w.tokens() > budget && n > windowFloor &&
			(n > windowFloor+1 || w.entries[1].record.Role != memory.RoleAssistant) {
			rt.Fatalf("%d tokens over %d with %s", w.tokens(), budget, ids(w))
		}
	})
}

// checkHead wants no answer at the head that has a question before it.
func checkHead(rt *rapid.T, records []memory.Record, w window) {
	rt.Helper()
	if len(w.entries) == 0 || w.entries[0].record.Role == memory.RoleUser {
		return
	}
	for _, r := range records {
		if r.ID == w.entries[0].record.ID {
			return
		}
		if r.Role == memory.RoleUser {
			rt.Fatalf("begins with the answer %s, asked by %s", w.entries[0].record.ID, r.ID)
		}
	}
}

// checkOrder wants the newest messages, without a gap but after the question
// whose oldest answers left.
func checkOrder(rt *rapid.T, records []memory.Record, w window) {
	rt.Helper()
	from := len(records) - len(w.entries)
	for i, e := range w.entries {
		if e.record.ID == records[from+i].ID {
			continue
		}
		if i > 0 || e.record.Role != memory.RoleUser {
			rt.Fatalf("message %d is %s, want %s", i, e.record.ID, records[from+i].ID)
		}
		for at := from; records[at].ID != e.record.ID; at-- {
			if records[at].Role == memory.RoleUser {
				rt.Fatalf("%s is not the question of %s", e.record.ID, records[from+1].ID)
			}
		}
	}
}

// checkCuts wants long messages shortened to no less than 500 characters, all of them
// once any was dropped, those of the last two rounds last and with both ends, and every
// message counted as it is sent.
func checkCuts(rt *rapid.T, w window, dropped bool) {
	rt.Helper()
	last, whole := w.lastRounds(), false
	for i, e := range w.entries {
		long := utf8.RuneCountInString(e.record.Content) > longMessage
		shortened := e.cut != cut{}
		switch {
		case shortened && (!long || e.kept() < longMessage || e.note == "" || !utf8.ValidString(e.sent())):
			rt.Fatalf("%d of %d characters, %q: %q", e.kept(), len(e.record.Content), e.note, e.sent())
		case long && dropped && e.kept() != longMessage:
			rt.Fatalf("%s has %d characters where others were dropped", e.record.ID, e.kept())
		case shortened && i >= last && whole && e.cut.tail > 0:
			rt.Fatalf("%s is shortened before an older one", e.record.ID)
		case shortened && !dropped && i >= last && e.cut.tail == 0:
			rt.Fatalf("%s has lost its end", e.record.ID)
		}
		whole = whole || long && !shortened && i < last
		if e.tokens != count(e.sent()) {
			rt.Fatalf("counted %d, is %d", e.tokens, count(e.sent()))
		}
	}
}
