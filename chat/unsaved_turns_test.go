package chat_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/vault"
)

// takeAway makes every write fail, as a disk that is full or gone does.
func (h *house) takeAway() {
	h.t.Helper()
	if err := os.Rename(h.store(), h.store()+".away"); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) bringBack() {
	h.t.Helper()
	if err := os.Rename(h.store()+".away", h.store()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) store() string { return filepath.Join(h.dir, "memoria.db") }

func (h *house) send(text string) string {
	h.t.Helper()
	id, err := h.chat.Send(h.t.Context(), text, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

// unsaved sends a message that the disk does not take and waits for its end.
func (h *house) unsaved(text, want string) chat.Finished {
	h.t.Helper()
	h.send(text)
	if u := until[chat.UserStored](h, nil); !u.Unsaved || u.Record.Content != text {
		h.t.Errorf("%q: %+v", text, u)
	}
	end := until[chat.Finished](h, nil)
	if !end.Unsaved || end.Record.Content != want || end.Problem == nil || end.Record.Status != memory.StatusComplete {
		h.t.Errorf("%q is answered with %+v, problem %+v", text, end, end.Problem)
	}
	return end
}

// wantSession wants these messages in a session, in order, each turn with the
// package that was sent, and nothing waiting.
func (h *house) wantSession(id string, want ...string) {
	h.t.Helper()
	records, err := h.manager.Lookup().Records(h.t.Context(), luna, id)
	if err != nil {
		h.t.Fatal(err)
	}
	var got []string
	parent := ""
	for i, r := range records {
		got = append(got, r.Content)
		if r.ParentID != parent || i > 0 && r.Timestamp.Before(records[i-1].Timestamp) {
			h.t.Errorf("%q of %s follows %s of %s", r.Content, r.Timestamp, r.ParentID, records[max(i-1, 0)].Timestamp)
		}
		parent = r.ID
		if r.Role != memory.RoleUser {
			continue
		}
		pkg, err := h.manager.Lookup().Package(h.t.Context(), luna, r.TurnID)
		if err != nil || !pkg.Exact {
			h.t.Errorf("package of %q: exact %v, %v", r.Content, pkg.Exact, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("session (-want +got):\n%s", diff)
	}
	left, err := h.manager.Lookup().Incoming(h.t.Context(), luna)
	if err != nil || len(left) != 0 {
		h.t.Errorf("incoming: %v, %v", left, err)
	}
	s, err := h.manager.Lookup().Session(h.t.Context(), luna, id)
	if err != nil || s.Messages != len(want) || s.Turns != len(want)/2 || s.State != memory.SessionActive {
		h.t.Errorf("session: %+v, %v", s, err)
	}
}

// A1: while the disk takes nothing the conversation goes on, with all that was
// said in its window; nothing is called saved that is not; and when the disk is
// back, everything is written in the order in which it was said.
func TestConversationWithoutTheDisk(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("one"), text("two"), text("three"), text("four"))
	first, _ := h.say("My name is Bo")
	h.idle()
	h.takeAway()
	h.unsaved("I like cello concertos", "two")
	if p := told(h); p == nil || !strings.Contains(p.Text, "in memory only") || p.Hint == "" {
		t.Errorf("told as %+v", p)
	}
	h.unsaved("And the viola", "three")
	var sent []string
	for _, m := range h.server.Requests()[2].Messages[1:] {
		sent = append(sent, m.Content)
	}
	window := strings.Join(sent, "|")
	for _, want := range []string{"My name is Bo", "one", "I like cello concertos", "two", "And the viola"} {
		if !strings.Contains(window, want) {
			t.Errorf("the model is not told %q: %s", want, window)
		}
	}
	h.bringBack()
	last := h.send("And the violin")
	if end := until[chat.Finished](h, nil); end.Unsaved || end.Problem != nil || end.Record.SessionID != first.Record.SessionID {
		t.Errorf("with the disk again: %+v, %+v", end, end.Problem)
	}
	h.idle()
	if told(h) != nil {
		until(h, func(e chat.StorageChanged) bool { return e.Problem == nil })
	}
	h.wantSession(first.Record.SessionID, "My name is Bo", "one", "I like cello concertos", "two", "And the viola", "three", "And the violin", "four")
	if r, err := h.manager.Lookup().Record(t.Context(), luna, last); err != nil || r.Status != memory.StatusComplete {
		t.Errorf("%+v, %v", r, err)
	}
	// What they teach is learned in the end.
	for !slices.ContainsFunc(items(h), func(it memory.Item) bool { return strings.Contains(it.Content, "cello") }) {
		until[chat.Learned](h, nil)
	}
}

// told returns the last word about the disk so far; nil is that all is well.
func told(h *house) *chat.Problem {
	for _, e := range slices.Backward(h.seen) {
		if e, ok := e.(chat.StorageChanged); ok {
			return e.Problem
		}
	}
	return nil
}

func items(h *house) []memory.Item {
	h.t.Helper()
	page, err := h.manager.Lookup().Items(h.t.Context(), luna, lookup.ItemFilter{})
	if err != nil {
		h.t.Fatal(err)
	}
	return page.Items
}

// A session can begin and be left for another while the disk takes nothing.
func TestSessionsBeginWithoutTheDisk(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("one"), text("two"), text("three"), text("four"))
	h.takeAway()
	first := h.unsaved("A first thing", "one")
	again := h.unsaved("More of it", "two")
	if err := h.chat.NewSession(t.Context()); err != nil {
		if _, disk := vault.TroubleOf(err); !disk {
			t.Fatal(err)
		}
	}
	second := h.unsaved("A second thing", "three")
	if first.Record.SessionID == "" || again.Record.SessionID != first.Record.SessionID || second.Record.SessionID == first.Record.SessionID {
		t.Errorf("sessions %q, %q, %q", first.Record.SessionID, again.Record.SessionID, second.Record.SessionID)
	}
	h.bringBack()
	if end, _ := h.say("And on"); end.Record.SessionID != second.Record.SessionID || end.Unsaved {
		t.Errorf("with the disk again: %+v", end)
	}
	h.wantSession(second.Record.SessionID, "A second thing", "three", "And on", "four")
	s, err := h.manager.Lookup().Session(t.Context(), luna, first.Record.SessionID)
	if err != nil || s.State == memory.SessionActive || s.Messages != 4 {
		t.Errorf("the first session: %+v, %v", s, err)
	}
}

// The disk goes away in the middle of an answer: that is all there and is stored
// when it can be.
func TestDiskGoesDuringAnAnswer(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold}, text("four"))
	h.send("count")
	until[chat.Delta](h, nil)
	h.takeAway()
	waiting := h.send("what waits meanwhile")
	dropped := h.send("what is taken back")
	if r, err := h.chat.Unsend(t.Context(), dropped); err != nil || r.Content != "what is taken back" {
		t.Errorf("taken back: %+v, %v", r, err)
	}
	close(hold)
	end := until[chat.Finished](h, nil)
	if end.Record.Content != "one two three" || !end.Unsaved {
		t.Errorf("%+v", end)
	}
	if next := until[chat.Finished](h, nil); next.Record.Content != "four" || !next.Unsaved {
		t.Errorf("%+v", next)
	}
	h.bringBack()
	h.say("and now")
	records, err := h.manager.Lookup().Records(t.Context(), luna, end.Record.SessionID)
	if err != nil || len(records) != 6 || records[1].Content != "one two three" || records[2].ID != waiting {
		t.Errorf("%d records, %v", len(records), err)
	}
}

// L2: what a turn taught is learned when it is written late, though no other turn
// follows it.
func TestLateTurnIsLearned(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("one"), text("two"))
	h.say("Hello")
	h.idle()
	h.takeAway()
	h.unsaved("I like cello concertos", "two")
	h.idle()
	h.bringBack()
	// Any write finds out that the disk is back.
	if err := h.manager.SaveDraft(t.Context(), luna, memory.Draft{Text: "half"}); err != nil {
		t.Fatal(err)
	}
	l := until(h, func(l chat.Learned) bool { return len(l.Changes) > 0 })
	if it := l.Changes[0].Item; it == nil || !strings.Contains(it.Content, "cello") {
		t.Errorf("learned %+v", l.Changes)
	}
}

// What could not be written to the end is told at the end.
func TestEndWithoutTheDisk(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("one"), text("two"))
	h.say("kept")
	h.idle()
	h.takeAway()
	h.unsaved("lost", "two")
	h.idle()
	if err := h.chat.Close(); !errors.Is(err, vault.ErrTakenAway) {
		t.Errorf("closing: %v", err)
	}
	h.bringBack()
	if err := h.manager.Close(); err != nil {
		t.Fatal(err)
	}
	h.open()
	s, _, err := h.manager.Lookup().LastSession(t.Context(), luna)
	if err != nil || s.Messages != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}
