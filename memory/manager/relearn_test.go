package manager_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
)

// answerAgain has a message answered again and returns what it teaches then.
func answerAgain(t testing.TB, m *manager.Manager, turn manager.Turn) (changes []memory.Change) {
	t.Helper()
	ctx := t.Context()
	must(m.RetryTurn(ctx, turn.Record, manager.Place{}))(t)
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Model: "test",
	}, true))(t)
	if err := m.Learning().Learn(ctx, luna, func(l learning.Learned) { changes = append(changes, l.Changes...) }); err != nil {
		t.Fatal(err)
	}
	return changes
}

// D2: deleted items are not learned again from remaining data, in any wording, by rules
// or by a model, until the user restates them.
func TestDeletedIsNotLearnedAgain(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	turn, learned := say(t, m, luna, "", "I like oolong tea. Our depot occupies the fifth floor.")
	model := answering(depot)
	byModel := must(analyse(t, m, model))(t)
	must(m.Learning().EditItem(ctx, luna, learned[0].ItemID, func(it *memory.Item) { it.Content = "Likes black tea" }))(t)
	d := must(m.DeleteItems(ctx, luna, learned[0].ItemID, byModel[0].ItemID))(t)
	answerAgain(t, m, turn)
	must(analyse(t, m, model))(t)
	wantActive(t, m)

	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	must(m.DeleteItems(ctx, luna, learned[0].ItemID, byModel[0].ItemID))(t)
	if err := m.Trash().Purge(ctx); err != nil {
		t.Fatal(err)
	}
	say(t, m, luna, "", "I like oolong tea. Our depot occupies the fifth floor.")
	must(analyse(t, m, model))(t)
	wantActive(t, m, "Depot occupies the fifth floor", "Likes oolong tea.")
}

// P9: what the user corrected is not learned again when the message is answered again.
// When restated, it is.
func TestCorrectedIsNotLearnedAgain(t *testing.T) {
	m, c := open(t)
	ctx := t.Context()
	turn, learned := say(t, m, luna, "", "I like oolong tea")
	must(m.Learning().EditItem(ctx, luna, learned[0].ItemID, func(it *memory.Item) { it.Content = "Likes black tea" }))(t)
	answerAgain(t, m, turn)
	wantActive(t, m, "Likes black tea")
	c.Add(time.Minute)
	say(t, m, luna, "", "I like oolong tea")
	wantActive(t, m, "Likes black tea", "Likes oolong tea.")
}

// D2: with the last session that a memory came from goes the memory, whatever
// became of the others.
func TestDeleteSessionsOneAfterTheOther(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	first, _ := say(t, m, luna, "", "I like oolong tea")
	second, _ := say(t, m, luna, "", "I like oolong tea")
	if d := must(m.DeleteSession(ctx, luna, first.Session.ID, true))(t); d.Items != 0 {
		t.Errorf("the first took %d memories", d.Items)
	}
	if d := must(m.DeleteSession(ctx, luna, second.Session.ID, true))(t); d.Items != 1 {
		t.Errorf("the last took %d memories", d.Items)
	}
	wantActive(t, m)
}

// P9, D2: a session that comes back has what its turns refused and rejected.
func TestTakeBackBringsTheNotes(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "Our depot occupies the fifth floor. My email is bo@example.org")
	must(analyse(t, m, answering(depot)))(t)
	must(m.Reject(ctx, luna, shown(inbox(t, m)...)...))(t)
	before := must(m.Lookup().TurnChanges(ctx, luna, turn.Record.TurnID))(t)
	d := must(m.DeleteSession(ctx, luna, turn.Session.ID, true))(t)
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	after := must(m.Lookup().TurnChanges(ctx, luna, turn.Record.TurnID))(t)
	for _, c := range before {
		if !slices.ContainsFunc(after, func(o memory.Change) bool { return o.ID == c.ID }) {
			t.Errorf("%s (%s) did not come back", c.Action, c.Reason)
		}
	}
}

// D2: nor in other words of a model, of a message that is answered again; what else
// it says is still read.
func TestDeletedIsNotLearnedInOtherWords(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "Our depot occupies the fifth floor. The kitchen has a green door.")
	byModel := must(analyse(t, m, answering(depot)))(t)
	d := must(m.DeleteItems(ctx, luna, byModel[0].ItemID))(t)
	again := answering(`{"items": [
	 {"type": "fact", "about": "home", "content": "Our depot lies on the fifth floor", "quote": "depot occupies the fifth floor", "confidence": 0.9, "importance": 0.4},
	 {"type": "fact", "about": "kitchen", "content": "The kitchen has a green door", "quote": "The kitchen has a green door", "confidence": 0.9, "importance": 0.4}]}`)
	answerAgain(t, m, turn)
	must(analyse(t, m, again))(t)
	wantActive(t, m, "The kitchen has a green door")
	if asked := again.requests(); len(asked) != 1 || strings.Contains(asked[0].Prompt, "fifth floor") {
		t.Errorf("asked %+v", asked)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	wantActive(t, m, "Depot occupies the fifth floor", "The kitchen has a green door")
}

