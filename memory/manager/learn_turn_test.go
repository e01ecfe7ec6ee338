package manager_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
)

// begin puts a message into a session and stops there: no model has answered.
func begin(t testing.TB, m *manager.Manager, session, text string) manager.Turn {
	t.Helper()
	in := must(m.KeepIncoming(t.Context(), luna, text, nil, ""))(t)
	return must(m.BeginTurn(t.Context(), luna, in.ID, manager.Place{SessionID: session}))(t)
}

// answerTurn ends a turn and runs the queued learning.
func answerTurn(t testing.TB, m *manager.Manager, turn manager.Turn, status memory.Status) (changes []memory.Change) {
	t.Helper()
	must(m.FinishTurn(t.Context(), memory.Record{
		AgentID: luna, SessionID: turn.Session.ID, TurnID: turn.Record.TurnID,
		Role: memory.RoleAssistant, Content: "I see.", Status: status, Model: "test",
	}, true))(t)
	return learnQueued(t, m)
}

func learnQueued(t testing.TB, m *manager.Manager) (changes []memory.Change) {
	t.Helper()
	if err := m.Learning().Learn(t.Context(), luna, func(l learning.Learned) { changes = append(changes, l.Changes...) }); err != nil {
		t.Fatal(err)
	}
	return changes
}

// L2: the rules learn from a message once it is in its session, before there is an
// answer, and nothing is learned twice: not by a second call, not with the answer, and
// not when the message is answered again, whatever became of the answer.
func TestLearnTurn(t *testing.T) {
	for _, status := range []memory.Status{memory.StatusComplete, memory.StatusCancelled, memory.StatusError} {
		m, _ := open(t)
		ctx := t.Context()
		turn := begin(t, m, "", "My name is Bo")
		l := must(m.Learning().LearnTurn(ctx, luna, turn.Record.TurnID))(t)
		if len(l.Changes) != 1 || l.Changes[0].Action != memory.ActionAdded || l.Changes[0].TurnID != turn.Record.TurnID {
			t.Fatalf("%s: learned %+v", status, l.Changes)
		}
		if l := must(m.Learning().LearnTurn(ctx, luna, turn.Record.TurnID))(t); len(l.Changes) != 0 {
			t.Errorf("%s: learned twice: %+v", status, l.Changes)
		}
		if again := answerTurn(t, m, turn, status); len(again) != 0 {
			t.Errorf("%s: learned with the answer: %+v", status, again)
		}
		must(m.RetryTurn(ctx, turn.Record, manager.Place{}))(t)
		if again := answerTurn(t, m, turn, memory.StatusComplete); len(again) != 0 {
			t.Errorf("%s: learned with the retry: %+v", status, again)
		}
		anew := must(m.RegenerateTurn(ctx, luna, turn.Record.ID, manager.Place{}))(t)
		if again := answerTurn(t, m, anew, memory.StatusComplete); len(again) != 0 {
			t.Errorf("%s: learned with another answer: %+v", status, again)
		}
		it := must(m.Lookup().Item(ctx, luna, l.Changes[0].ItemID))(t)
		if it.Version != 1 || len(it.Evidence) != 1 {
			t.Errorf("%s: %+v", status, it)
		}
	}
}

