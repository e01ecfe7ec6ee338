package chat_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"memoria/chat"
	"memoria/chat/judge"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/manager"
)

// S3, S7: what is overruled in a session that is only looked at takes the conversation
// along: the next message goes there, and the session that was open has ended.
func TestOverruleInALookedAtSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer  string
		revived bool
	}{"to the old one": {scores(1, 1, 1), false}, "to a new one": {scores(9, 9, 9), true}} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, nil)
			ctx := t.Context()
			first, _ := h.say("I am planning a trip to Osaka in May")
			h.server.Add(judged(c.answer))
			h.clock.Add(time.Hour)
			second, _ := h.say("My name is Bo")
			if (second.Record.SessionID == first.Record.SessionID) != c.revived {
				t.Fatal("not as judged")
			}
			if err := h.chat.NewSession(ctx); err != nil {
				t.Fatal(err)
			}
			other, _ := h.say("Something else")
			if err := h.chat.Resume(ctx, second.Record.SessionID); err != nil {
				t.Fatal(err)
			}
			if err := h.chat.Overrule(ctx, h.last(second.Record.TurnID, second.Record.SessionID).ID); err != nil {
				t.Fatal(err)
			}
			told := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyOverruled })
			next, _ := h.say("What is my name?")
			if next.Record.SessionID != told.Session.ID {
				t.Errorf("the next message is in %s, not %s", next.Record.SessionID, told.Session.ID)
			}
			if s := h.sessionOf(other.Record.SessionID); s.State == memory.SessionActive {
				t.Error("the other one is still open")
			}
		})
	}
}

// I5: a setting changed during a judgement applies from the next message.
func TestSettingsWhileJudging(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, h *house) {
		h.say("Which ferry goes to Naoshima?")
		h.server.Add(modeltest.Step{First: modeltest.Duration(time.Hour), When: modeltest.When{Tool: judge.ToolName}})
		h.pass(time.Hour)
		if _, err := h.chat.Send(t.Context(), "And when does the last one leave?", nil); err != nil {
			t.Fatal(err)
		}
		until[chat.Judging](h, nil)
		cfg, context := h.chat.Config()
		cfg.SmartTimeout = 20 * time.Second
		if err := h.chat.SetConfig(cfg, context); err != nil {
			t.Fatal(err)
		}
		end := until[chat.Finished](h, nil)
		j := h.last(end.Record.TurnID, end.Record.SessionID).Judgement
		if j == nil || !strings.Contains(j.Failed, "8s") || j.Took != 8*time.Second {
			t.Errorf("%+v", j)
		}
	})
}

// S9: in a group the judgement knows who said what; overruled while the second member
// answers, all that are asked answer in the other session.
func TestOverruleInGroup(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, asGroup(t), text("Oak, I say."), text("Rye."), text("我说茶。"))
	ctx := t.Context()
	first := h.ask("What do you think of first?")[0].Record.SessionID
	h.server.Add(judged(scores(1, 1, 1)), text("Elm."),
		modeltest.Step{Text: "one two three", HoldAfter: modeltest.After(1), Hold: hold, When: modeltest.When{NoTools: true}})
	h.clock.Add(time.Hour)
	if _, err := h.chat.Send(ctx, "And second?", nil); err != nil {
		t.Fatal(err)
	}
	stored := until[chat.UserStored](h, nil)
	if stored.Record.SessionID == first {
		t.Fatal("revived")
	}
	all := h.server.Requests()
	i := slices.IndexFunc(all, func(r *modeltest.Request) bool { return r.Offers(judge.ToolName) })
	for _, who := range []string{"User", "Ann", "Bo", "小西"} {
		if said := all[i].Text(); !strings.Contains(said, who) {
			t.Errorf("the question lacks %s:\n%s", who, said)
		}
	}
	until(h, func(e chat.Delta) bool { return e.Sender == "bo" })
	if err := h.chat.Overrule(ctx, stored.Record.ID); err != nil {
		t.Fatal(err)
	}
	until(h, func(e chat.Finished) bool { return e.Record.Status == memory.StatusCancelled })
	close(hold)
	var by []string
	for _, e := range h.answers() {
		if e.Record.SessionID != first {
			t.Errorf("%s answers in %s", e.Record.Sender, e.Record.SessionID)
		}
		by = append(by, e.Record.Sender)
	}
	if !slices.Equal(by, []string{"bo", "cy"}) {
		t.Errorf("%q answer", by)
	}
	want := transcript(t, h.manager, trio, first)
	if len(want) != 9 || want[5] != "ann: Elm." {
		t.Errorf("%q", want)
	}
	for _, m := range members {
		if got := transcript(t, h.manager, m.ID, first); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", m.ID, got, want)
		}
		packages, err := h.manager.Lookup().Packages(ctx, m.ID, first)
		if err != nil || len(packages) != 2 {
			t.Errorf("%s: %d packages, %v", m.ID, len(packages), err)
		}
		for _, p := range packages {
			if full, err := h.manager.Lookup().Package(ctx, m.ID, p.TurnID); err != nil || !full.Exact {
				t.Errorf("%s: exact %v, %v", m.ID, full.Exact, err)
			}
		}
	}
}

