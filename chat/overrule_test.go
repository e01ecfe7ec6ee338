package chat_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat"
	"memoria/chat/judge"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
)

// inPlace checks that everything of a session is where it belongs: its records are
// one chain in the order of time, its counts are theirs, its turns' packages open to
// the byte, and what its turns taught names it.
func (h *house) inPlace(id string, said ...string) memory.Session {
	h.t.Helper()
	ctx := h.t.Context()
	s := h.sessionOf(id)
	records, err := h.manager.Lookup().Records(ctx, luna, id)
	if err != nil {
		h.t.Fatal(err)
	}
	var got []string
	parent, messages := "", 0
	for _, r := range records {
		if r.SessionID != id || r.ParentID != parent {
			h.t.Errorf("%s: record %s is in %s after %s, want %s", id, r.ID, r.SessionID, r.ParentID, parent)
		}
		parent = r.ID
		messages++
		if r.Role != memory.RoleUser {
			continue
		}
		got = append(got, r.Content)
		p, err := h.manager.Lookup().Package(ctx, luna, r.TurnID)
		if err != nil || !p.Exact || p.SessionID != id || p.Turn != len(got) {
			h.t.Errorf("%s: the package of %q: turn %d in %s, exact %v, %v", id, r.Content, p.Turn, p.SessionID, p.Exact, err)
		}
		changes, err := h.manager.Lookup().TurnChanges(ctx, luna, r.TurnID)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, c := range changes {
			if c.Item == nil {
				continue
			}
			for _, ev := range c.Item.Evidence {
				if ev.RecordID == r.ID && (ev.SessionID != id || c.Item.SessionID != id) {
					h.t.Errorf("%s: %q has its evidence in %s, and is of %s", id, c.Item.Content, ev.SessionID, c.Item.SessionID)
				}
			}
		}
	}
	if !slices.Equal(got, said) {
		h.t.Errorf("%s holds %q, want %q", id, got, said)
	}
	if s.Turns != len(said) || s.Messages != messages || s.LastRecordID != parent {
		h.t.Errorf("%s counts %d turns and %d messages up to %s; it has %d and %d up to %s",
			id, s.Turns, s.Messages, s.LastRecordID, len(said), messages, parent)
	}
	if len(records) > 0 && !s.LastMessageAt.Equal(records[len(records)-1].Timestamp) {
		h.t.Errorf("%s was last used %v, not %v", id, s.LastMessageAt, records[len(records)-1].Timestamp)
	}
	return s
}

// endRead waits until the end of a session has been read, for the events that are
// seen from here on or were seen since it ended.
func (h *house) endRead(id string) {
	h.t.Helper()
	read := func(l chat.Learned) bool { return l.Generation != "" && l.SessionID == id }
	if h.sessionOf(id).State != memory.SessionArchived {
		until(h, read)
	}
}

func (h *house) working(id string) memory.Working {
	h.t.Helper()
	w, err := h.manager.Lookup().Working(h.t.Context(), luna, id)
	if err != nil {
		h.t.Fatalf("working memory of %s: %v", id, err)
	}
	return w
}

// S3, S5, S7: a judgement is overruled: what was said since goes to the old session,
// which is revived with everything that belongs to that, and overruled again it is
// where it was. Everything is in its right place each time.
func TestOverruleNewSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	first, _ := h.say("I am planning a trip to Osaka in May")
	h.say("Which hotel in Osaka is good?")
	old := first.Record.SessionID
	h.server.Add(judged(scores(1, 1, 1)))
	h.clock.Add(time.Hour)
	third, _ := h.say("My name is Bo")
	fresh := third.Record.SessionID
	h.say("I like oolong tea")
	h.endRead(old)
	if s := h.sessionOf(old); fresh == old || s.State != memory.SessionArchived || s.Summary == nil {
		t.Fatalf("the old one: %+v", s)
	}
	msg := h.last(third.Record.TurnID, fresh)

	if err := h.chat.Overrule(ctx, msg.ID); err != nil {
		t.Fatal(err)
	}
	told := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyOverruled })
	if told.Session.ID != old || h.chat.Session().ID != old {
		t.Errorf("it is in %s", told.Session.ID)
	}
	s := h.inPlace(old, "I am planning a trip to Osaka in May", "Which hotel in Osaka is good?", "My name is Bo", "I like oolong tea")
	if s.State != memory.SessionActive || s.Summary != nil || s.Memories != memory.MemoriesNone || s.Generation != "" || s.Kept != nil {
		t.Errorf("the old one is not revived: %+v", s)
	}
	if w := h.working(old); w.TurnCount != 4 {
		t.Errorf("working memory counts %d", w.TurnCount)
	}
	if _, err := h.manager.Lookup().Session(ctx, luna, fresh); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("the other one: %v", err)
	}
	if j := h.last(third.Record.TurnID, old).Judgement; j == nil || !j.Overruled || !j.InOld() || j.Revived {
		t.Errorf("judgement: %+v", j)
	}
	again, _ := h.say("What is my name?")
	if again.Record.SessionID != old {
		t.Error("the next message goes elsewhere")
	}

	if err := h.chat.Overrule(ctx, msg.ID); err != nil {
		t.Fatal(err)
	}
	told = until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyOverruled })
	if told.Session.ID == old {
		t.Fatal("it is still in the old one")
	}
	h.inPlace(told.Session.ID, "My name is Bo", "I like oolong tea", "What is my name?")
	if w := h.working(told.Session.ID); w.TurnCount != 3 {
		t.Errorf("working memory counts %d", w.TurnCount)
	}
	h.endRead(old)
	s = h.inPlace(old, "I am planning a trip to Osaka in May", "Which hotel in Osaka is good?")
	if s.State != memory.SessionArchived || s.Summary == nil || s.Kept == nil || s.Kept.TurnCount != 2 {
		t.Errorf("the old one: %+v", s)
	}
	if list, _, err := h.manager.Lookup().Sessions(ctx, luna, 0, 0); err != nil || len(list) != 2 {
		t.Errorf("%d sessions, %v", len(list), err)
	}
}