// D2: content deleted while a model reads it, an earlier message or a recalled item, is
// not in the result; the turn is analysed again.
func TestDeletedBesideWhatIsRead(t *testing.T) {
	for _, what := range []string{"message", "memory"} {
		t.Run(what, func(t *testing.T) {
			m := openAuto(t)
			ctx := t.Context()
			first, learned := say(t, m, luna, "", "I like oolong tea.")
			must(analyse(t, m, answering(`{"items": []}`)))(t)
			in := must(m.KeepIncoming(ctx, luna, "The kettle boils slowly.", nil, ""))(t)
			turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: first.Session.ID}))(t)
			must(m.SavePackage(ctx, memory.Package{
				AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
				Used: []memory.Used{{ItemID: learned[0].ItemID, Version: 1, Chosen: true}},
			}, nil))(t)
			must(m.FinishTurn(ctx, memory.Record{
				AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Hm.", Model: "test",
			}, true))(t)
			if err := m.Learning().Learn(ctx, luna, nil); err != nil {
				t.Fatal(err)
			}
			const answer = `{"topic": "oolong tea", "variables": [{"name": "drink", "value": "oolong"}], "items": []}`
			must(analyse(t, m, &completer{answer: func(context.Context, learn.Request) (learn.Answer, error) {
				if what == "memory" {
					must(m.DeleteItems(ctx, luna, learned[0].ItemID))(t)
				} else {
					must(m.DeleteRecords(ctx, luna, true, first.Record.ID))(t)
				}
				return learn.Answer{Arguments: answer}, nil
			}}))(t)
			w := must(m.Lookup().Working(ctx, luna, turn.Session.ID))(t)
			if w.CurrentTopic != "" || len(w.ContextVariables) != 0 {
				t.Errorf("working memory has what was deleted: %+v", w)
			}
			again := answering(`{"topic": "a kettle", "items": []}`)
			must(analyse(t, m, again))(t)
			if asked := again.requests(); len(asked) != 1 || what == "message" && strings.Contains(asked[0].Prompt, "oolong") ||
				strings.Contains(asked[0].Prompt, "Known already") {
				t.Errorf("read again: %+v", asked)
			}
			if w := must(m.Lookup().Working(ctx, luna, turn.Session.ID))(t); w.CurrentTopic != "a kettle" {
				t.Errorf("topic %q", w.CurrentTopic)
			}
		})
	}
}

// D2: a memory that is deleted while its session is deleted, too, does not come back
// with the session in other words.
func TestDeletedWhileTheSessionWasAway(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "Our depot occupies the fifth floor. The kitchen has a green door.")
	byModel := must(analyse(t, m, answering(depot)))(t)
	away := must(m.DeleteSession(ctx, luna, turn.Session.ID, false))(t)
	must(m.DeleteItems(ctx, luna, byModel[0].ItemID))(t)
	must(m.UndoDeletion(ctx, luna, away.ID))(t)
	answerAgain(t, m, turn)
	again := answering(`{"items": [
	 {"type": "fact", "about": "home", "content": "Our depot lies on the fifth floor", "quote": "depot occupies the fifth floor", "confidence": 0.9, "importance": 0.4}]}`)
	must(analyse(t, m, again))(t)
	wantActive(t, m)
	if s := must(m.Lookup().Session(ctx, luna, turn.Session.ID))(t); len(s.Silenced) != 1 {
		t.Errorf("silenced %+v", s.Silenced)
	}
}

// D2: what a server said of a message may quote it, and goes with it; both come back.
func TestDegradedGoesWithTheMessage(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	in := must(m.KeepIncoming(ctx, luna, "I like oolong tea", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	const said = "it cannot read oolong"
	must(m.SavePackage(ctx, memory.Package{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Degraded: said,
	}, nil))(t)
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "Hm.",
	}, true))(t)
	d := must(m.DeleteRecords(ctx, luna, false, turn.Record.ID))(t)
	if p := must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t); p.Degraded != "" {
		t.Errorf("left: %q", p.Degraded)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if p := must(m.Lookup().Package(ctx, luna, turn.Record.TurnID))(t); p.Degraded != said {
		t.Errorf("back: %q", p.Degraded)
	}
}
