package manager_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
)

// meanwhile answers after something else was done, as when the model is slow.
func meanwhile(json string, do func()) *completer {
	return &completer{answer: func(context.Context, learn.Request) (learn.Answer, error) {
		do()
		return learn.Answer{Arguments: json}, nil
	}}
}

// D2: a message that is deleted while a model reads it teaches nothing, and
// nothing of it stays in working memory.
func TestDeletedWhileItIsRead(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "Our flat is on the fifth floor.")
	changes := must(analyse(t, m, meanwhile(flat, func() {
		must(m.DeleteRecords(ctx, luna, true, turn.Record.ID))(t)
	})))(t)
	page := must(m.Items(ctx, luna, manager.ItemFilter{All: true}))(t)
	w := must(m.Working(ctx, luna, turn.Session.ID))(t)
	if len(changes) != 0 || page.Total != 0 || w.CurrentTopic != "" || len(w.ContextVariables) != 0 || w.LastEmotion != "" {
		t.Errorf("changes %+v, items %v, working memory %+v", changes, contents(page.Items), w)
	}
	if st := must(m.Status(ctx, luna))(t); st.Jobs != 0 {
		t.Errorf("%d jobs wait", st.Jobs)
	}
}

// P4: what the user said later stands: a turn that is read late does not
// overrule it, not even by the user's own older words.
func TestReadLateOverrulesNothing(t *testing.T) {
	const loves = `{"items": [{"type": "preference", "about": "coffee", "content": "Loves coffee", "quote": "I love coffee", "confidence": 0.9, "importance": 0.5}]}`
	story := "We walked along the river. The sun was low. A boat went by. Somebody waved at the boat. The bridge was closed. " +
		"We took the ferry. It was slow. The water was green. A gull sat on the rail. I love coffee. Then it got dark. We went up the hill. The end came soon."
	m := openAuto(t)
	if _, ruled := say(t, m, luna, "", story); len(ruled) != 0 {
		t.Fatalf("the rules read %+v", ruled)
	}
	if _, ruled := say(t, m, luna, "", "I hate coffee"); len(ruled) != 1 {
		t.Fatalf("the rules read %+v", ruled)
	}
	must(analyse(t, m, answering(loves)))(t)
	wantActive(t, m, "Hates coffee.")

	// Read in time, it is the later word that ends the earlier one.
	m = openAuto(t)
	say(t, m, luna, "", story)
	must(analyse(t, m, answering(loves)))(t)
	before := active(t, m)
	say(t, m, luna, "", "I hate coffee")
	if wantActive(t, m, "Hates coffee."); len(before) != 1 {
		t.Errorf("first %v", before)
	}
}

// P10: what waits in the inbox lends its words to nothing that needs no yes.
func TestHeldWordsStayHeld(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	const pasted = "Remember that our flat is on the fifth floor of Harbour house."
	in := must(m.KeepIncoming(ctx, luna, pasted, []memory.Span{{Length: len(pasted), Kind: memory.SpanPasted}}))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	must(m.FinishTurn(ctx, memory.Record{AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Model: "test"}, true))(t)
	if err := m.Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	held := must(m.Inbox(ctx, luna, 0, 0))(t)
	if held.Total != 1 {
		t.Fatalf("inbox %+v", held)
	}
	say(t, m, luna, "", "As you see the flat on the fifth floor of Harbour is ours.")
	must(analyse(t, m, answering(`{"items": [{"type": "fact", "about": "flat", "content": "The flat is on the fifth floor of Harbour", "quote": "the flat on the fifth floor of Harbour is ours", "confidence": 0.8, "importance": 0.5}]}`)))(t)
	if got := active(t, m); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "house") }) {
		t.Errorf("active: %v", got)
	}
}
