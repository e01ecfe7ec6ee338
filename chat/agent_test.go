package chat_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
)

// I5: a changed name and persona are in force from the next turn on, without a
// restart; the turn before still shows what was sent.
func TestChangedPersona(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, modeltest.Step{Text: "One."}, modeltest.Step{Text: "Two."})
	first, _ := h.say("hello")
	if err := h.chat.SetAgent(chat.Agent{ID: luna, Name: "Nova", Persona: "You answer in rhymes.", Color: "pink"}); err != nil {
		t.Fatal(err)
	}
	if got := until[chat.AgentChanged](h, nil).Agent; got.Name != "Nova" || h.chat.Agent() != got {
		t.Errorf("told %+v", got)
	}
	second, _ := h.say("hello again")
	_, before := h.layers(first.Record.TurnID)
	_, after := h.layers(second.Record.TurnID)
	if was := before.Rendered[0].Text; !strings.Contains(was, "Luna") || strings.Contains(was, "rhymes") {
		t.Errorf("the first turn sent %q", was)
	}
	if is := after.Rendered[0].Text; !strings.Contains(is, "Nova") || !strings.Contains(is, "rhymes") || strings.Contains(is, "Luna") {
		t.Errorf("the second turn sent %q", is)
	}
	if err := h.chat.SetAgent(chat.Agent{ID: "sol"}); err == nil {
		t.Error("it became another agent")
	}
	if err := h.chat.SetAgent(chat.Agent{ID: luna, Name: "a\nb"}); err == nil {
		t.Error("its name has two lines")
	}
}

// A conversation is not left while an answer arrives, and takes nothing after.
func TestLeave(t *testing.T) {
	t.Parallel()
	gate, none := make(chan struct{}), 0
	h := newHouse(t, nil, modeltest.Step{Text: "One.", HoldAfter: &none, Hold: gate})
	if _, err := h.chat.Send(t.Context(), "hello", nil); err != nil {
		t.Fatal(err)
	}
	if err := h.chat.Leave(); !errors.Is(err, chat.ErrBusy) {
		t.Errorf("left: %v", err)
	}
	close(gate)
	until[chat.Finished](h, nil)
	for h.chat.Leave() != nil { // the turn ends a moment after its last event
		runtime.Gosched()
	}
	if _, err := h.chat.Send(t.Context(), "hello", nil); !errors.Is(err, chat.ErrClosed) {
		t.Errorf("sent: %v", err)
	}
	for range h.chat.Events() { // they end
	}
}
