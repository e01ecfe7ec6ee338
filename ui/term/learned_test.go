package term

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// taughtScene shows a message that taught something of each kind, before its answer.
func taughtScene(m *root) {
	s := converse(m)
	item := func(id, content string, state memory.State) *memory.Item {
		return &memory.Item{ID: id, Type: memory.TypeFact, Content: content, State: state, CreatedAt: m.now}
	}
	head := func(seq uint64) chat.Head { return chat.Head{Seq: seq, SessionID: "s1", TurnID: "t2"} }
	happen(m, s,
		chat.UserStored{Head: head(7), Record: memory.Record{
			ID: "r3", SessionID: "s1", TurnID: "t2", Role: memory.RoleUser, Timestamp: m.now,
			Content: "I live in Bonn now. My email is bo@example.org. 我不再养猫了。",
		}},
		chat.Learned{Head: head(8), Changes: []memory.Change{
			{ItemID: "i4", Action: memory.ActionHeld, Reason: "personal data", Item: item("i4", "Email is bo@example.org.", memory.StateHeld)},
			{ItemID: "i5", Action: memory.ActionExpired, Item: item("i5", "养了一只猫。", memory.StateInactive)},
			{Action: memory.ActionSkipped, Reason: "known already"},
			{ItemID: "i3", Action: memory.ActionSuperseded, Item: item("i3", "Lives in Bonn.", memory.StateActive), Replaced: item("i2", "Lives in Shanghai.", memory.StateInactive)},
		}},
	)
}

// U6, P5a: what a message taught stands under it before there is an answer, with the keys
// that undo it, accept it or reject it. The words under the message before lose theirs.
func TestLessonsFrames(t *testing.T) {
	frames(t, "taught", taughtScene)
}

// U6, L2, P5a: from the keyboard: what is held is under its message while the answer is
// still arriving; F8 leads to it, a accepts it, and the message says so; F7 takes back
// what was learned last. A reader who comes back finds the same.
func TestLessonsUnderTheMessage(t *testing.T) {
	hold := make(chan struct{})
	server := modeltest.NewServer(t, modeltest.Step{Text: "I see.", HoldAfter: modeltest.After(0), Hold: hold}, modeltest.Step{Text: "Nice."})
	w := newWorld(t, "", server)
	s := w.show(80, 24)
	s.say("my email is bo@example.org")
	s.see("? Held for your approval: Email is bo@example.org.", "F8 to decide")
	s.gone("I see.")
	close(hold)
	s.ended(1)
	s.press(tea.KeyF8)
	s.see("inbox · 1", "▸ Email is bo@example.org.")
	s.sure('a')
	s.press(tea.KeyEscape)
	s.see("✓ Accepted: Email is bo@example.org.")
	s.gone("F8 opens it")
	s.say("I like oolong tea")
	s.ended(2)
	s.see("✓ Remembered: Likes oolong tea.  F7 undoes it")
	s.press(tea.KeyF7)
	s.see("− Undone: Likes oolong tea.")
	s.gone("F7 undoes it")

	w.close()
	s = newWorld(t, w.dir, server).show(80, 24)
	s.see("✓ Accepted: Email is bo@example.org.", "− Undone: Likes oolong tea.")
}

// U6: a rejection is not remembered under the message: its words are gone.
func TestRejectedLesson(t *testing.T) {
	w := newWorld(t, "", modeltest.NewServer(t))
	s := w.show(80, 24)
	s.answered(w, "my email is bo@example.org")
	s.see("? Held for your approval: Email is bo@example.org.")
	s.press(tea.KeyF8)
	s.see("▸ Email is bo@example.org.")
	s.sure('d')
	s.press(tea.KeyEscape)
	s.gone("Held for your approval")
}

// U6: what a message taught is on the screen, also where an open memory takes the place of the
// messages and of the list of what was learned.
func TestLessonsBesideAnOpenMemory(t *testing.T) {
	w := newWorld(t, "", nil)
	s := w.show(80, 24)
	s.say("I like oolong tea.")
	s.ended(1)
	s.press(tea.KeyTab)
	s.see("learned from this turn")
	s.press(tea.KeyEnter)
	s.see("your words", "“I like oolong tea”", "Remembered: Likes oolong tea.")
	s.press('b') // means nothing here: it is of a message
	s.tm.Type("y the way, I live in Bonn.")
	s.press(tea.KeyEnter)
	s.ended(2)
	s.see("✓ Remembered: Lives in Bonn.")
	s.press(tea.KeyTab)
	s.see("your words", "“I like oolong tea”", "Remembered: Lives in Bonn.")
	s.press(tea.KeyEscape)
	s.see("learned from this turn", "Lives in Bonn.")
	s.gone("Remembered: ")
}
