package chat_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"memoria/chat"
	"memoria/chat/judge"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// inBubble runs f with a house in which hours take no time.
func inBubble(t *testing.T, change func(*chat.Options), f func(*testing.T, *house)) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{t: t, dir: filepath.Join(t.TempDir(), "data"), server: modeltest.New(), change: change, bubble: true}
		h.open()
		defer func() {
			h.close()
			for range h.chat.Events() { // the unread events
			}
		}()
		f(t, h)
	})
}

// judged is a step that answers the question for a judgement.
func judged(arguments ...string) modeltest.Step {
	s := modeltest.Step{When: modeltest.When{Tool: judge.ToolName}}
	for _, a := range arguments {
		s.ToolCalls = append(s.ToolCalls, modeltest.ToolCall{Name: judge.ToolName, Arguments: a})
	}
	return s
}

func scores(topic, intent, entity any) string {
	return fmt.Sprintf(`{"topic_relevance": %v, "intent_continuity": %v, "entity_reference": %v}`, topic, intent, entity)
}

// judgements counts the requests for a judgement.
func (h *house) judgements() (n int) {
	for _, r := range h.server.Requests() {
		if r.Offers(judge.ToolName) {
			n++
		}
	}
	return n
}

// last is the user's message of a turn, as it is stored.
func (h *house) last(turn string, session string) memory.Record {
	h.t.Helper()
	all, err := h.manager.Lookup().Records(h.t.Context(), luna, session)
	if err != nil {
		h.t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(r memory.Record) bool { return r.TurnID == turn && r.Role == memory.RoleUser })
	if i < 0 {
		h.t.Fatalf("turn %s has no message in %s", turn, session)
	}
	return all[i]
}

// The timing table: S1, S2, S3, S6. Every row is a pause and what becomes of the
// message after it, with the number of judgements that are asked for.
func TestTimingTable(t *testing.T) {
	t.Parallel()
	yes, no := scores(9, 9, 5), scores(1, 0, 0)
	for name, c := range map[string]struct {
		pause  time.Duration
		answer string
		plain  bool // smart context is off
		same   bool
		asked  int
		why    chat.SessionWhy
	}{
		"29:59":                {pause: 29*time.Minute + 59*time.Second, same: true},
		"29:59, off":           {pause: 29*time.Minute + 59*time.Second, plain: true, same: true},
		"30:00, related":       {pause: 30 * time.Minute, answer: yes, same: true, asked: 1, why: chat.WhyRevived},
		"30:00, unrelated":     {pause: 30 * time.Minute, answer: no, asked: 1, why: chat.WhyUnrelated},
		"30:00, off":           {pause: 30 * time.Minute, plain: true, why: chat.WhyTimeout},
		"23:59:59, related":    {pause: 24*time.Hour - time.Second, answer: yes, same: true, asked: 1, why: chat.WhyRevived},
		"24:00:00, related":    {pause: 24 * time.Hour, answer: yes, same: true, asked: 1, why: chat.WhyRevived},
		"24:00:31, swept":      {pause: 24*time.Hour + 31*time.Second, answer: yes, why: chat.WhyEnded},
		"60 hours, still open": {pause: 60 * time.Hour, answer: yes, why: chat.WhyEnded},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(o *chat.Options) { o.Config.SmartContext = !c.plain }, func(t *testing.T, h *house) {
				first, _ := h.say("Which ferry goes to Naoshima?")
				if c.answer != "" {
					h.server.Add(judged(c.answer))
				}
				h.pass(c.pause - time.Since(first.Record.Timestamp))
				second, _ := h.say("And when does the last one leave?")
				if same := second.Record.SessionID == first.Record.SessionID; same != c.same {
					t.Errorf("the same session: %v", same)
				}
				if n := h.judgements(); n != c.asked {
					t.Errorf("%d judgements were asked for, want %d", n, c.asked)
				}
				state := h.sessionOf(first.Record.SessionID).State
				if c.same != (state == memory.SessionActive) {
					t.Errorf("the old session is %s", state)
				}
				var whys []chat.SessionWhy
				for _, e := range h.seen {
					if e, ok := e.(chat.SessionChanged); ok {
						whys = append(whys, e.Why)
					}
				}
				if c.why != "" && whys[len(whys)-1] != c.why {
					t.Errorf("told: %v", whys)
				}
			})
		})
	}
}

