package chat_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
)

// D2, A5: a message that is deleted is out of the next package, the conversation
// is told, and taking it back brings it into the one after.
func TestDeleteMessages(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("ok"), text("ok"), text("ok"), text("ok"))
	ctx := t.Context()
	first, _ := h.say("The kiln is at 1,240 degrees")
	h.say("Which glaze is it?")
	records, err := h.manager.Lookup().Records(ctx, luna, first.Record.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	sent := func() string {
		h.say("And now?")
		all := h.server.Requests()
		return all[len(all)-1].Body
	}
	d, err := h.chat.DeleteMessages(ctx, false, records[0].ID, records[1].ID)
	if err != nil || d.Messages != 2 || d.Sessions != 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	told := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyEdited })
	if told.Session.Messages != 2 || strings.Contains(told.Session.Title, "kiln") || h.chat.Session().Messages != 2 {
		t.Errorf("told %+v", told.Session)
	}
	if got := sent(); strings.Contains(got, "1,240") || !strings.Contains(got, "glaze") {
		t.Errorf("sent %s", got)
	}
	if _, err := h.chat.UndoDeletion(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyEdited })
	if got := sent(); !strings.Contains(got, "1,240") {
		t.Errorf("after taking back: %s", got)
	}
}

// A conversation whose last message goes is in no session; it is again when that
// comes back.
func TestDeleteAllMessages(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	first, _ := h.say("only this")
	records, err := h.manager.Lookup().Records(ctx, luna, first.Record.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range records {
		ids = append(ids, r.ID)
	}
	d, err := h.chat.DeleteMessages(ctx, true, slices.Concat(ids, ids)...)
	if err != nil || d.Sessions != 1 {
		t.Fatalf("%+v, %v", d, err)
	}
	until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyDeleted && e.Session.ID == "" })
	if _, err := h.chat.UndoDeletion(ctx, d.ID); err != nil {
		t.Fatal(err)
	}
	if back := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyRestored }); back.Session.ID != first.Record.SessionID {
		t.Errorf("back in %+v", back.Session)
	}
}

// A message being answered is not deleted before its answer ends.
func TestDeleteMessageWhileAnswering(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold})
	if _, err := h.chat.Send(t.Context(), "hello", nil); err != nil {
		t.Fatal(err)
	}
	stored := until(h, func(chat.UserStored) bool { return true })
	until(h, func(chat.Delta) bool { return true })
	if _, err := h.chat.DeleteMessages(t.Context(), false, stored.Record.ID); !errors.Is(err, chat.ErrBusy) {
		t.Errorf("deleted: %v", err)
	}
	close(hold)
	until(h, func(chat.Finished) bool { return true })
}