// S3: the other way: a revived session is left again, and is as it was before.
func TestOverruleRevival(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	first, _ := h.say("I am planning a trip to Osaka in May")
	old := first.Record.SessionID
	if _, err := h.manager.EditWorking(ctx, luna, old, func(w *memory.Working) { w.ContextVariables = map[string]string{"budget": "900"} }); err != nil {
		t.Fatal(err)
	}
	h.server.Add(judged(scores(9, 9, 9)))
	h.clock.Add(time.Hour)
	second, _ := h.say("My name is Bo")
	if second.Record.SessionID != old {
		t.Fatal("not revived")
	}
	if err := h.chat.Overrule(ctx, h.last(second.Record.TurnID, old).ID); err != nil {
		t.Fatal(err)
	}
	told := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyOverruled })
	s := h.inPlace(told.Session.ID, "My name is Bo")
	if told.Session.ID == old || s.Title != "My name is Bo" || s.State != memory.SessionActive {
		t.Errorf("%+v", s)
	}
	if w := h.working(s.ID); w.TurnCount != 1 || w.ContextVariables["budget"] != "" {
		t.Errorf("working memory: %+v", w)
	}
	s = h.inPlace(old, "I am planning a trip to Osaka in May")
	if s.State == memory.SessionActive || s.Kept == nil || s.Kept.TurnCount != 1 || s.Kept.ContextVariables["budget"] != "900" {
		t.Errorf("the old one: %+v, %+v", s, s.Kept)
	}
}

// S6, S13: when a conversation has ended by the clock alone, whether the program ran
// meanwhile or not, that is told, and deciding otherwise goes on with it. One that is not
// kept cannot go on.
func TestOverruleAfterADay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sweeps, kept bool
	}{"swept": {true, true}, "not swept": {false, true}, "not kept": {false, false}} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, nil)
			cfg := h.manager.Config()
			cfg.ArchivalDefault = c.kept
			if err := h.manager.SetConfig(cfg); err != nil {
				t.Fatal(err)
			}
			first, _ := h.say("I am planning a trip to Osaka in May")
			h.clock.Add(30 * time.Hour)
			if c.sweeps {
				if _, err := h.manager.Sweep(t.Context(), luna, 30*time.Minute, 24*time.Hour); err != nil {
					t.Fatal(err)
				}
			}
			second, _ := h.say("Which hotel is good?")
			if second.Record.SessionID == first.Record.SessionID {
				t.Fatal("it goes on")
			}
			msg := h.last(second.Record.TurnID, second.Record.SessionID)
			j := msg.Judgement
			if !c.kept {
				if j != nil {
					t.Errorf("judgement: %+v", j)
				}
				return
			}
			if j == nil || j.By != memory.JudgedByTime || j.SessionID != first.Record.SessionID || j.Idle.Round(time.Minute) != 30*time.Hour {
				t.Fatalf("judgement: %+v", j)
			}
			if err := h.chat.Overrule(t.Context(), msg.ID); err != nil {
				t.Fatal(err)
			}
			until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyOverruled })
			h.inPlace(first.Record.SessionID, "I am planning a trip to Osaka in May", "Which hotel is good?")
		})
	}
}

