package chat_test

import (
	"slices"
	"testing"

	"memoria/chat"
)

// P5a: a stored message says which secrets it holds, and is erased with what repeats them.
func TestEraseSecret(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("ok"), text("hunter2-rose is safe with me"), text("ok"))
	ctx := t.Context()
	h.say("The kiln is cold")
	if _, err := h.chat.Send(ctx, "My password is hunter2-rose", nil); err != nil {
		t.Fatal(err)
	}
	stored := until[chat.UserStored](h, nil)
	end := until[chat.Finished](h, nil)
	until(h, func(l chat.Learned) bool { return l.TurnID == end.Record.TurnID })
	if !slices.Equal(stored.Secrets, []string{"password"}) {
		t.Errorf("secrets %q", stored.Secrets)
	}
	first, _ := h.say("Which glaze is it?")
	d, err := h.chat.EraseSecret(ctx, stored.Record.ID)
	if err != nil || d.Messages != 2 {
		t.Fatalf("%+v, %v", d, err)
	}
	until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyEdited })
	records, err := h.manager.Lookup().Records(ctx, luna, first.Record.SessionID)
	if err != nil || len(records) != 4 {
		t.Errorf("%d messages are left, %v", len(records), err)
	}
}

// P5a: another secret of the same conversation stays, and "remember that" keeps none.
func TestOtherSecretStays(t *testing.T) {
	t.Parallel()
	h := offline(t, nil)
	kept := h.tell("My password is hunter2-rose")
	h.settle()
	h.tell("remember that")
	if got := h.contents(); len(got) > 0 {
		t.Errorf("remembered %q", got)
	}
	other := h.tell("The pin of my bank card is 4711")
	ids, err := h.manager.Lookup().SecretRecords(t.Context(), luna, other.Record.ParentID)
	if err != nil || len(ids) == 0 || slices.Contains(ids, kept.Record.ParentID) {
		t.Errorf("%q are erased with it, %v", ids, err)
	}
}
