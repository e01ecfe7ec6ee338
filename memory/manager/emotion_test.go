package manager_test

import (
	"testing"

	"memoria/memory"
	"memoria/memory/manager"
)

// W3: after a turn the working memory knows how the user said that he feels;
// other talk leaves it, another feeling replaces it, pasted text says nothing.
func TestLastEmotion(t *testing.T) {
	m, _ := open(t)
	turn, _ := say(t, m, luna, "", "Let's plan the trip to Osaka")
	for _, c := range []struct{ said, want string }{
		{"Which hotel is good?", ""},
		{"I'm so tired today, keep it short", "tired"},
		{"What about the flight?", "tired"},
		{"I'm not angry", "tired"},
		{"终于订好了，太开心了！", "happy"},
	} {
		say(t, m, luna, turn.Session.ID, c.said)
		w := must(m.Lookup().Working(t.Context(), luna, turn.Session.ID))(t)
		if w.LastEmotion != c.want {
			t.Errorf("after %q: %q, want %q", c.said, w.LastEmotion, c.want)
		}
	}

	ctx, pasted := t.Context(), "I'm so angry at you"
	in := must(m.KeepIncoming(ctx, luna, pasted, []memory.Span{{Length: len(pasted), Kind: memory.SpanPasted}}, ""))(t)
	next := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: turn.Session.ID}))(t)
	must(m.FinishTurn(ctx, memory.Record{
		AgentID: luna, SessionID: next.Session.ID, TurnID: next.Record.TurnID, Role: memory.RoleAssistant,
		Content: "I see.", Status: memory.StatusComplete, Model: "test",
	}, true))(t)
	if err := m.Learning().Learn(ctx, luna, nil); err != nil {
		t.Fatal(err)
	}
	if w := must(m.Lookup().Working(ctx, luna, turn.Session.ID))(t); w.LastEmotion != "happy" || w.TurnCount != 7 {
		t.Errorf("after pasted text: %+v", w)
	}
}