// S3, S7: overruled while the answer arrives, that is cancelled and asked for again
// in the other session, with its window; what waits comes after it.
func TestOverruleWhileAnswering(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil)
	ctx := t.Context()
	first, _ := h.say("the word is swordfish")
	h.server.Add(judged(scores(1, 1, 1)), modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold, When: modeltest.When{NoTools: true}})
	h.clock.Add(time.Hour)
	if _, err := h.chat.Send(ctx, "what was the word?", nil); err != nil {
		t.Fatal(err)
	}
	stored := until[chat.UserStored](h, nil)
	until[chat.Delta](h, nil)
	if _, err := h.chat.Send(ctx, "and spelled backwards?", nil); err != nil {
		t.Fatal(err)
	}
	if err := h.chat.Overrule(ctx, stored.Record.ID); err != nil {
		t.Fatal(err)
	}
	cut := until[chat.Finished](h, nil)
	if cut.Record.Status != memory.StatusCancelled {
		t.Errorf("the first answer is %s", cut.Record.Status)
	}
	whole := until[chat.Finished](h, nil)
	close(hold)
	if whole.Record.Status != memory.StatusComplete || whole.Record.SessionID != first.Record.SessionID || whole.Record.TurnID != stored.Record.TurnID {
		t.Errorf("the second: %+v", whole.Record)
	}
	next := until[chat.Finished](h, nil)
	if next.Record.SessionID != first.Record.SessionID {
		t.Error("what waited is elsewhere")
	}
	requests := h.server.Requests()
	if last := requests[len(requests)-2]; !strings.Contains(last.Text(), "swordfish") {
		t.Errorf("the window lacks what was said:\n%s", last.Text())
	}
	var answers []string // S3, F6: the broken-off answer is not sent beside the whole one
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == "assistant" {
			answers = append(answers, m.Content)
		}
	}
	if diff := cmp.Diff([]string{first.Record.Content, whole.Record.Content}, answers); diff != "" {
		t.Errorf("answers in the request after (-want +got):\n%s", diff)
	}
	h.inPlace(first.Record.SessionID, "the word is swordfish", "what was the word?", "and spelled backwards?")
}

// S3: what cannot be overruled is refused in words, and nothing changes.
func TestOverruleRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	first, _ := h.say("I am planning a trip to Osaka in May")
	if err := h.chat.Overrule(ctx, h.last(first.Record.TurnID, first.Record.SessionID).ID); !errors.Is(err, chat.ErrNotJudged) {
		t.Errorf("not judged: %v", err)
	}
	h.server.Add(judged(scores(1, 1, 1)))
	h.clock.Add(time.Hour)
	second, _ := h.say("My name is Bo")
	if _, err := h.manager.DeleteSession(ctx, luna, first.Record.SessionID, false); err != nil {
		t.Fatal(err)
	}
	if err := h.chat.Overrule(ctx, h.last(second.Record.TurnID, second.Record.SessionID).ID); err != nil {
		t.Fatal(err)
	}
	n := until[chat.Notice](h, nil)
	if !strings.Contains(n.Problem.Text, "deleted") {
		t.Errorf("told: %+v", n.Problem)
	}
	h.inPlace(second.Record.SessionID, "My name is Bo")
	h.server.Add(judged(scores(1, 1, 1)))
	h.clock.Add(time.Hour)
	h.say("something else")
	if err := h.chat.Overrule(ctx, h.last(second.Record.TurnID, second.Record.SessionID).ID); !errors.Is(err, chat.ErrNotJudged) {
		t.Errorf("in another session: %v", err)
	}
	if h.judgements() != 2 {
		t.Errorf("%d judgements by %s", h.judgements(), judge.ToolName)
	}
}

// S3, A1: what hangs together still does when it has moved, also over messages that
// were deleted, in branches that are not in use, and for a fork.
func TestOverruleMovesTheTree(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil, text("a1"), judged(scores(1, 1, 1)), text("a2"), text("a3"), text("b3"), text("a4"))
	ctx := t.Context()
	first, _ := h.say("one")
	h.clock.Add(time.Hour)
	second, _ := h.say("two")
	third, _ := h.say("three")
	if err := h.chat.Regenerate(ctx, ""); err != nil {
		t.Fatal(err)
	}
	until[chat.Finished](h, nil)
	if _, err := h.chat.DeleteMessages(ctx, false, second.Record.ID); err != nil {
		t.Fatal(err)
	}
	h.say("four")
	if err := h.chat.Overrule(ctx, h.last(second.Record.TurnID, second.Record.SessionID).ID); err != nil {
		t.Fatal(err)
	}
	told := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyOverruled })
	if told.Session.ID != first.Record.SessionID {
		t.Fatalf("it is in %s", told.Session.ID)
	}
	b := h.wantBranch("one", "a1", "two", "three", "b3", "four", "a4")
	if len(b.Alternatives) != 1 {
		t.Errorf("ways: %+v", b.Alternatives)
	}
	_, err := h.chat.Step(ctx, b.Records[4].ID, -1)
	for errors.Is(err, chat.ErrBusy) && ctx.Err() == nil { // the overruling is told of before it has quite ended
		runtime.Gosched()
		_, err = h.chat.Step(ctx, b.Records[4].ID, -1)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.wantBranch("one", "a1", "two", "three", "a3")
	for _, turn := range []string{third.Record.TurnID, b.Records[4].TurnID} {
		if p, err := h.manager.Lookup().Package(ctx, luna, turn); err != nil || !p.Exact && p.Rendered[0].Forgotten == 0 && p.SessionID != told.Session.ID {
			t.Errorf("package: %v, %+v", err, p.Package)
		}
	}
}