// S6: a session that was left is archived by the sweep, when it was idle for more
// than hard_timeout and not before, in the background and with what belongs to its
// end; its working memory has ended long before (W4).
func TestSweep(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, h *house) {
		first, _ := h.say("I am planning a trip to Osaka in May")
		id := first.Record.SessionID
		working := func() error {
			_, err := h.manager.Lookup().Working(t.Context(), luna, id)
			return err
		}
		h.pass(30*time.Minute - time.Second - time.Since(first.Record.Timestamp))
		synctest.Wait()
		if err := working(); err != nil {
			t.Errorf("after 29:59: %v", err)
		}
		h.pass(31 * time.Second) // the next sweep
		synctest.Wait()
		if err := working(); err == nil {
			t.Error("working memory is there after half an hour")
		}
		if s := h.sessionOf(id); s.State != memory.SessionActive || s.Kept == nil || s.Kept.TurnCount != 1 {
			t.Errorf("after half an hour: %+v", s)
		}
		h.pass(24*time.Hour - time.Since(first.Record.Timestamp))
		synctest.Wait()
		if s := h.sessionOf(id); s.State != memory.SessionActive {
			t.Errorf("after 24 hours it is %s", s.State)
		}
		h.pass(31 * time.Second)
		told := until(h, func(e chat.SessionChanged) bool { return e.Why == chat.WhyEnded })
		if told.Session.ID != id || told.Session.State == memory.SessionActive {
			t.Errorf("told: %+v", told.Session)
		}
		synctest.Wait()
		if s := h.sessionOf(id); s.State != memory.SessionArchived || s.Summary == nil {
			t.Errorf("after the sweep: %s, summary %v", s.State, s.Summary)
		}
		if n := h.judgements(); n != 0 {
			t.Errorf("%d judgements", n)
		}
	})
}

// S6: the program was closed for 60 hours: the session is found ended, archived and
// not judged. A clock that was set back by an hour makes no pause.
func TestClosedForLong(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	first, _ := h.say("Which ferry goes to Naoshima?")
	h.close()
	h.clock.Add(60 * time.Hour)
	h.seen = nil
	h.open()
	if in := h.chat.Session(); in.ID != "" {
		t.Errorf("it opens %s, which has ended", in.ID)
	}
	second, _ := h.say("And when does the last one leave?")
	if second.Record.SessionID == first.Record.SessionID || h.judgements() != 0 {
		t.Errorf("the same session, or %d judgements", h.judgements())
	}
	if s := h.sessionOf(first.Record.SessionID); s.State == memory.SessionActive {
		t.Error("the old one is active")
	}
	h.clock.Add(-time.Hour)
	third, _ := h.say("Thanks")
	if third.Record.SessionID != second.Record.SessionID || h.judgements() != 0 {
		t.Error("a clock set back made another session")
	}
}

// A1, S6: a message that was kept and not resolved before the program ended belongs
// where it did when it was sent, however long ago that was.
func TestIncomingIsResolvedByItsOwnTime(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	first, _ := h.say("Which ferry goes to Naoshima?")
	h.close()
	h.clock.Add(10 * time.Minute)
	h.openMemory()
	if _, err := h.manager.KeepIncoming(t.Context(), luna, "And when does the last one leave?", nil, ""); err != nil {
		t.Fatal(err)
	}
	if err := h.manager.Close(); err != nil {
		t.Fatal(err)
	}
	h.clock.Add(60 * time.Hour)
	h.open()
	second := until[chat.Finished](h, nil)
	if second.Record.SessionID != first.Record.SessionID {
		t.Error("it is in another session")
	}
}

