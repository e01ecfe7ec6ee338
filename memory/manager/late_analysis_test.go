package manager_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
)

// meanwhile answers after something else was done, as when the model is slow.
func meanwhile(json string, do func()) *completer {
	return &completer{answer: func(context.Context, learn.Request) (learn.Answer, error) {
		do()
		return learn.Answer{Arguments: json}, nil
	}}
}

// D2: a message deleted while a model reads it teaches nothing, and leaves nothing in
// working memory.
func TestDeletedWhileItIsRead(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	turn, _ := say(t, m, luna, "", "Our depot occupies the fifth floor.")
	changes := must(analyse(t, m, meanwhile(depot, func() {
		must(m.DeleteRecords(ctx, luna, true, turn.Record.ID))(t)
	})))(t)
	page := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t)
	w := must(m.Lookup().Working(ctx, luna, turn.Session.ID))(t)
	if len(changes) != 0 || page.Total != 0 || w.CurrentTopic != "" || len(w.ContextVariables) != 0 || w.LastEmotion != "" {
		t.Errorf("changes %+v, items %v, working memory %+v", changes, contents(page.Items), w)
	}
	if st := must(m.Lookup().Status(ctx, luna))(t); st.Jobs != 0 {
		t.Errorf("%d jobs wait", st.Jobs)
	}
}

// S3: a turn that goes to another session while a model reads it is read again, and
// what it teaches has its words there.
func TestOverruledWhileItIsRead(t *testing.T) {
	m := openAuto(t)
	ctx := t.Context()
	old, _ := say(t, m, luna, "", "We went up the hill.")
	must(analyse(t, m, answering(`{"items": []}`)))(t)
	in := must(m.KeepIncoming(ctx, luna, "Our depot occupies the fifth floor.", nil, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{
		Archive: old.Session.ID, Judgement: &memory.Judgement{SessionID: old.Session.ID, By: memory.JudgedByRules},
	}))(t)
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Content: "I see.",
		Status: memory.StatusComplete, Model: "test",
	}, true))(t)
	if err := m.Learning().Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	once := false
	must(analyse(t, m, meanwhile(depot, func() {
		if !once {
			once = true
			must(m.Overrule(ctx, luna, turn.Record.ID))(t)
		}
	})))(t)
	must(analyse(t, m, answering(depot)))(t)
	all := must(m.Lookup().Items(ctx, luna, lookup.ItemFilter{All: true}))(t).Items
	if len(all) == 0 {
		t.Error("it taught nothing")
	}
	for _, it := range all {
		if it.SessionID != old.Session.ID || it.Evidence[0].SessionID != old.Session.ID {
			t.Errorf("%q is of %s, with words in %s", it.Content, it.SessionID, it.Evidence[0].SessionID)
		}
	}
	if w := must(m.Lookup().Working(ctx, luna, old.Session.ID))(t); w.CurrentTopic == "" {
		t.Errorf("working memory: %+v", w)
	}
}

// P4: later statements have precedence: a turn that is analysed late does not override
// them, not even with the user's own older words.
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
	const pasted = "Remember that our depot occupies the fifth floor of Harbour house."
	in := must(m.KeepIncoming(ctx, luna, pasted, []memory.Span{{Length: len(pasted), Kind: memory.SpanPasted}}, ""))(t)
	turn := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{}))(t)
	must(m.FinishTurn(ctx, memory.Record{AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant, Model: "test"}, true))(t)
	if err := m.Learning().Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	held := must(m.Lookup().Inbox(ctx, luna, 0, 0))(t)
	if held.Total != 1 {
		t.Fatalf("inbox %+v", held)
	}
	say(t, m, luna, "", "As you see the depot on the fifth floor of Harbour is ours.")
	must(analyse(t, m, answering(`{"items": [{"type": "fact", "about": "depot", "content": "The depot occupies the fifth floor of Harbour", "quote": "the depot on the fifth floor of Harbour is ours", "confidence": 0.8, "importance": 0.5}]}`)))(t)
	if got := active(t, m); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "house") }) {
		t.Errorf("active: %v", got)
	}
}

// D2: deleting a message also removes what its analysis wrote into working memory, in any
// words, now and in later turns' versions. Restoring it brings that back.
func TestDeletedMessageLeavesWorkingMemory(t *testing.T) {
	const zurich = `{"topic": "桌游", "variables": [{"name": "deadline", "value": "soon"}, {"name": "Kongresshaus", "value": "closing date"}], "items": []}`
	for name, archived := range map[string]bool{"running": false, "archived": true} {
		t.Run(name, func(t *testing.T) {
			dir, c := filepath.Join(t.TempDir(), "data"), newClock()
			m := openAt(t, dir, c, func(c *write.Config) { c.Analysis = write.AnalysisAuto })
			ctx := t.Context()
			first, _ := say(t, m, luna, "", "The pottery fair is in spring.")
			session := first.Session.ID
			must(analyse(t, m, answering(`{"variables": [{"name": "before summer", "value": "spring"}], "items": []}`)))(t)
			second, _ := say(t, m, luna, session, "The board game tournament has its closing date soon.")
			must(analyse(t, m, answering(zurich)))(t)
			third, _ := say(t, m, luna, session, "I need a bus.")
			must(m.EditWorking(ctx, luna, session, func(w *memory.Working) { w.ContextVariables["mine"] = "kept" }))(t)
			if archived {
				if err := m.ArchiveSession(ctx, luna, session); err != nil {
					t.Fatal(err)
				}
			}
			working := func() memory.Working {
				if s := must(m.Lookup().Session(ctx, luna, session))(t); archived {
					return *s.Kept
				}
				return must(m.Lookup().Working(ctx, luna, session))(t)
			}
			before := working()
			d1 := must(m.DeleteRecords(ctx, luna, false, second.Record.ID))(t)
			d2 := must(m.DeleteRecords(ctx, luna, false, first.Record.ID))(t)
			if w := working(); w.CurrentTopic != "" || !cmp.Equal(w.ContextVariables, map[string]string{"mine": "kept"}) || len(w.From) != 0 {
				t.Errorf("left: %+v", w)
			}
			for _, d := range []write.Deletion{d1, d2} {
				must(m.UndoDeletion(ctx, luna, d.ID))(t)
			}
			if diff := cmp.Diff(before, working()); diff != "" {
				t.Errorf("taken back (-before +after):\n%s", diff)
			}
			records := must(m.Lookup().Records(ctx, luna, session))(t)
			must(m.DeleteRecords(ctx, luna, false, records[3].ID))(t) // the answer of the second turn
			if err := m.Trash().Purge(ctx); err != nil {
				t.Fatal(err)
			}
			if w := working(); w.ContextVariables["deadline"] != "" || w.ContextVariables["before summer"] == "" {
				t.Errorf("left: %+v", w)
			}
			_ = third
			left := must(m.Vault().Backup(ctx, nil))(t) // compact: no free pages
			if b := must(os.ReadFile(left.Path))(t); bytes.Contains(b, []byte("Kongresshaus")) || !bytes.Contains(b, []byte("before summer")) {
				t.Error("the store has it still, or nothing")
			}
		})
	}
}
