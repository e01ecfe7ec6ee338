package manager_test

import (
	"errors"
	"strings"
	"testing"

	"memoria/memory/manager"
)

// D2: an undone turn whose message was deleted since cannot be redone, nor can what was
// made from it. When the deletion is undone, it can.
func TestDeletedTurnIsNotRedone(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	first, _ := say(t, m, luna, "", "Good evening.")
	turn, _ := say(t, m, luna, first.Session.ID, "Our depot occupies the fifth floor.")
	must(analyse(t, m, answering(depot)))(t)
	s := first.Session.ID
	if w := must(m.Lookup().Working(ctx, luna, s))(t); w.CurrentTopic != "the depot" {
		t.Fatalf("working memory: %+v", w)
	}
	left, _, err := m.UndoLastTurn(ctx, luna, s)
	if err != nil {
		t.Fatal(err)
	}
	var turns []string
	for _, r := range must(m.Lookup().Records(ctx, luna, s))(t) {
		if r.TurnID == turn.Record.TurnID {
			turns = append(turns, r.ID)
		}
	}
	d := must(m.DeleteRecords(ctx, luna, false, turns...))(t)
	if _, err := m.RedoTurn(ctx, luna, left); !errors.Is(err, manager.ErrGone) {
		t.Errorf("the deleted turn is redone: %v", err)
	}
	w := must(m.Lookup().Working(ctx, luna, s))(t)
	if strings.Contains(w.CurrentTopic, "depot") || len(w.ContextVariables) != 0 {
		t.Errorf("back in working memory: %+v", w)
	}
	for _, r := range must(m.Lookup().Branch(ctx, luna, s))(t).Records {
		if strings.Contains(r.Content, "depot") {
			t.Errorf("back in the branch: %q", r.Content)
		}
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if _, err := m.RedoTurn(ctx, luna, left); err != nil {
		t.Errorf("after the deletion was taken back: %v", err)
	}
}

// D2: when another message was deleted since, the turn comes back without the working
// memory of then, which may hold words of that message.
func TestRedoneWithoutWhatWasDeleted(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	first, _ := say(t, m, luna, "", "Our depot occupies the fifth floor.")
	must(analyse(t, m, answering(depot)))(t)
	s := first.Session.ID
	say(t, m, luna, s, "Good evening.")
	left, _, err := m.UndoLastTurn(ctx, luna, s)
	if err != nil {
		t.Fatal(err)
	}
	must(m.DeleteRecords(ctx, luna, false, first.Record.ID))(t)
	must(m.RedoTurn(ctx, luna, left))(t)
	w := must(m.Lookup().Working(ctx, luna, s))(t)
	if strings.Contains(w.CurrentTopic, "depot") || len(w.ContextVariables) != 0 {
		t.Errorf("back in working memory: %+v", w)
	}
	said := must(m.Lookup().Branch(ctx, luna, s))(t).Records
	if n := len(said); n == 0 || said[n-1].TurnID != left.Message.TurnID {
		t.Errorf("the turn is not back: %+v", said)
	}
}