// S3, S4: the model's answer decides, and an invalid answer makes a new session,
// without another judgement. The message carries the result.
func TestJudgement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step   modeltest.Step
		same   bool
		score  float64
		failed string // a part of why
		slow   time.Duration
	}{
		"related":        {step: judged(scores(9, 8, 6)), same: true, score: 8},
		"unrelated":      {step: judged(scores(1, 2, 0)), score: 1.2},
		"exactly 6.0":    {step: judged(scores(6, 6, 6)), same: true, score: 6},
		"6.0 in parts":   {step: judged(scores(10, 5, 0)), same: true, score: 6},
		"5.8":            {step: judged(scores(6, 6, 5)), score: 5.8},
		"whole floats":   {step: judged(scores("7.0", "7.0", "7e0")), same: true, score: 7},
		"no tool call":   {step: modeltest.Step{Text: "They seem related."}, failed: "did not call"},
		"missing field":  {step: judged(`{"topic_relevance": 9, "intent_continuity": 9}`), failed: "left out entity_reference"},
		"11":             {step: judged(scores(11, 9, 9)), failed: "11"},
		"a string":       {step: judged(scores(`"7"`, 9, 9)), failed: "topic_relevance"},
		"a float":        {step: judged(scores(7.5, 9, 9)), failed: "7.5"},
		"two calls":      {step: judged(scores(9, 9, 9), scores(1, 1, 1)), failed: "more than once"},
		"broken JSON":    {step: judged(`{"topic_relevance": 9, `), failed: "JSON"},
		"timeout":        {step: modeltest.Step{First: modeltest.Duration(time.Hour)}, failed: "8s"},
		"silence inside": {step: modeltest.Step{Text: "Let me think", StallAfter: modeltest.After(1)}, failed: "8s"},
		"loads first":    {step: loads(judged(scores(9, 8, 6)), 12*time.Second), same: true, score: 8, slow: 12 * time.Second},
		"never loads":    {step: loads(judged(scores(9, 8, 6)), time.Hour), failed: "had not loaded the model after 1m0s", slow: time.Minute},
		"error 500":      {step: modeltest.Step{Status: 500}, failed: "The model server failed"},
		"error 429":      {step: modeltest.Step{Status: 429, RetryAfter: "1"}, failed: "slow down"},
		"cut stream":     {step: modeltest.Step{Text: "Let me think", DropAfter: modeltest.After(1)}, failed: "The model server"},
		"cut off":        {step: cutOff(scores(9, 9, 9)), failed: "The answer was cut off"},
		"a web page":     {step: modeltest.Step{Status: 200, ContentType: "text/html", Body: "<html>sign in</html>"}, failed: "no proper answer"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, nil, func(t *testing.T, h *house) {
				first, _ := h.say("Which ferry goes to Naoshima?")
				c.step.When = modeltest.When{Tool: judge.ToolName}
				h.server.Add(c.step)
				h.pass(time.Hour)
				sent := time.Now()
				second, _ := h.say("And when does the last one leave?")
				r := h.last(second.Record.TurnID, second.Record.SessionID)
				if r.Judgement == nil {
					t.Fatal("no judgement is kept")
				}
				j := *r.Judgement
				if same := second.Record.SessionID == first.Record.SessionID; same != c.same || j.Revived != c.same || j.InOld() != c.same {
					t.Errorf("the same session: %v; %+v", same, j)
				}
				if j.By != memory.JudgedByModel || j.Model != "test-model" || j.SessionID != first.Record.SessionID || j.Idle < 59*time.Minute {
					t.Errorf("who judged what: %+v", j)
				}
				if j.Score != c.score || (j.Failed != "") != (c.failed != "") || !strings.Contains(j.Failed, c.failed) {
					t.Errorf("score %v, failed %q", j.Score, j.Failed)
				}
				if n := h.judgements(); n != 1 {
					t.Errorf("%d judgements were asked for", n)
				}
				if took := r.Timestamp.Sub(sent); took > time.Second || j.Took > 8*time.Second+c.slow {
					t.Errorf("kept after %v, judged in %v", took, j.Took)
				}
				if second.Record.Status != memory.StatusComplete {
					t.Errorf("the answer: %+v", second.Record)
				}
				if say := h.shownJudging(); say != 1 {
					t.Errorf("told %d times that it is judged", say)
				}
			})
		})
	}
}

