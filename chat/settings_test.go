package chat_test

import (
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/model/modeltest"
)

// S1, I5: a passive_timeout that is changed while the program runs decides about
// the very next message.
func TestTimeoutCountsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	set := func(d time.Duration) {
		t.Helper()
		cfg, context := h.chat.Config()
		cfg.PassiveTimeout = d
		if err := h.chat.SetConfig(cfg, context); err != nil {
			t.Fatal(err)
		}
	}
	first, _ := h.say("Let's plan the trip to Osaka")
	h.clock.Add(20 * time.Minute)
	set(10 * time.Minute)
	second, _ := h.say("Gardening needs patience")
	if second.Record.SessionID == first.Record.SessionID {
		t.Error("with 10 minutes it goes on after 20")
	}
	h.clock.Add(50 * time.Minute)
	set(time.Hour)
	third, _ := h.say("and water")
	if third.Record.SessionID != second.Record.SessionID {
		t.Error("with an hour it ends after 50 minutes")
	}
	cfg, context := h.chat.Config()
	cfg.PassiveTimeout = 0
	if err := h.chat.SetConfig(cfg, context); err == nil {
		t.Error("a timeout of nothing is taken")
	}
	if now, _ := h.chat.Config(); now.PassiveTimeout != time.Hour {
		t.Error(now)
	}
}

// I5: a turn that runs goes on with the settings it began with; the next one has
// the new ones.
func TestTurnKeepsItsSettings(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, text("one"), modeltest.Step{Text: "two three", HoldAfter: modeltest.After(1), Hold: hold})
	h.say("My name is Bo.")
	if _, err := h.chat.Send(t.Context(), "what is my name?", nil); err != nil {
		t.Fatal(err)
	}
	until[chat.Delta](h, nil)
	cfg, context := h.chat.Config()
	context.Order = []string{"persona", "window"}
	cfg.ContextLimit = 2
	if err := h.chat.SetConfig(cfg, context); err != nil {
		t.Fatal(err)
	}
	memory := h.manager.Config()
	memory.TopN = 1
	if err := h.manager.SetConfig(memory); err != nil {
		t.Fatal(err)
	}
	close(hold)
	until[chat.Finished](h, nil)
	h.say("and what is my name now?")
	got := h.server.Requests()
	if n := len(got); n != 3 {
		t.Fatalf("%d requests", n)
	}
	if said := got[1].Body; !strings.Contains(said, "Name is Bo") || len(got[1].Messages) < 4 {
		t.Errorf("the turn that ran: %s", said)
	}
	if said := got[2].Body; strings.Contains(said, "Name is Bo") || strings.Contains(said, "My name is Bo.") || len(got[2].Messages) != 4 {
		t.Errorf("the next turn, with %d messages: %s", len(got[2].Messages), said)
	}
}
