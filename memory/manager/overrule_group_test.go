package manager_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
)

// judgedTalk is a turn of the group whose message was judged, answered by one member,
// which was sent a package.
func judgedTalk(t testing.TB, m *manager.Manager, session, archive, text, by string, j *memory.Judgement) manager.Turn {
	t.Helper()
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, trio, text, nil, ""))(t)
	turn := must(m.BeginTurn(ctx, trio, in.ID, manager.Place{SessionID: session, Archive: archive, First: by, Judgement: j}))(t)
	w := turn.Heard[by]
	must(m.SavePackage(ctx, memory.Package{
		AgentID: by, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Turn: w.TurnCount, Blocks: []memory.Block{
			{Layer: memory.LayerWorking, Role: memory.RoleSystem, Parts: []memory.Ref{{Kind: memory.KindWorking, ID: turn.Session.ID, Version: w.TurnCount}}},
			{Layer: memory.LayerMessage, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindRecord, ID: turn.Record.ID}}},
		},
	}, nil))(t)
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: trio, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Sender: by, Role: memory.RoleAssistant,
		Content: "I see, " + text, Status: memory.StatusComplete, Model: "test",
		Usage: &memory.Usage{PromptTokens: 100, CompletionTokens: 10, TotalTokens: 110},
	}, true))(t)
	return turn
}

// wantOf checks what somebody has of a session against its records: one chain, its
// counts, and packages that open.
func wantOf(t *testing.T, m *manager.Manager, who, id string, sent, tokens int, said ...string) memory.Session {
	t.Helper()
	ctx := t.Context()
	s := must(m.Lookup().Session(ctx, who, id))(t)
	var got []string
	parent, turns := "", 0
	for _, r := range must(m.Lookup().Records(ctx, who, id))(t) {
		if r.ParentID != parent || r.SessionID != id || r.AgentID != who {
			t.Errorf("%s: %q is in %s of %s, after %s", who, r.Content, r.SessionID, r.AgentID, r.ParentID)
		}
		if parent = r.ID; r.Role == memory.RoleUser {
			turns++
			got = append(got, r.Content)
		}
	}
	if diff := cmp.Diff(said, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", who, diff)
	}
	if s.Turns != turns || s.LastRecordID != parent || s.TokensIn != tokens {
		t.Errorf("%s counts %d turns up to %s, %d tokens; it has %d up to %s, %d", who, s.Turns, s.LastRecordID, s.TokensIn, turns, parent, tokens)
	}
	packages := must(m.Lookup().Packages(ctx, who, id))(t)
	if len(packages) != sent {
		t.Errorf("%s: %d packages of %s, want %d", who, len(packages), id, sent)
	}
	for _, p := range packages {
		if full := must(m.Lookup().Package(ctx, who, p.TurnID))(t); !full.Exact || full.SessionID != id {
			t.Errorf("%s: the package of %s in %s, exact %v", who, p.TurnID, full.SessionID, full.Exact)
		}
	}
	if who == trio {
		return s
	}
	for _, it := range must(m.Lookup().Items(ctx, who, lookup.ItemFilter{All: true}))(t).Items {
		for _, ev := range it.Evidence {
			if r := must(m.Lookup().Record(ctx, who, ev.RecordID))(t); r.SessionID != ev.SessionID {
				t.Errorf("%s: the words of %q are in %s, not %s", who, it.Content, r.SessionID, ev.SessionID)
			}
		}
	}
	return s
}

