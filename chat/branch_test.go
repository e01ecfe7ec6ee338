package chat_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager"
)

func (h *house) branch() lookup.Branch {
	h.t.Helper()
	b, err := h.manager.Lookup().Branch(h.t.Context(), luna, h.chat.Session().ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

// wantBranch holds the words of the branch in use against want.
func (h *house) wantBranch(want ...string) lookup.Branch {
	h.t.Helper()
	b := h.branch()
	var got []string
	for _, r := range b.Records {
		got = append(got, r.Content)
	}
	if !slices.Equal(got, want) {
		h.t.Errorf("the branch is %q, want %q", got, want)
	}
	return b
}

// wantSent holds what went to the model last, but for the system's part, against want.
func (h *house) wantSent(want ...string) {
	h.t.Helper()
	var got []string
	all := h.server.Requests()
	for _, m := range all[len(all)-1].Messages {
		if m.Role != "system" { // notes may stand before what was said
			got = append(got, m.Content[strings.LastIndex(m.Content, "\n")+1:])
		}
	}
	if !slices.Equal(got, want) {
		h.t.Errorf("sent %q, want %q", got, want)
	}
}

// finished waits for the end of a turn and what it teaches.
func (h *house) finished() chat.Finished {
	h.t.Helper()
	f := until(h, func(chat.Finished) bool { return true })
	until(h, func(e chat.Learned) bool { return e.TurnID == f.TurnID })
	return f
}

func (h *house) tea() []memory.Item {
	h.t.Helper()
	page, err := h.manager.Lookup().Items(h.t.Context(), luna, lookup.ItemFilter{})
	if err != nil {
		h.t.Fatal(err)
	}
	return page.Items
}

// A1, C5, P4: a regenerated answer is stored beside the first, which stays and
// can be reached; the package of either is what was sent for it, byte for byte; the
// same sentence teaches and confirms once. The conversation goes on from the shown one.
func TestRegenerate(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("hello"), text("first"), text("second"), text("third"), text("on"), text("onward"))
	ctx := t.Context()
	h.say("hi")
	one, _ := h.say("I like oolong tea")
	if err := h.chat.Regenerate(ctx, ""); err != nil {
		t.Fatal(err)
	}
	two := h.finished()
	h.wantSent("hi", "hello", "I like oolong tea")
	if two.TurnID == one.TurnID || two.Record.ParentID != one.Record.ParentID {
		t.Errorf("the second answer %+v stands where the first %+v does", two.Record, one.Record)
	}
	b := h.wantBranch("hi", "hello", "I like oolong tea", "second")
	if b.Alternatives[two.Record.ID] != (lookup.Alternative{At: 2, Of: 2}) || len(b.Alternatives) != 1 {
		t.Errorf("ways %v", b.Alternatives)
	}
	items := h.tea()
	if len(items) != 1 || items[0].Version != 1 || len(items[0].Evidence) != 1 {
		t.Errorf("learned %+v", items)
	}
	for _, turn := range []string{one.TurnID, two.TurnID} {
		if p, err := h.manager.Lookup().Package(ctx, luna, turn); err != nil || !p.Exact {
			t.Errorf("package of %s: exact %v, %v", turn, p.Exact, err)
		}
	}
	if moved, err := h.chat.Step(ctx, two.Record.ID, -1); err != nil || !moved {
		t.Fatalf("stepping back: %v, %v", moved, err)
	}
	until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyBranched })
	h.wantBranch("hi", "hello", "I like oolong tea", "first")
	if moved, err := h.chat.Step(ctx, one.Record.ID, -1); err != nil || moved {
		t.Errorf("before the first: %v, %v", moved, err)
	}
	h.say("and then?")
	h.wantSent("hi", "hello", "I like oolong tea", "first", "and then?")
	if moved, err := h.chat.Step(ctx, one.Record.ID, 1); err != nil || !moved {
		t.Fatalf("stepping on: %v, %v", moved, err)
	}
	h.wantBranch("hi", "hello", "I like oolong tea", "second")
	if moved, err := h.chat.Step(ctx, two.Record.ID, -1); err != nil || !moved {
		t.Fatalf("stepping back: %v, %v", moved, err)
	}
	h.wantBranch("hi", "hello", "I like oolong tea", "first", "and then?", "third")
	h.reopen()
	h.wantBranch("hi", "hello", "I like oolong tea", "first", "and then?", "third")
}

