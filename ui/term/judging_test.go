package term

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memoria/chat/judge"
	"memoria/chat/model/modeltest"
)

func judgement(arguments string) modeltest.Step {
	return modeltest.Step{
		When:      modeltest.When{Tool: judge.ToolName},
		ToolCalls: []modeltest.ToolCall{{Name: judge.ToolName, Arguments: arguments}},
	}
}

const (
	goesOn    = `{"topic_relevance": 8, "intent_continuity": 7, "entity_reference": 3}`
	goesWhere = `{"topic_relevance": 1, "intent_continuity": 0, "entity_reference": 0}`
)

// S3, S4: a message after a pause is judged while one can see it; the three numbers,
// the score, who judged and what was decided stand under the message; F6 decides
// otherwise, and decides back.
func TestJudgedOnScreen(t *testing.T) {
	hold := make(chan struct{})
	slow := judgement(goesOn)
	slow.Text, slow.HoldAfter, slow.Hold = "hm ", modeltest.After(0), hold
	server := modeltest.NewServer(t, modeltest.Step{Text: "直岛在濑户内海。"}, slow, modeltest.Step{Text: "末班船六点。"}, judgement(goesWhere), modeltest.Step{Text: "Try 元宝."})
	w := newWorld(t, "", server)
	s := w.show(140, 40)
	s.say("去直岛坐哪班船？")
	s.see("直岛在濑户内海")
	s.ended(1)
	w.clock.add(time.Hour)
	s.say("那末班船几点？")
	s.see("does this go on? esc begins a new conversation", "sending: “那末班船几点？”")
	close(hold)
	s.see("↳ This goes on with “", "after 60 minutes. F6 begins a new", "conversation instead.", "末班船六点", "2 turns")
	s.ended(2)
	w.clock.add(2 * time.Hour)
	s.say("What shall I call my cat?")
	s.see("↳ New topic, so a new conversation. F6 continues “", "Try 元宝", "1 turn")
	s.gone("直岛在濑户内海")
	s.ended(3) // until then F6 waits for what is judged
	s.press(tea.KeyF6)
	s.see("moved to the earlier conversation", "直岛在濑户内海", ", as you decided. F6", "3 turns")
	s.press(tea.KeyF6)
	s.see("moved to a new conversation", "↳ New topic, so a new conversation. F6 continues “", "1 turn")
	s.gone("直岛在濑户内海")
}

// S4: Esc while it is judged begins a new conversation at once.
func TestEscWhileJudging(t *testing.T) {
	server := modeltest.NewServer(t, modeltest.Step{Text: "First."}, modeltest.Step{
		When: modeltest.When{Tool: judge.ToolName}, Text: "hm hm", StallAfter: modeltest.After(1),
	}, modeltest.Step{Text: "Second."})
	w := newWorld(t, "", server)
	s := w.show(80, 24)
	s.say("Which ferry goes to Naoshima?")
	s.see("First.")
	s.ended(1)
	w.clock.add(time.Hour)
	s.say("And the last one?")
	s.see("does this go on?")
	s.press(tea.KeyEscape)
	s.see("you did not wait for it", "Second.", "1 turn")
	s.gone("First.")
}