// W4, S6, S9: a sweep ends the working memory of all who are in a group, and a message
// brings it back for all.
func TestSweepInGroup(t *testing.T) {
	t.Parallel()
	inBubble(t, asGroup(t), func(t *testing.T, h *house) {
		id := h.ask("Which ferry goes to Naoshima?")[0].Record.SessionID
		h.server.Add(judged(scores(9, 9, 9)))
		h.pass(31 * time.Minute)
		everybody := []string{trio, "ann", "bo", "cy"}
		for _, who := range everybody {
			if _, err := h.manager.Lookup().Working(t.Context(), who, id); err == nil {
				t.Errorf("%s has working memory still", who)
			}
		}
		if end := h.ask("And when does the last one leave?")[0]; end.Record.SessionID != id {
			t.Fatal("not revived")
		}
		for _, who := range everybody {
			if w, err := h.manager.Lookup().Working(t.Context(), who, id); err != nil || w.TurnCount != 2 {
				t.Errorf("%s: %+v, %v", who, w, err)
			}
		}
		h.pass(25 * time.Hour)
		synctest.Wait()
		for _, who := range everybody {
			if s, err := h.manager.Lookup().Session(t.Context(), who, id); err != nil || s.State != memory.SessionArchived {
				t.Errorf("%s: %s, %v", who, s.State, err)
			}
		}
	})
}

// S6, A1, S9: what a member has outside of the group is not ended by the group's sweeps
// while a message that a crash left waits there: that one decides.
func TestSweepLeavesWhatWaits(t *testing.T) {
	t.Parallel()
	inBubble(t, asGroup(t), func(t *testing.T, h *house) {
		ctx := t.Context()
		private := func(session, text string) manager.Turn {
			in, err := h.manager.KeepIncoming(ctx, "ann", text, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			turn, err := h.manager.BeginTurn(ctx, "ann", in.ID, manager.Place{SessionID: session})
			if err != nil {
				t.Fatal(err)
			}
			_, err = h.manager.FinishTurn(ctx, memory.Record{
				AgentID: "ann", SessionID: turn.Session.ID, TurnID: turn.Record.TurnID, Role: memory.RoleAssistant,
				Content: "I see.", Status: memory.StatusComplete, Model: "test",
			}, true)
			if err != nil {
				t.Fatal(err)
			}
			return turn
		}
		id := private("", "I like oolong tea.").Session.ID
		left, err := h.manager.KeepIncoming(ctx, "ann", "And sencha.", nil, "")
		if err != nil {
			t.Fatal(err)
		}
		h.ask("Which ferry goes to Naoshima?")
		h.pass(25 * time.Hour)
		synctest.Wait()
		s, err := h.manager.Lookup().Session(ctx, "ann", id)
		if _, werr := h.manager.Lookup().Working(ctx, "ann", id); err != nil || werr != nil || s.State != memory.SessionActive {
			t.Errorf("while a message waits the session is %s, %v, working memory: %v", s.State, err, werr)
		}
		turn, err := h.manager.BeginTurn(ctx, "ann", left.ID, manager.Place{SessionID: id})
		if err != nil || turn.Working.TurnCount != 2 {
			t.Fatalf("%+v, %v", turn.Working, err)
		}
		h.pass(25 * time.Hour)
		synctest.Wait()
		if s, err := h.manager.Lookup().Session(ctx, "ann", id); err != nil || s.State == memory.SessionActive {
			t.Errorf("when nothing waits it is %s, %v", s.State, err)
		}
	})
}
