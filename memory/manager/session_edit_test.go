package manager_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
)

// A title of the user's is one line, is bounded, and stays whatever is said after.
func TestRenameSession(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "first words")
	before := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t)
	for given, want := range map[string]string{
		"  Tea\nand\x1b[31m 茶  ":           "Tea and [31m 茶",
		strings.Repeat("长", 500):           strings.Repeat("长", 119) + "…",
		"a\u2028b\tc":                      "a b c",
		"Trip to Osaka":                    "Trip to Osaka",
		strings.Repeat("x", 120):           strings.Repeat("x", 120),
		"\r\nonly one line \r\n left here": "only one line left here",
	} {
		if s := must(m.RenameSession(ctx, luna, turn.Session.ID, given))(t); s.Title != want || !s.Named {
			t.Errorf("%q becomes %q", given, s.Title)
		}
	}
	for _, given := range []string{"", " \n ", "\x00", "\xff"} {
		if _, err := m.RenameSession(ctx, luna, turn.Session.ID, given); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%q: %v", given, err)
		}
	}
	s := must(m.RenameSession(ctx, luna, strings.ToLower(turn.Session.ID[20:]), "Tea"))(t)
	before.Title, before.Named = "Tea", true
	if diff := cmp.Diff(before, s); diff != "" {
		t.Errorf("more than the title changed:\n%s", diff)
	}
	if err := m.ArchiveSession(ctx, luna, s.ID); err != nil {
		t.Fatal(err)
	}
	say(t, m, luna, s.ID, "other words")
	if s = must(m.Lookup().Session(ctx, luna, s.ID))(t); s.Title != "Tea" || s.Turns != 2 {
		t.Errorf("after another message: %+v", s)
	}
	for agent, id := range map[string]string{luna: "01NOSUCHSESSION", "sol": s.ID} {
		if _, err := m.RenameSession(ctx, agent, id, "Tea"); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	c.Add(time.Second)
}

// W1: the user corrects what a session is about; count and beginning stay, a past
// turn still shows what it saw, and the next one goes on from the correction.
func TestEditWorking(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "Let's plan the trip to Osaka")
	id := turn.Session.ID
	before := must(m.Lookup().Working(ctx, luna, id))(t)
	w := must(m.EditWorking(ctx, luna, id, func(w *memory.Working) {
		w.CurrentTopic, w.LastEmotion = " 东京\n旅行 ", "glad"
		w.ContextVariables = map[string]string{" city ": "Tokyo\n"}
		w.TurnCount, w.SessionID, w.UpdatedAt = 99, "other", time.Time{}
	}))(t)
	want := before
	want.CurrentTopic, want.LastEmotion, want.ContextVariables = "东京 旅行", "glad", map[string]string{"city": "Tokyo"}
	if want.UpdatedAt, want.EditedAt = w.UpdatedAt, w.EditedAt; !w.UpdatedAt.After(before.UpdatedAt) || !w.EditedAt.After(before.UpdatedAt) {
		t.Errorf("edited at %v and %v, after %v", w.UpdatedAt, w.EditedAt, before.UpdatedAt)
	}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Errorf("edited (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, must(m.Lookup().Working(ctx, luna, id))(t)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	long := strings.Repeat("长", 501)
	for name, edit := range map[string]func(*memory.Working){
		"topic":    func(w *memory.Working) { w.CurrentTopic = long },
		"emotion":  func(w *memory.Working) { w.LastEmotion = long },
		"value":    func(w *memory.Working) { w.ContextVariables["x"] = long },
		"name":     func(w *memory.Working) { w.ContextVariables[long] = "x" },
		"no name":  func(w *memory.Working) { w.ContextVariables[" "] = "x" },
		"twice":    func(w *memory.Working) { w.ContextVariables["city "] = "x" },
		"reserved": func(w *memory.Working) { w.ContextVariables[memory.FieldTopic] = "x" },
		"utf8":     func(w *memory.Working) { w.CurrentTopic = "\xff" },
	} {
		if _, err := m.EditWorking(ctx, luna, id, edit); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(want, must(m.Lookup().Working(ctx, luna, id))(t)); diff != "" {
		t.Errorf("a refused edit changed it:\n%s", diff)
	}
	in := must(m.KeepIncoming(ctx, luna, "And the hotel?", nil, ""))(t)
	next := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: id}))(t)
	if next.Working.TurnCount != 2 || next.Working.CurrentTopic != "东京 旅行" || next.Working.ContextVariables["city"] != "Tokyo" {
		t.Errorf("the next turn sees %+v", next.Working)
	}
	for agent, session := range map[string]string{"sol": id, luna: "none"} {
		if _, err := m.EditWorking(ctx, agent, session, func(*memory.Working) {}); !errors.Is(err, lookup.ErrNotFound) {
			t.Errorf("%s %s: %v", agent, session, err)
		}
	}
}

// What the servers reported of a session's answers adds up, also of a message
// that was answered again.
func TestUsageAddsUp(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, "hello", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	answer := func(status memory.Status, u *memory.Usage) {
		t.Helper()
		must(m.FinishTurn(ctx, memory.Record{
			AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant,
			Content: "Hi.", Status: status, Usage: u,
		}, false))(t)
	}
	answer(memory.StatusError, nil)
	for _, status := range []memory.Status{memory.StatusInterrupted, memory.StatusComplete} {
		turn = must(m.RetryTurn(ctx, turn.Record, manager.Place{}))(t)
		answer(status, &memory.Usage{PromptTokens: 100, CompletionTokens: 7, TotalTokens: 107})
	}
	s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t)
	in1, out := 0, 0
	records := must(m.Lookup().Records(ctx, luna, s.ID))(t)
	for _, r := range records {
		if r.Usage != nil {
			in1, out = in1+r.Usage.PromptTokens, out+r.Usage.CompletionTokens
		}
	}
	if s.TokensIn != in1 || s.TokensOut != out || in1 != 200 || s.Messages != len(records) || s.Turns != 1 {
		t.Errorf("session: %+v; its records: %d in, %d out", s, in1, out)
	}
}