// loads lets a server load for some time before it answers.
func loads(s modeltest.Step, before time.Duration) modeltest.Step {
	s.Before = modeltest.Duration(before)
	return s
}

// S4: a server that says that it is loading is asked again until it has loaded.
func TestJudgeIsLoading(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, h *house) {
		first, _ := h.say("Which ferry goes to Naoshima?")
		busy := modeltest.Step{Status: 503, Body: `{"error":{"message":"Loading model","code":503}}`, When: modeltest.When{Tool: judge.ToolName}}
		done := judged(scores(9, 8, 6))
		done.When = modeltest.When{Tool: judge.ToolName}
		h.server.Add(busy, busy, busy, done)
		h.pass(time.Hour)
		second, _ := h.say("And when does the last one leave?")
		if second.Record.SessionID != first.Record.SessionID || h.judgements() != 4 {
			t.Errorf("the same session: %v, after %d requests", second.Record.SessionID == first.Record.SessionID, h.judgements())
		}
	})
}

func (h *house) shownJudging() (n int) {
	for _, e := range h.seen {
		if _, ok := e.(chat.Judging); ok {
			n++
		}
	}
	return n
}

// S3: the model judges the last six messages and the new one, with the model that
// is set for it; I6: by a prompt that says that the tool must be called.
func TestWhatIsJudged(t *testing.T) {
	t.Parallel()
	inBubble(t, func(o *chat.Options) { o.Config.SmartModel = "small-model" }, func(t *testing.T, h *house) {
		for i := range 5 {
			h.say(fmt.Sprintf("question number %d about the ferry", i))
		}
		h.server.Add(judged(scores(9, 9, 9)))
		h.pass(time.Hour)
		h.say("how long is the crossing?")
		i := slices.IndexFunc(h.server.Requests(), func(r *modeltest.Request) bool { return r.Offers(judge.ToolName) })
		r := h.server.Requests()[i]
		if r.Model != "small-model" {
			t.Errorf("asked %s", r.Model)
		}
		said := r.Text()
		for _, want := range []string{"number 2", "number 3", "number 4", "how long is the crossing?", "context_judgment", "1 hour"} {
			if !strings.Contains(said, want) && want != "1 hour" {
				t.Errorf("the question lacks %q:\n%s", want, said)
			}
		}
		if strings.Contains(said, "number 1") || strings.Count(said, "number 2") != 2 { // said, and echoed
			t.Errorf("not the last six:\n%s", said)
		}
		if got := h.server.Requests()[i+1]; got.Model != "test-model" {
			t.Errorf("the answer is %s's", got.Model)
		}
	})
}

// cutOff is a judgement that reached the limit on its length (K8).
func cutOff(arguments string) modeltest.Step {
	s := judged(arguments)
	s.Finish = "length"
	return s
}

// S4: a server that refuses a forced tool_choice is asked once more without it.
func TestJudgementWithoutForcedTool(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, h *house) {
		first, _ := h.say("Which ferry goes to Naoshima?")
		h.server.Refuse = []string{"tool_choice"}
		h.server.Add(judged(scores(9, 9, 9)))
		h.pass(time.Hour)
		second, _ := h.say("And when does the last one leave?")
		if second.Record.SessionID != first.Record.SessionID {
			t.Errorf("%+v", h.last(second.Record.TurnID, second.Record.SessionID).Judgement)
		}
		var forced []bool
		for _, r := range h.server.Requests() {
			if r.Offers(judge.ToolName) {
				forced = append(forced, r.Has("tool_choice"))
			}
		}
		if !slices.Equal(forced, []bool{true, false}) {
			t.Errorf("tool_choice in the requests: %v", forced)
		}
	})
}