// C5: a failed regeneration is retried under its own turn, so that
// the package of the first stays what it was.
func TestRetryOfARegenerated(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("first"), modeltest.Step{Status: 500}, text("better"))
	ctx := t.Context()
	one, _ := h.say("I like oolong tea")
	before, err := h.manager.Lookup().Package(ctx, luna, one.TurnID)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.chat.Regenerate(ctx, one.Record.ID); err != nil {
		t.Fatal(err)
	}
	two := until(h, func(chat.Finished) bool { return true })
	if two.Record.Status != memory.StatusError {
		t.Fatalf("%+v", two.Record)
	}
	if err := h.chat.Retry(ctx); err != nil {
		t.Fatal(err)
	}
	three := until(h, func(chat.Finished) bool { return true })
	if three.TurnID != two.TurnID || three.Record.Content != "better" {
		t.Errorf("answered %+v", three.Record)
	}
	if after, err := h.manager.Lookup().Package(ctx, luna, one.TurnID); err != nil || after.Hash != before.Hash || !after.Exact {
		t.Errorf("the first package became %s, exact %v, %v", after.Hash, after.Exact, err)
	}
	b := h.branch()
	if b.Alternatives[three.Record.ID] != (lookup.Alternative{At: 2, Of: 2}) {
		t.Errorf("ways %v", b.Alternatives)
	}
}

// A1, P9: an edited message goes on from there; what was left stays reachable, what
// it taught is taken back with one undo that can be taken back, and comes back only so.
func TestEditAMessage(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("a1"), text("a2"), text("a3"), text("b2"))
	ctx := t.Context()
	h.say("hi")
	two, _ := h.say("I like oolong tea")
	h.say("and my cat is called Momo")
	b := h.branch()
	if len(h.tea()) != 2 {
		t.Fatalf("learned %+v", h.tea())
	}
	old := b.Records[2]
	if _, err := h.chat.SendEdited(ctx, old.ID, "I like coffee", nil); err != nil {
		t.Fatal(err)
	}
	left := until(h, func(chat.TurnsLeft) bool { return true }).Left
	if left.Turns != 2 || len(left.Undone.Did) != 2 || left.Undone.ID == "" {
		t.Errorf("left %+v", left)
	}
	f := h.finished()
	h.wantSent("hi", "a1", "I like coffee")
	b = h.wantBranch("hi", "a1", "I like coffee", "b2")
	said := b.Records[2]
	if b.Alternatives[said.ID] != (lookup.Alternative{At: 2, Of: 2}) || said.ParentID != old.ParentID {
		t.Errorf("ways %v", b.Alternatives)
	}
	if items := h.tea(); len(items) != 1 || !strings.Contains(items[0].Content, "coffee") {
		t.Errorf("remembered %+v", items)
	}
	if p, err := h.manager.Lookup().Package(ctx, luna, two.TurnID); err != nil || !p.Exact {
		t.Errorf("the left package: %v, %v", p.Exact, err)
	}
	if _, err := h.chat.Step(ctx, said.ID, -1); err != nil {
		t.Fatal(err)
	}
	h.wantBranch("hi", "a1", "I like oolong tea", "a2", "and my cat is called Momo", "a3")
	if len(h.tea()) != 1 {
		t.Errorf("stepping taught: %+v", h.tea())
	}
	if _, err := h.manager.Learning().Undo(ctx, luna, left.Undone.ID); err != nil {
		t.Fatal(err)
	}
	if len(h.tea()) != 3 {
		t.Errorf("the undo was not taken back: %+v", h.tea())
	}
	if n := h.sessionOf(f.Record.SessionID); n.Messages != 8 || n.Turns != 4 {
		t.Errorf("counted %d messages, %d turns", n.Messages, n.Turns)
	}
}

// A1: the very first message can be edited, and the session gets its title.
func TestEditTheFirstMessage(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	h.say("Kilns and glazes")
	first := h.branch().Records[0]
	if _, err := h.chat.SendEdited(t.Context(), first.ID, "Boats and sails", nil); err != nil {
		t.Fatal(err)
	}
	h.finished()
	b := h.branch()
	if len(b.Records) != 2 || !b.Records[0].Root || b.Session.Title != "Boats and sails" {
		t.Errorf("%+v", b)
	}
	h.wantSent("Boats and sails")
}