// L2: a message whose program ended before it learned is learned from by the next one,
// once; one whose program ended after that is not learned from again.
func TestLearnTurnAfterACrash(t *testing.T) {
	for name, before := range map[string]bool{"before": true, "after": false} {
		dir := filepath.Join(t.TempDir(), "data")
		c := newClock()
		m := openAt(t, dir, c, nil)
		turn := begin(t, m, "", "My name is Bo")
		want := 1
		if !before {
			must(m.Learning().LearnTurn(t.Context(), luna, turn.Record.TurnID))(t)
			want = 0
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		m = openAt(t, dir, c, nil)
		must(m.Recover(t.Context(), luna))(t)
		if changes := learnQueued(t, m); len(changes) != want {
			t.Errorf("%s: the next program learned %+v", name, changes)
		}
		if got := active(t, m); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
		if changes := learnQueued(t, m); len(changes) != 0 {
			t.Errorf("%s: learned again: %+v", name, changes)
		}
	}
}

// L2, P9: leaving a turn without an answer takes back what the rules had learned, what
// they had not learned yet is not learned, and redoing brings both back.
func TestUndoUnansweredTurn(t *testing.T) {
	for name, learned := range map[string]bool{"learned": true, "queued": false} {
		m, _ := open(t)
		ctx := t.Context()
		first, _ := say(t, m, luna, "", "I live in Shanghai")
		turn := begin(t, m, first.Session.ID, "I live in Bonn now")
		if learned {
			l := must(m.Learning().LearnTurn(ctx, luna, turn.Record.TurnID))(t)
			if len(l.Changes) != 1 || l.Changes[0].Replaced == nil || !strings.Contains(l.Changes[0].Replaced.Content, "Shanghai") {
				t.Fatalf("replaced: %+v", l.Changes)
			}
		}
		left, _, err := m.UndoLastTurn(ctx, luna, first.Session.ID)
		if err != nil {
			t.Fatal(err)
		}
		learnQueued(t, m)
		if got := active(t, m); len(got) != 1 || !strings.Contains(got[0], "Shanghai") {
			t.Errorf("%s: undone: %q", name, got)
		}
		must(m.RedoTurn(ctx, luna, left))(t)
		learnQueued(t, m)
		if got := active(t, m); len(got) != 1 || !strings.Contains(got[0], "Bonn") {
			t.Errorf("%s: redone: %q", name, got)
		}
	}
}

// L2: a message that takes the place of another teaches in its place, once.
func TestEditedTurnLearns(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	turn := begin(t, m, "", "My name is Bo")
	must(m.Learning().LearnTurn(ctx, luna, turn.Record.TurnID))(t)
	answerTurn(t, m, turn, memory.StatusComplete)
	in := must(m.KeepIncoming(ctx, luna, "My name is Bob", nil, turn.Record.ID))(t)
	edited := must(m.BeginTurn(ctx, luna, in.ID, manager.Place{SessionID: turn.Session.ID}))(t)
	if l := must(m.Learning().LearnTurn(ctx, luna, edited.Record.TurnID))(t); len(l.Changes) != 1 {
		t.Errorf("learned %+v", l.Changes)
	}
	if again := answerTurn(t, m, edited, memory.StatusComplete); len(again) != 0 {
		t.Errorf("learned again: %+v", again)
	}
	if got := active(t, m); len(got) != 1 || !strings.Contains(got[0], "Bob") {
		t.Errorf("%q", got)
	}
}

// L2, P5c: the model that analyses the message after its answer may correct what the
// rules made from it. It does not restore in other words what the user undid meanwhile.
func TestModelCorrectsRules(t *testing.T) {
	for name, undo := range map[string]bool{"corrected": false, "undone": true} {
		m := openAuto(t)
		ctx := t.Context()
		turn := begin(t, m, "", "My name is Bo. Sorry, a typo, there is a b missing at the end: Bob")
		must(m.Learning().LearnTurn(ctx, luna, turn.Record.TurnID))(t)
		if undo {
			must(m.Learning().UndoTurn(ctx, luna, turn.Record.TurnID))(t)
		}
		answerTurn(t, m, turn, memory.StatusComplete)
		c := answering(`{"items": [{"type": "fact", "about": "name", "content": "Name is Bob",
			"quote": "a typo, there is a b missing at the end: Bob", "confidence": 0.9, "importance": 0.5}]}`)
		if _, err := analyse(t, m, c); err != nil {
			t.Fatal(err)
		}
		var want []string
		if !undo {
			want = []string{"Name is Bob"}
		}
		if diff := cmp.Diff(want, active(t, m)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
