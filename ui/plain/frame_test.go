package plain

import (
	"strings"
	"testing"

	"memoria/chat/model/modeltest"
)

// P10: lines that a person types through a bridge count as typed, one by one.
func TestByHand(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t))
	k.opts.ByHand = true
	got := k.script("My name is Bo.", "I like oolong tea.")
	if strings.Contains(got, "inbox") || strings.Contains(got, "come from a program") || strings.Contains(got, "pasted") {
		t.Errorf("said\n%s", got)
	}
	for _, want := range []string{"Name is Bo.", "Likes oolong tea."} {
		if !strings.Contains(got, "emembered: "+want) {
			t.Errorf("%q is not remembered:\n%s", want, got)
		}
	}
}

// P5b: line mode says when learning is paused, and when it goes on.
func TestLearningIsPaused(t *testing.T) {
	k := newTalk(t, "", modeltest.NewServer(t)).begin()
	k.say("Let's play a space game").hear("learning is paused (playing a game); to go on, say “carry on remembering”\n", "end of answer", "you: ")
	k.say("My name is Zorblax.").hear("Name is Zorblax.", "end of answer", "you: ")
	k.say("ok, stop the game").hear("learning goes on\n", "end of answer", "you: ")
	k.say("My name is Bo.").hear("emembered: Name is Bo.", "end of answer", "you: ")
	if n := strings.Count(k.text(), "learning is paused"); n != 1 {
		t.Errorf("said %d times that learning is paused", n)
	}
	k.say("/quit")
	must(t, k.ended())
}
