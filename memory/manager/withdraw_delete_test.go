package manager_test

import (
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/recall"
)

// D2: deleting a rule deletes what was made of the request that withdrew it.
func TestDeleteWithdrawnRule(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	first, changes := say(t, m, luna, "", "Please always mention quezalcanary.")
	session := first.Session.ID
	said, in := told(t, m, session, "forget that you should always mention quezalcanary")
	if _, err := m.Learning().WithdrawSaid(ctx, said, in); err != nil {
		t.Fatal(err)
	}
	p := memory.Package{AgentID: luna, SessionID: session, TurnID: said.TurnID, Keywords: []string{"quezalcanary"}}
	must(m.SavePackage(ctx, p, nil))(t)
	gone := must(m.DeleteItems(ctx, luna, changes[0].ItemID))(t)
	keywords := func() []string { return must(m.Lookup().Package(ctx, luna, said.TurnID))(t).Keywords }
	if s := must(m.Lookup().Session(ctx, luna, session))(t); strings.Contains(s.Title, "quezalcanary") || len(keywords()) != 0 {
		t.Errorf("title %q, keywords %q", s.Title, keywords())
	}
	must(m.UndoDeletion(ctx, luna, gone.ID))(t)
	if len(keywords()) != 1 {
		t.Errorf("after undoing: keywords %q", keywords())
	}
	if s := must(m.Lookup().Session(ctx, luna, session))(t); len(s.Silenced) != 0 {
		t.Errorf("after undoing: %+v", s.Silenced)
	}
}

// D2: sentences of a long message that mention the deleted memory again are ignored too.
func TestDeleteRepeatedInMessage(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn, changes := say(t, m, luna, "", "I work at quezalcanary.\nIt went on like that.\nAnd again quezalcanary. That is all.")
	if len(changes) != 1 {
		t.Fatalf("%+v", changes)
	}
	gone := must(m.DeleteItems(ctx, luna, changes[0].ItemID))(t)
	s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t)
	var cut []string
	for _, ev := range s.Silenced {
		cut = append(cut, strings.TrimSpace(recall.Quoted(turn.Record, ev)))
	}
	if len(cut) != 2 || cut[1] != "And again quezalcanary." {
		t.Errorf("ignored: %q", cut)
	}
	must(m.UndoDeletion(ctx, luna, gone.ID))(t)
	if s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t); len(s.Silenced) != 0 {
		t.Errorf("after undoing: %+v", s.Silenced)
	}
}