// A message that was edited when the program died takes its place all the same.
func TestEditSurvivesACrash(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	h.say("one")
	h.say("two")
	old := h.branch().Records[2]
	if err := h.chat.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.manager.KeepIncoming(ctx, luna, "three", nil, old.ID); err != nil {
		t.Fatal(err)
	}
	h.reopen()
	h.finished()
	if b := h.branch(); len(b.Records) != 4 || b.Records[2].Content != "three" || b.Records[2].ParentID != old.ParentID {
		t.Errorf("%+v", b.Records)
	}
}

// P9, W3: undoing the last turn takes what it taught with it, and its topic; taking
// that back brings all of it again, as long as nothing was said since.
func TestUndoTheLastTurn(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("a1"), text("a2"), text("a3"))
	ctx := t.Context()
	one, _ := h.say("The kiln needs a new shelf")
	before, err := h.manager.Lookup().Working(ctx, luna, one.Record.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := h.say("I like oolong tea near the kiln, I am so happy")
	taught, err := h.manager.Lookup().Working(ctx, luna, one.Record.SessionID)
	if err != nil || taught.CurrentTopic == before.CurrentTopic {
		t.Fatalf("the topic stayed %q, %v", taught.CurrentTopic, err)
	}
	n := len(h.tea())
	left, err := h.chat.UndoTurn(ctx)
	if err != nil || left.Turns != 1 || left.Message.Content != "I like oolong tea near the kiln, I am so happy" {
		t.Fatalf("left %+v, %v", left, err)
	}
	b := h.wantBranch("The kiln needs a new shelf", "a1")
	if b.Ahead != 1 {
		t.Errorf("%d ways ahead", b.Ahead)
	}
	w, err := h.manager.Lookup().Working(ctx, luna, one.Record.SessionID)
	if err != nil || w.CurrentTopic != before.CurrentTopic || w.LastEmotion != before.LastEmotion || w.TurnCount != taught.TurnCount {
		t.Errorf("working memory is %+v, was %+v", w, before)
	}
	if got := len(h.tea()); got != n-1 {
		t.Errorf("%d memories, before %d", got, n)
	}
	if err := h.chat.RedoTurn(ctx, left); err != nil {
		t.Fatal(err)
	}
	h.wantBranch("The kiln needs a new shelf", "a1", "I like oolong tea near the kiln, I am so happy", "a2")
	if w, _ := h.manager.Lookup().Working(ctx, luna, one.Record.SessionID); w.CurrentTopic != taught.CurrentTopic || len(h.tea()) != n {
		t.Errorf("back: %+v, %d memories", w, len(h.tea()))
	}
	if left, err = h.chat.UndoTurn(ctx); err != nil {
		t.Fatal(err)
	}
	h.say("something else")
	h.wantSent("The kiln needs a new shelf", "a1", "something else")
	if err := h.chat.RedoTurn(ctx, left); !errors.Is(err, manager.ErrGone) {
		t.Errorf("taken back too late: %v", err)
	}
	if p, err := h.manager.Lookup().Package(ctx, luna, two.TurnID); err != nil || !p.Exact {
		t.Errorf("its package: %v, %v", p.Exact, err)
	}
	for range 2 {
		if _, err := h.chat.UndoTurn(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.chat.UndoTurn(ctx); !errors.Is(err, chat.ErrNothing) {
		t.Errorf("undone although there is none: %v", err)
	}
	h.wantBranch()
	if moved, err := h.chat.Step(ctx, "", 1); err != nil || !moved {
		t.Errorf("%v, %v", moved, err)
	}
	if b := h.branch(); len(b.Records) != 4 {
		t.Errorf("%+v", b.Records)
	}
}

// An answer that is arriving is cancelled before its turn is undone.
func TestUndoWhileAnswering(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("a1"), stalled)
	ctx := t.Context()
	h.say("one")
	if _, err := h.chat.Send(ctx, "two", nil); err != nil {
		t.Fatal(err)
	}
	until(h, func(e chat.PackageStored) bool { return true })
	left, err := h.chat.UndoTurn(ctx)
	if err != nil || left.Message.Content != "two" {
		t.Fatalf("%+v, %v", left, err)
	}
	h.wantBranch("one", "a1")
}

// S10, D2: a fork begins after a message, with the earlier messages where they are,
// and loses them with the original.
func TestFork(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *chat.Options) { o.Context.Order = []string{"persona", "window"} }, text("a1"), text("a2"), text("b2"), text("b3"))
	ctx := t.Context()
	one, _ := h.say("one")
	h.say("two")
	if err := h.chat.Fork(ctx, one.Record.ID); err != nil {
		t.Fatal(err)
	}
	until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyForked })
	if b := h.wantBranch("one", "a1"); b.Before != 2 || b.Session.Messages != 0 {
		t.Errorf("%+v", b)
	}
	if s := h.sessionOf(one.Record.SessionID); s.State == memory.SessionActive {
		t.Errorf("the old one is %s", s.State)
	}
	if _, err := h.chat.UndoTurn(ctx); !errors.Is(err, chat.ErrNothing) {
		t.Errorf("a turn of the original was undone: %v", err)
	}
	if err := h.chat.Regenerate(ctx, one.Record.ID); !errors.Is(err, lookup.ErrOtherSession) {
		t.Errorf("answered there anew: %v", err)
	}
	h.say("another two")
	h.wantSent("one", "a1", "another two")
	b := h.wantBranch("one", "a1", "another two", "b2")
	if b.Session.Title != "another two" || b.Session.Messages != 2 {
		t.Errorf("%+v", b.Session)
	}
	d, err := h.manager.DeleteSession(ctx, luna, one.Record.SessionID, false)
	if err != nil {
		t.Fatal(err)
	}
	if b := h.wantBranch("another two", "b2"); b.Gone != 2 {
		t.Errorf("%d are gone", b.Gone)
	}
	h.say("on")
	h.wantSent("another two", "b2", "on")
	if _, err := h.manager.UndoDeletion(ctx, luna, d.ID); err != nil {
		t.Fatal(err)
	}
	h.wantBranch("one", "a1", "another two", "b2", "on", "b3")
}

