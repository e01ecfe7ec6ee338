package chat_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"memoria/chat"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/lookup"
)

func (h *house) sessionOf(id string) memory.Session {
	h.t.Helper()
	s, err := h.manager.Lookup().Session(h.t.Context(), luna, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// S9a, W4: opening an old session from the list changes nothing, also after a
// restart and although it was archived. Sending resumes it, however long ago it
// was, without any judgement: all of its working memory is back and counts on,
// and the session that was open ends.
func TestResumeFromTheList(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"same process": false, "after a restart": true} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, nil)
			ctx := t.Context()
			first, _ := h.say("Let's plan the trip to Osaka")
			h.say("Which hotel in Osaka is good?")
			old := first.Record.SessionID
			_, err := h.manager.EditWorking(ctx, luna, old, func(w *memory.Working) {
				w.ContextVariables, w.LastEmotion = map[string]string{"budget": "900"}, "glad"
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := h.chat.NewSession(ctx); err != nil {
				t.Fatal(err)
			}
			second, _ := h.say("something else")
			if restart {
				h.reopen()
			}
			if in := h.chat.Session(); in.ID != second.Record.SessionID {
				t.Fatalf("it is in %s", in.ID)
			}
			before := h.sessionOf(old)
			if before.State == memory.SessionActive || before.Kept == nil || before.Kept.TurnCount != 2 {
				t.Fatalf("the old one: %+v", before)
			}
			h.clock.Add(30 * time.Hour)
			if err := h.chat.Resume(ctx, old); err != nil {
				t.Fatal(err)
			}
			shown := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyResumed })
			if shown.Session.ID != old || h.chat.Session().ID != old {
				t.Errorf("shown: %+v", shown)
			}
			if now := h.sessionOf(old); now.State == memory.SessionActive || now.Epoch != before.Epoch || now.Turns != 2 {
				t.Errorf("looking changed it: %+v", now)
			}
			if s := h.sessionOf(second.Record.SessionID); s.State != memory.SessionActive {
				t.Errorf("looking ended the other: %+v", s)
			}
			asked := len(h.server.Requests())
			third, _ := h.say("And the hotel?")
			if third.Record.SessionID != old || len(h.server.Requests()) != asked+1 {
				t.Errorf("went to %s with %d requests", third.Record.SessionID, len(h.server.Requests())-asked)
			}
			w, err := h.manager.Lookup().Working(ctx, luna, old)
			if err != nil || w.TurnCount != 3 || w.ContextVariables["budget"] != "900" || w.LastEmotion != "glad" {
				t.Errorf("working memory: %+v, %v", w, err)
			}
			if now := h.sessionOf(old); now.State != memory.SessionActive || now.Epoch != before.Epoch+1 || now.Kept != nil {
				t.Errorf("resumed: %+v", now)
			}
			if s := h.sessionOf(second.Record.SessionID); s.State == memory.SessionActive {
				t.Errorf("the other one: %+v", s)
			}
			h.reopen()
			if in := h.chat.Session(); in.ID != old {
				t.Errorf("after another restart it is in %s", in.ID)
			}
		})
	}
}

// S9a: who only looked and quit is where the conversation was.
func TestBrowsingIsForgotten(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	first, _ := h.say("the first")
	if err := h.chat.NewSession(t.Context()); err != nil {
		t.Fatal(err)
	}
	second, _ := h.say("the second")
	if err := h.chat.Resume(t.Context(), first.Record.SessionID); err != nil {
		t.Fatal(err)
	}
	h.reopen()
	third, _ := h.say("the third")
	if third.Record.SessionID != second.Record.SessionID {
		t.Errorf("went to %s", third.Record.SessionID)
	}
}

// The user's title is told of the session that the conversation is in, while an
// answer arrives too, and no later turn changes it.
func TestRename(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, text("ok"), modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold})
	ctx := t.Context()
	first, _ := h.say("the first")
	if _, err := h.chat.Send(ctx, "the second", nil); err != nil {
		t.Fatal(err)
	}
	until[chat.Delta](h, nil)
	if err := h.chat.Rename(ctx, first.Record.SessionID, "My trip\n去大阪"); err != nil {
		t.Fatal(err)
	}
	e := until[chat.SessionChanged](h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyRenamed })
	if e.Session.Title != "My trip 去大阪" || e.Session.ID != first.Record.SessionID || h.chat.Session().Title != e.Session.Title {
		t.Errorf("told: %+v", e)
	}
	close(hold)
	until[chat.Learned](h, nil)
	h.say("the third")
	if s := h.sessionOf(first.Record.SessionID); s.Title != "My trip 去大阪" || h.chat.Session().Title != s.Title {
		t.Errorf("title %q", s.Title)
	}
	if err := h.chat.Rename(ctx, first.Record.SessionID, " "); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an empty title: %v", err)
	}
}

