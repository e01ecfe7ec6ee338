package manager_test

import (
	"path/filepath"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/manager/learning"
)

// P9, P10: a yes in the inbox is taken back: the memory waits again. A rejection
// is a deletion: no undo, and once taken back it is no version of the memory.
func TestUndoAccepted(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	say(t, m, luna, "", email)
	held := inbox(t, m)
	must(m.Learning().Accept(ctx, luna, shown(held...)...))(t)
	u := must(m.Learning().UndoLast(ctx, luna))(t)
	if len(u.Did) != 1 || u.Did[0].Action != memory.ActionUndone || u.Did[0].Restores != 1 {
		t.Fatalf("did %+v", u)
	}
	again := inbox(t, m)
	if len(again) != 1 || again[0].ID != held[0].ID || again[0].Reason != held[0].Reason {
		t.Fatalf("the inbox holds %+v", again)
	}
	d := must(m.Reject(ctx, luna, shown(again...)...))(t)
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	var rejected string
	for _, c := range must(m.Lookup().History(ctx, luna, held[0].ID))(t) {
		if c.Action == memory.ActionRejected {
			rejected = c.ID
		}
	}
	if u = must(m.Learning().Undo(ctx, luna, rejected))(t); len(u.Did) != 0 || len(u.Left) != 1 {
		t.Errorf("the rejection was undone: %+v", u)
	}
	must(m.Learning().UndoLast(ctx, luna))(t)
	if it := must(m.Lookup().Item(ctx, luna, held[0].ID))(t); it.State != memory.StateInactive || len(inbox(t, m)) != 0 {
		t.Errorf("its creation was not undone: %+v", it)
	}
}

// P8, P9: what forgetting put aside is brought back by an undo of that change,
// stays for as long as an undo lasts, and is not what an undo without a name means.
func TestUndoForgotten(t *testing.T) {
	c := newClock()
	m := openAt(t, filepath.Join(t.TempDir(), "data"), c, nil)
	ctx := t.Context()
	it := must(m.Learning().AddItem(ctx, luna, memory.Item{Content: "Is on leave.", ValidTo: start.Add(day)}))(t)
	c.Add(2 * day)
	forget(t, m)
	if last, err := m.Lookup().LastChange(ctx, luna); err == nil {
		t.Errorf("the last change is %+v", last)
	}
	history := must(m.Lookup().History(ctx, luna, it.ID))(t)
	must(m.Learning().Undo(ctx, luna, history[1].ID))(t)
	c.Add(time.Hour)
	if done := forget(t, m); done != (learning.Forgotten{}) {
		t.Errorf("forgotten again: %+v", done)
	}
	wantActive(t, m, "Is on leave.")
	c.Add(31 * day)
	forget(t, m)
	wantActive(t, m)
}
