package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"memoria/chat"
)

// C7: a message that does not fit is refused with how much of it would, and so much of it does fit.
func TestHowMuchFits(t *testing.T) {
	t.Parallel()
	noRace(t)
	h := newHouse(t, nil)
	var text strings.Builder
	for i := range 900 {
		fmt.Fprintf(&text, "第%d句：the kiln was at %d degrees. ", i, 700+i%500)
	}
	if _, err := h.chat.Send(t.Context(), text.String(), nil); err != nil {
		t.Fatal(err)
	}
	end := until[chat.Finished](h, nil)
	var tokens, room, fits int
	const says = "The message has ~%d tokens, and ~%d fit: about the first %d characters of it."
	if end.Problem == nil {
		t.Fatal("it was sent")
	}
	if _, err := fmt.Sscanf(end.Problem.Text, says, &tokens, &room, &fits); err != nil || fits < 1000 || tokens <= room {
		t.Fatalf("it says %q: %v", end.Problem.Text, err)
	}
	if n := len(h.server.Requests()); n != 0 {
		t.Fatalf("%d requests", n)
	}
	part := string([]rune(text.String())[:fits])
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	if end := h.exchange(part); end.Problem != nil {
		t.Errorf("%d characters do not fit: %+v", fits, end.Problem)
	}
	if got := h.server.Requests()[0].LastUser(); !strings.HasSuffix(got, part) {
		t.Errorf("of %d bytes %d were sent", len(part), len(got))
	}
}

// C7: what the server says of its model is what a package has to fit into.
func TestContextOfTheServer(t *testing.T) {
	t.Parallel()
	for _, tokens := range []int{0, 6000, 64000} {
		h := newHouse(t, nil)
		h.server.Models, h.server.Context = []string{"test-model"}, tokens
		end := h.exchange("Hello.")
		sent, err := h.manager.Lookup().Package(t.Context(), luna, end.Record.TurnID)
		if err != nil {
			t.Fatal(err)
		}
		if tokens == 0 {
			tokens = 8192
		}
		if want := tokens - 1024; sent.Package.Limit != want {
			t.Errorf("the limit is %d, want %d", sent.Package.Limit, want)
		}
	}
}