// D2, S9a: deleting the session that the conversation is in leaves an empty one.
// Taken back before anything was sent, the conversation goes on as if nothing
// had been; after that, the session comes back beside the new one.
func TestDeleteCurrentSession(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]bool{"taken back at once": false, "something was sent": true} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, nil)
			ctx := t.Context()
			first, learned := h.say("I like oolong tea")
			old := first.Record.SessionID
			d, err := h.chat.DeleteSession(ctx, old, true)
			if err != nil || d.Sessions != 1 || d.Items != 1 || d.Messages != 2 {
				t.Fatalf("%+v, %v", d, err)
			}
			e := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyDeleted })
			if e.Session.ID != "" || h.chat.Session().ID != "" {
				t.Errorf("it is in %+v", e.Session)
			}
			if _, err := h.manager.Lookup().Item(ctx, luna, learned.Changes[0].ItemID); !errors.Is(err, lookup.ErrNotFound) {
				t.Errorf("the item: %v", err)
			}
			if sent {
				next, _ := h.say("which tea?")
				if next.Record.SessionID == old {
					t.Error("sent into the deleted session")
				}
				if last := h.server.Requests()[1].Text(); strings.Contains(last, "oolong") {
					t.Errorf("the model was told what was deleted:\n%s", last)
				}
			}
			if d, err = h.chat.UndoDeletion(ctx, d.ID); err != nil || d.Sessions != 1 || d.Items != 1 {
				t.Fatalf("%+v, %v", d, err)
			}
			if sent {
				if s := h.sessionOf(old); s.State == memory.SessionActive || h.chat.Session().ID == old {
					t.Errorf("beside the new one: %+v", s)
				}
				return
			}
			if e := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyRestored }); e.Session.ID != old {
				t.Errorf("it is in %+v", e.Session)
			}
			next, _ := h.say("which tea?")
			w, err := h.manager.Lookup().Working(ctx, luna, old)
			if next.Record.SessionID != old || err != nil || w.TurnCount != 2 {
				t.Errorf("went to %s; %+v, %v", next.Record.SessionID, w, err)
			}
		})
	}
}

// D2: after the deletion of the open session nothing of it is open again, and an
// older one is not taken for it.
func TestDeletedStaysAway(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	ctx := t.Context()
	first, _ := h.say("the first")
	if err := h.chat.NewSession(ctx); err != nil {
		t.Fatal(err)
	}
	second, _ := h.say("the second")
	if _, err := h.chat.DeleteSession(ctx, second.Record.SessionID, false); err != nil {
		t.Fatal(err)
	}
	h.reopen()
	third, _ := h.say("the third")
	if id := third.Record.SessionID; id == first.Record.SessionID || id == second.Record.SessionID {
		t.Errorf("went to %s", id)
	}
	if err := h.chat.Resume(ctx, second.Record.SessionID); !errors.Is(err, lookup.ErrNotFound) {
		t.Errorf("resumed: %v", err)
	}
	if p := chat.Explain(h.chat.Resume(ctx, second.Record.SessionID)); p.Title != "Not found" {
		t.Errorf("in words: %+v", p)
	}
}

// A session that is being answered, or that a waiting message goes to, is not
// deleted; another one is.
func TestDeleteWhileBusy(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil, text("ok"), text("ok"), modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold})
	ctx := t.Context()
	first, _ := h.say("the first")
	if err := h.chat.NewSession(ctx); err != nil {
		t.Fatal(err)
	}
	second, _ := h.say("the second")
	if err := h.chat.NewSession(ctx); err != nil {
		t.Fatal(err)
	}
	if err := h.chat.Resume(ctx, first.Record.SessionID); err != nil {
		t.Fatal(err)
	}
	if _, err := h.chat.Send(ctx, "the third", nil); err != nil {
		t.Fatal(err)
	}
	// From the moment it was sent, not only from its first word.
	if _, err := h.chat.DeleteSession(ctx, first.Record.SessionID, false); !errors.Is(err, chat.ErrBusy) {
		t.Errorf("at once: %v", err)
	}
	until[chat.Delta](h, nil)
	if _, err := h.chat.DeleteSession(ctx, first.Record.SessionID, false); !errors.Is(err, chat.ErrBusy) {
		t.Errorf("while it is answered: %v", err)
	}
	if _, err := h.chat.DeleteSession(ctx, second.Record.SessionID, false); err != nil {
		t.Errorf("the other one: %v", err)
	}
	close(hold)
	end := until[chat.Finished](h, nil)
	until(h, func(l chat.Learned) bool { return l.TurnID == end.Record.TurnID })
	if end.Problem != nil || end.Record.Content != "one two three" {
		t.Errorf("the answer: %+v", end)
	}
	if _, err := h.chat.DeleteSession(ctx, first.Record.SessionID, false); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// Refusals are explained in words, with a way out.
func TestRefusedInWords(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, empty := h.chat.Send(t.Context(), " ", nil)
	_, large := h.chat.Send(t.Context(), strings.Repeat("长", 2<<20), nil)
	for err, want := range map[error]string{
		empty: "nothing to send", large: "too large", chat.ErrTooLate: "Too late", h.chat.Retry(t.Context()): "nothing to try again",
	} {
		if p := chat.Explain(fmt.Errorf("sending: %w", err)); !strings.Contains(p.Title, want) || p.Text == "" {
			t.Errorf("%v: %+v", err, p)
		}
	}
	if p := chat.Explain(large); !strings.Contains(p.Text, "6291456") || !strings.Contains(p.Hint, "in parts") {
		t.Errorf("too large: %+v", p)
	}
}