// S3, S9: overruled in a group, a message moves for all who heard it: one who was there
// all the time, one who left before, and one who came later.
func TestOverruleInGroup(t *testing.T) {
	m, c, _ := openGroup(t)
	ctx := t.Context()
	j := func(old string, revived bool) *memory.Judgement {
		return &memory.Judgement{SessionID: old, By: memory.JudgedByModel, Model: "test", Revived: revived}
	}
	old := judgedTalk(t, m, "", "", "We plan a trip to Osaka.", "ann", nil).Session.ID
	must(m.EditGroup(ctx, trio, func(g *memory.Group) { g.Members = []string{"ann", "bo", "dee"} }))(t)
	c.Add(time.Hour)
	first := judgedTalk(t, m, "", old, "I like oolong tea.", "bo", j(old, false))
	fresh := first.Session.ID
	judgedTalk(t, m, fresh, "", "My name is Bo.", "ann", nil)
	for _, who := range []string{trio, "ann", "bo", "dee"} { // cy is not used; its generation is pending
		if err := m.Learning().Learn(ctx, who, nil); err != nil {
			t.Fatal(err)
		}
	}
	one, later := "We plan a trip to Osaka.", []string{"I like oolong tea.", "My name is Bo."}
	all := append([]string{one}, later...)
	tokens := map[string]int{trio: 300, "ann": 200, "bo": 100}

	to := must(m.Overrule(ctx, trio, first.Record.ID))(t)
	if to.ID != old {
		t.Fatalf("it is in %s", to.ID)
	}
	for who, sent := range map[string]int{trio: 0, "ann": 2, "bo": 1} {
		s := wantOf(t, m, who, old, sent, tokens[who], all...)
		if s.State != memory.SessionActive || s.Summary != nil {
			t.Errorf("%s: %+v", who, s)
		}
		if w := must(m.Lookup().Working(ctx, who, old))(t); w.TurnCount != 3 {
			t.Errorf("%s counts %d turns", who, w.TurnCount)
		}
	}
	wantOf(t, m, "dee", old, 0, 0, later...)
	cy := wantOf(t, m, "cy", old, 0, 0, one)
	if cy.State != memory.SessionArchiving {
		t.Errorf("who left: %+v", cy)
	}
	for _, who := range []string{trio, "ann", "bo", "dee"} {
		if s, err := m.Lookup().Session(ctx, who, fresh); err == nil {
			t.Errorf("%s still has %+v", who, s)
		}
	}

	// And back: it was not in the old one for who left before.
	to = must(m.Overrule(ctx, trio, first.Record.ID))(t)
	for who, sent := range map[string]int{trio: 0, "ann": 1, "bo": 1, "dee": 0} {
		s := wantOf(t, m, who, to.ID, sent, min(tokens[who], 200)-map[string]int{"ann": 100}[who], later...)
		if s.State != memory.SessionActive {
			t.Errorf("%s: %+v", who, s)
		}
	}
	learnAll(t, m)
	if err := m.Learning().Learn(ctx, "dee", nil); err != nil {
		t.Fatal(err)
	}
	for who, sent := range map[string]int{trio: 0, "ann": 1, "bo": 0, "cy": 0} {
		s := wantOf(t, m, who, old, sent, map[string]int{trio: 100, "ann": 100}[who], one)
		if s.State != memory.SessionArchived || s.Memories != memory.MemoriesGenerated || s.Summary == nil {
			t.Errorf("%s, ended: %+v", who, s)
		}
	}
	if _, err := m.Lookup().Session(ctx, "dee", old); err == nil {
		t.Error("who came later has a session of nothing")
	}
	// D2: a later deletion applies to all.
	must(m.DeleteRecords(ctx, trio, true, first.Record.ID))(t)
	for _, who := range []string{trio, "ann", "bo", "dee"} {
		got := must(m.Lookup().Records(ctx, who, to.ID))(t)
		if slices.ContainsFunc(got, func(r memory.Record) bool { return r.ID == first.Record.ID }) {
			t.Errorf("%s has it still", who)
		}
	}
}

// W4, S6, S9: a sweep ends the working memory of all members, which comes back with its
// count, and later the session of all.
func TestSweepOfGroup(t *testing.T) {
	m, c, _ := openGroup(t)
	ctx := t.Context()
	id := judgedTalk(t, m, "", "", "We plan a trip to Osaka.", "ann", nil).Session.ID
	everybody := append([]string{trio}, three...)
	sweep := func() {
		t.Helper()
		for _, who := range everybody {
			must(m.Sweep(ctx, who, 30*time.Minute, 24*time.Hour))(t)
		}
	}
	c.Add(31 * time.Minute)
	sweep()
	for _, who := range everybody {
		s := must(m.Lookup().Session(ctx, who, id))(t)
		if _, err := m.Lookup().Working(ctx, who, id); err == nil || s.Kept == nil || s.State != memory.SessionActive {
			t.Errorf("%s: %+v, %v", who, s, err)
		}
	}
	judgedTalk(t, m, id, "", "And which ferry?", "bo", nil)
	for _, who := range everybody {
		if w := must(m.Lookup().Working(ctx, who, id))(t); w.TurnCount != 2 {
			t.Errorf("%s counts %d", who, w.TurnCount)
		}
	}
	c.Add(25 * time.Hour)
	sweep()
	learnAll(t, m)
	for _, who := range everybody {
		if s := must(m.Lookup().Session(ctx, who, id))(t); s.State != memory.SessionArchived || s.Summary == nil || s.Kept == nil {
			t.Errorf("%s: %+v", who, s)
		}
	}
}