// S4: rules judge where they are chosen, and by themselves only where no model is
// configured at all; their name goes with the result. Nothing is asked.
func TestRulesJudge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		offline bool
		judge   string
		by      string
		failed  bool
	}{
		"rules":          {judge: chat.JudgeRules, by: memory.JudgedByRules},
		"auto, no model": {offline: true, judge: chat.JudgeAuto, by: memory.JudgedByRules},
		"model, none":    {offline: true, judge: chat.JudgeModel, by: memory.JudgedByModel, failed: true},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(o *chat.Options) {
				o.Config.SmartJudge = c.judge
				if c.offline {
					o.Model = model.NewOffline(time.Now)
				}
			}, func(t *testing.T, h *house) {
				h.say("Which ferry goes to Naoshima?")
				h.pass(time.Hour)
				second, _ := h.say("And when does the last ferry to Naoshima leave?")
				j := h.last(second.Record.TurnID, second.Record.SessionID).Judgement
				if j == nil || j.By != c.by || (j.Failed != "") != c.failed || h.judgements() != 0 {
					t.Errorf("%+v, %d requests", j, h.judgements())
				}
				if j != nil && !c.failed && !j.Revived {
					t.Errorf("not revived: %+v", j)
				}
			})
		})
	}
}

// S4: Esc while it is judged begins a new session at once, and the message is
// answered there.
func TestCancelJudging(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, h *house) {
		first, _ := h.say("Which ferry goes to Naoshima?")
		h.server.Add(modeltest.Step{When: modeltest.When{Tool: judge.ToolName}, First: modeltest.Duration(time.Hour)})
		h.pass(time.Hour)
		if _, err := h.chat.Send(t.Context(), "And when does the last one leave?", nil); err != nil {
			t.Fatal(err)
		}
		until[chat.Judging](h, nil)
		began := time.Now()
		if !h.chat.Cancel() {
			t.Error("there was nothing to cancel")
		}
		end := until[chat.Finished](h, nil)
		if end.Record.Status != memory.StatusComplete || end.Record.SessionID == first.Record.SessionID {
			t.Errorf("ended: %+v", end.Record)
		}
		if waited := time.Since(began); waited > time.Second {
			t.Errorf("it took %v", waited)
		}
		j := h.last(end.Record.TurnID, end.Record.SessionID).Judgement
		if j == nil || !strings.Contains(j.Failed, "did not wait") {
			t.Errorf("%+v", j)
		}
	})
}

// S4: Esc is about the judging from the moment that the message is taken until its
// session is decided: before the model is asked, and as its answer comes. Where no
// model judges it ends the answer.
func TestCancelAroundJudging(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		judge  string
		at     int64 // which look at the clock, of those that the judging takes
		status memory.Status
		new    bool
	}{
		"before the model is asked": {chat.JudgeModel, 1, memory.StatusComplete, true},
		"as the model has answered": {chat.JudgeModel, 2, memory.StatusComplete, true},
		"before the rules":          {chat.JudgeRules, 1, memory.StatusCancelled, false},
		"as the rules have judged":  {chat.JudgeRules, 2, memory.StatusCancelled, false},
	} {
		t.Run(name, func(t *testing.T) {
			var looks atomic.Int64
			looks.Store(-100) // not counted yet
			var h *house
			inBubble(t, func(o *chat.Options) {
				o.Config.SmartJudge = c.judge
				o.Now = func() time.Time {
					if looks.Add(1) == c.at && !h.chat.Cancel() {
						t.Error("there was nothing to cancel")
					}
					return time.Now()
				}
			}, func(t *testing.T, opened *house) {
				h = opened
				first, _ := h.say("Which ferry goes to Naoshima?")
				h.server.Add(judged(scores(9, 9, 9)))
				h.pass(time.Hour)
				synctest.Wait()
				looks.Store(0)
				if _, err := h.chat.Send(t.Context(), "And when does the last ferry leave?", nil); err != nil {
					t.Fatal(err)
				}
				end := until[chat.Finished](h, nil)
				if end.Record.Status != c.status || (end.Record.SessionID != first.Record.SessionID) != c.new {
					t.Errorf("%s, in a new session: %v", end.Record.Status, end.Record.SessionID != first.Record.SessionID)
				}
				if j := h.last(end.Record.TurnID, end.Record.SessionID).Judgement; j == nil || strings.Contains(j.Failed, "did not wait") != c.new || j.InOld() == c.new {
					t.Errorf("%+v", j)
				}
			})
		})
	}
}

