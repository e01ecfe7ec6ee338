package manager_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/recall"
)

// ready are methods that wait for no index which holds everything already, and find no
// journal where there is none; Similar is then empty. AddItem wants words, and is called
// below.
var ready = []string{"Settle", "SettleItems", "SettleVectors", "Similar", "RunJournal", "SearchJournal", "AddItem"}

// everythingIn is all that can be read of one agent, and of who there is.
func everythingIn(t testing.TB, m *manager.Manager, agent string) map[string]any {
	t.Helper()
	ctx := t.Context()
	status := must(m.Lookup().Status(ctx, agent))(t)
	out := map[string]any{
		"items": everythingOf(t, m), "incoming": must(m.Lookup().Incoming(ctx, agent))(t), "draft": must(m.Lookup().Draft(ctx, agent))(t),
		"profile": must(m.Profiles().ProfileHistory(ctx, agent, 0, 0))(t), "agents": must(m.Lookup().Agents(ctx))(t), "groups": must(m.Lookup().Groups(ctx))(t),
		"changes":  must(m.Lookup().Changes(ctx, agent, lookup.ChangeFilter{}))(t),
		"counters": []int{status.Items, status.Held, status.Records, status.Sessions, status.Jobs},
	}
	sessions, _, err := m.Lookup().Sessions(ctx, agent, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	out["sessions"] = sessions
	for _, s := range sessions {
		out["records "+s.ID] = must(m.Lookup().Records(ctx, agent, s.ID))(t)
		out["packages "+s.ID] = must(m.Lookup().Packages(ctx, agent, s.ID))(t)
		w, err := m.Lookup().Working(ctx, agent, s.ID)
		if err != nil && !errors.Is(err, lookup.ErrNotFound) {
			t.Fatal(err)
		}
		out["working "+s.ID] = w
	}
	return out
}

// No method that takes a context does anything when that is cancelled, whatever ids it is
// given: the error is context.Canceled, and the store is as before.
func TestCancelledContext(t *testing.T) {
	m, _ := open(t)
	turn, changes := say(t, m, luna, "", "My name is Bo and I like oolong tea")
	waiting := must(m.KeepIncoming(t.Context(), luna, "I moved to Lisbon last year", nil, ""))(t)
	if err := m.SaveDraft(t.Context(), luna, memory.Draft{Text: "Tomorrow I"}); err != nil {
		t.Fatal(err)
	}
	must(m.Recall().SearchArchive(t.Context(), luna, recall.ArchiveQuery{Text: "oolong"}))(t) // opens that index
	if err := m.Recall().Settle(t.Context(), luna); err != nil {
		t.Fatal(err)
	}
	before := everythingIn(t, m, luna)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tried := 0
	for name, method := range methodsOf(m) {
		of := method.Type()
		if of.NumIn() == 0 || of.In(0) != reflect.TypeFor[context.Context]() || slices.Contains(ready, name) {
			continue
		}
		for _, id := range []string{changes[0].ItemID, changes[0].ID, turn.Session.ID, turn.Record.ID, turn.Record.TurnID, waiting.ID} {
			args, ok := arguments(ctx, of, luna, id)
			if !ok {
				break // it takes something that has no agent; see below
			}
			tried++
			results := method.Call(args)
			if err, _ := results[len(results)-1].Interface().(error); !errors.Is(err, context.Canceled) {
				t.Errorf("%s with %s: %v", name, id, err)
			}
		}
	}
	if tried < 80*6 {
		t.Errorf("only %d calls were tried", tried)
	}

	// Those that take values, with what they would accept.
	long := string(make([]byte, memory.MaxContent+1)) // in a file of its own
	answer := memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: long,
		Status: memory.StatusComplete,
	}
	late := must(m.NewIncoming(luna, "Later", nil))(t)
	calls := map[string]func() error{
		"AddItem": func() error {
			_, err := m.Learning().AddItem(ctx, luna, memory.Item{Content: "Plays the cello."})
			return err
		},
		"AddGroup": func() error {
			_, err := m.AddGroup(ctx, memory.Group{ID: "duo", Members: []string{luna, "sol"}})
			return err
		},
		"Agent":        func() error { _, err := m.Agents().CreateAgent(ctx, memory.Agent{ID: "sol"}); return err },
		"Groups":       func() error { _, err := m.Lookup().Groups(ctx); return err },
		"Purge":        func() error { return m.Trash().Purge(ctx) },
		"Incoming":     func() error { _, err := m.KeepIncoming(ctx, luna, long, nil, ""); return err },
		"Finish":       func() error { _, err := m.FinishTurn(ctx, answer, true); return err },
		"Partial":      func() error { return m.SavePartial(ctx, answer) },
		"WriteUnsaved": func() error { return m.WriteUnsaved(ctx, manager.UnsavedTurn{Message: late}) },
		"Consolidate":  func() error { _, err := m.Learning().Consolidate(ctx, luna, turn.Session.ID, nil, nil); return err },
		"DryRun": func() error {
			return m.DryRun(ctx, luna, []manager.UnsavedTurn{{Message: late}}, func(*manager.DryRun) error { return nil })
		},
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(m.Vault().Dir(), "content")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a long message was written: %v", err)
	}
	if diff := cmp.Diff(before, everythingIn(t, m, luna)); diff != "" {
		t.Errorf("the store has changed:\n%s", diff)
	}
}

// A caller's own cause is what it gets, in the words of what was not done; and a job that
// was not done for it has not failed.
func TestCancelledCause(t *testing.T) {
	m, _ := open(t)
	in := must(m.KeepIncoming(t.Context(), luna, "My name is Bo and I like oolong tea", nil, ""))(t)
	turn := must(m.BeginTurn(t.Context(), luna, in.ID, manager.Place{}))(t)
	errGone := errors.New("whoever asked has gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errGone)
	for range 6 { // more often than a job may fail
		if _, err := m.Learning().LearnTurn(ctx, luna, turn.Record.TurnID); !errors.Is(err, errGone) {
			t.Fatalf("%v", err)
		}
		if err := m.Learning().Learn(ctx, luna, nil); !errors.Is(err, errGone) {
			t.Fatalf("%v", err)
		}
	}
	l := must(m.Learning().LearnTurn(context.WithoutCancel(ctx), luna, turn.Record.TurnID))(t)
	if len(l.Changes) == 0 {
		t.Error("the job is gone")
	}
}