// Changes of the branch do not wait: they are refused while an answer arrives.
func TestBranchesWhileBusy(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("a1"), stalled)
	ctx := t.Context()
	one, _ := h.say("one")
	if _, err := h.chat.Send(ctx, "two", nil); err != nil {
		t.Fatal(err)
	}
	until(h, func(e chat.PackageStored) bool { return true })
	_, edit := h.chat.SendEdited(ctx, one.Record.ParentID, "x", nil)
	_, step := h.chat.Step(ctx, one.Record.ID, 1)
	for name, err := range map[string]error{
		"regenerate": h.chat.Regenerate(ctx, one.Record.ID), "edit": edit, "step": step, "fork": h.chat.Fork(ctx, one.Record.ID),
	} {
		if !errors.Is(err, chat.ErrBusy) {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.chat.Cancel()
	until(h, func(chat.Finished) bool { return true })
}

// stalled is an answer that begins and does not end.
var stalled = modeltest.Step{Text: "one two three", StallAfter: modeltest.After(2)}

// S9a, A1: editing a message of a session that has ended resumes it in another branch.
func TestEditInAnEndedSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("a1"), text("a2"), text("b1"))
	ctx := t.Context()
	one, _ := h.say("one")
	old := one.Record.SessionID
	if err := h.chat.NewSession(ctx); err != nil {
		t.Fatal(err)
	}
	h.say("elsewhere")
	if err := h.chat.Resume(ctx, old); err != nil {
		t.Fatal(err)
	}
	if _, err := h.chat.UndoTurn(ctx); !errors.Is(err, manager.ErrEnded) {
		t.Errorf("undone in a session that has ended: %v", err)
	}
	if _, err := h.chat.SendEdited(ctx, h.branch().Records[0].ID, "two", nil); err != nil {
		t.Fatal(err)
	}
	until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyBranched && e.Session.ID == old })
	h.finished()
	h.wantBranch("two", "b1")
	if s := h.sessionOf(old); s.State != memory.SessionActive || s.Epoch != 1 {
		t.Errorf("%+v", s)
	}
}