// S7: messages sent during a judgement wait, and are stored in the same session, in
// order, whatever the judgement is.
func TestManyWhileJudging(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{"revived": scores(9, 9, 9), "new": scores(0, 0, 0)} {
		t.Run(name, func(t *testing.T) {
			hold := make(chan struct{})
			h := newHouse(t, nil)
			first, _ := h.say("Which ferry goes to Naoshima?")
			step := judged(answer)
			step.Text, step.HoldAfter, step.Hold = "hm ", modeltest.After(0), hold
			h.server.Add(step)
			h.clock.Add(time.Hour)
			const n = 20
			for i := range n {
				if _, err := h.chat.Send(t.Context(), fmt.Sprintf("message %02d", i), nil); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					until[chat.Judging](h, nil)
				}
			}
			close(hold)
			in := ""
			for i := range n {
				stored := until[chat.UserStored](h, nil)
				if want := fmt.Sprintf("message %02d", i); stored.Record.Content != want {
					t.Fatalf("%d is %q", i, stored.Record.Content)
				}
				if in == "" {
					in = stored.Record.SessionID
				}
				if stored.Record.SessionID != in {
					t.Errorf("message %d is in another session", i)
				}
				until[chat.Finished](h, nil)
			}
			if (in == first.Record.SessionID) != (name == "revived") || h.judgements() != 1 {
				t.Errorf("revived: %v, %d judgements", in == first.Record.SessionID, h.judgements())
			}
			all, err := h.manager.Lookup().Records(t.Context(), luna, in)
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, r := range all {
				if r.Role == memory.RoleUser && strings.HasPrefix(r.Content, "message") {
					said = append(said, r.Content)
				}
			}
			if len(said) != n || !slices.IsSorted(said) {
				t.Errorf("in the archive: %v", said)
			}
		})
	}
}

// S4, A1: the program ends while it is judged: the message is on disk, in no session,
// and the next process resolves it.
func TestCloseWhileJudging(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHouse(t, nil)
	first, _ := h.say("Which ferry goes to Naoshima?")
	h.server.Add(modeltest.Step{When: modeltest.When{Tool: judge.ToolName}, Text: "hm hm", HoldAfter: modeltest.After(1), Hold: hold})
	h.clock.Add(time.Hour)
	if _, err := h.chat.Send(t.Context(), "And when does the last one leave?", nil); err != nil {
		t.Fatal(err)
	}
	until[chat.Judging](h, nil)
	h.server.Wait(t.Context(), 2)
	h.close()
	close(hold)
	h.seen = nil
	h.server.Add(judged(scores(9, 9, 9)))
	h.open()
	end := until[chat.Finished](h, nil)
	if end.Record.SessionID != first.Record.SessionID || end.Record.Status != memory.StatusComplete {
		t.Errorf("ended: %+v, judged %+v", end.Record, h.last(end.Record.TurnID, end.Record.SessionID).Judgement)
	}
}
