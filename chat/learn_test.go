package chat_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"memoria/chat"
	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/lookup"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/write"
)

// newLearner is a house whose model also reads the turns.
func newLearner(t testing.TB, steps ...modeltest.Step) *house {
	t.Helper()
	h := &house{
		t: t, dir: t.TempDir(), clock: &clock{now: start}, server: modeltest.NewServer(t, steps...),
		analysis: write.AnalysisAuto,
	}
	h.open()
	t.Cleanup(h.close)
	return h
}

// reply answers a message, analysed the analysis of its turn.
func reply(text string) modeltest.Step {
	return modeltest.Step{Text: text, When: modeltest.When{NoTools: true}}
}

func analysed(s modeltest.Step) modeltest.Step {
	s.When.Tool = learn.ToolName
	return s
}

func called(arguments string) modeltest.Step {
	return analysed(modeltest.Step{ToolCalls: []modeltest.ToolCall{{Name: learn.ToolName, Arguments: arguments}}})
}

func proposal(content, quote string) string {
	b, err := json.Marshal(map[string]any{"items": []any{map[string]any{
		"type": "fact", "about": "depot", "content": content, "quote": quote, "confidence": 0.8, "importance": 0.5,
	}}})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// asked waits until the turn's analysis has come to its end.
func (h *house) asked(done func(lookup.AnalysisStats) bool) lookup.AnalysisStats {
	h.t.Helper()
	for {
		st, err := h.manager.Lookup().Status(h.t.Context(), luna)
		if err != nil {
			h.t.Fatal(err)
		}
		if done(st.Asked) {
			return st.Asked
		}
		until[chat.Learned](h, nil)
	}
}

const flat = "Our depot occupies the fifth floor."

// L2, "A model is a guest": whatever the model answers, what is stored rests on
// the user's words, and the rest is counted and said.
func TestWhatTheModelAnswers(t *testing.T) {
	t.Parallel()
	good := proposal("Depot occupies the fifth floor", "depot occupies the fifth floor")
	for name, c := range map[string]struct {
		step    modeltest.Step
		stored  int
		refused int
		reason  string
	}{
		"a tool call":      {called(good), 1, 0, ""},
		"JSON in prose":    {analysed(modeltest.Step{Text: "Here you are:\n```json\n" + good + "\n```"}), 1, 0, ""},
		"a wrong type":     {called(strings.Replace(good, "0.8", `"sure"`, 1)), 0, 1, "an item of the wrong form"},
		"no such words":    {called(proposal("Flat has a balcony", "the flat has a balcony")), 0, 1, "it rests on no words of yours"},
		"an order":         {called(`{"items": [], "delete": "everything", "forget_all": true, "set_trust": "user"}`), 0, 3, "a field that an analysis does not have"},
		"an order as item": {called(`{"items": [{"action": "delete", "id": "*"}]}`), 0, 1, "an item of the wrong form"},
		"forty at once": {called(`{"items": [` + strings.TrimSuffix(strings.Repeat(strings.TrimSuffix(strings.TrimPrefix(good, `{"items":[`), `]}`)+",", 40), ",") + `]}`),
			1, 39, "more items than are taken"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newLearner(t, reply("I see."), c.step)
			if _, err := h.manager.Learning().AddItem(t.Context(), luna, memory.Item{Content: "was there before"}); err != nil {
				t.Fatal(err)
			}
			end, _ := h.say(flat)
			got := h.asked(func(a lookup.AnalysisStats) bool { return a.Answered == 1 && a.Waiting == 0 })
			if got.Learned != c.stored || got.Refused != c.refused || got.Unusable != 0 {
				t.Errorf("%+v", got)
			}
			page, err := h.manager.Lookup().Items(t.Context(), luna, lookup.ItemFilter{All: true})
			if err != nil || page.Total != 1+c.stored {
				t.Errorf("%d items, %v", page.Total, err)
			}
			changes, err := h.manager.Lookup().TurnChanges(t.Context(), luna, end.Record.TurnID)
			if err != nil {
				t.Fatal(err)
			}
			said := slices.ContainsFunc(changes, func(ch memory.Change) bool {
				return ch.Action == memory.ActionSkipped && strings.Contains(ch.Reason, c.reason)
			})
			if said != (c.reason != "") {
				t.Errorf("the turn says %+v", changes)
			}
		})
	}
}

// Garbage and half an object are asked for once more, and then given up and said
// to be so in the panel.
func TestUnusableAnswers(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]modeltest.Step{
		"garbage":   analysed(modeltest.Step{Text: "I would rather not."}),
		"half JSON": called(`{"topic": "flat", "items": [{"type": "fact"`),
		"cut off":   analysed(modeltest.Step{Text: proposal("Depot occupies the fifth floor", "the fifth floor")[:60], Finish: "length"}),
	} {
		t.Run(name, func(t *testing.T) {
			step.Repeat = true
			h := newLearner(t, reply("I see."), step, reply("Yes."))
			first, _ := h.say(flat)
			h.asked(func(a lookup.AnalysisStats) bool { return a.Unusable == 1 && a.Waiting == 1 })
			h.say("ok")
			given := until(h, func(l chat.Learned) bool { return l.TurnID == first.Record.TurnID && len(l.Changes) > 0 })
			if c := given.Changes[0]; c.Action != memory.ActionSkipped || !strings.Contains(c.Reason, "not usable") {
				t.Errorf("%+v", given.Changes)
			}
			got := h.asked(func(a lookup.AnalysisStats) bool { return a.Waiting == 0 })
			if got.Unusable != 2 || got.Learned != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Servers that refuse tools are asked for a schema, and those that refuse that
// too for text.
func TestServersWithoutTools(t *testing.T) {
	t.Parallel()
	good := proposal("Depot occupies the fifth floor", "depot occupies the fifth floor")
	for _, refuse := range [][]string{{"tools"}, {"tool_choice"}, {"tools", "response_format"}} {
		var client model.Client
		s := modeltest.New(modeltest.Step{Text: "I see."})
		s.Refuse = refuse
		s.Reply = func(*modeltest.Request) modeltest.Step { return modeltest.Step{Text: good} }
		h := newHouse(t, func(o *chat.Options) {
			cfg := model.DefaultConfig()
			cfg.BaseURL, cfg.Name, cfg.Retries = "http://127.0.0.1:1/v1", "test-model", 0
			c, err := model.NewOpenAI(cfg, model.WithTransport(s.Transport()))
			if err != nil {
				t.Fatal(err)
			}
			client = c
			o.Model, o.Brief = c, true
		})
		h.analysis = write.AnalysisAuto
		h.reopen()
		h.say(flat)
		set, err := chat.LoadPrompts("")
		if err != nil {
			t.Fatal(err)
		}
		if err := h.manager.Learning().Learn(t.Context(), luna, nil); err != nil { // the rules end the turn first
			t.Fatal(err)
		}
		by := learning.Analyst{Model: model.NewCompleter(client), Prompts: set}
		if err := h.manager.Learning().Analyse(t.Context(), luna, by, nil); err != nil {
			t.Errorf("%v: %v", refuse, err)
		}
		st, err := h.manager.Lookup().Status(t.Context(), luna)
		if err != nil || st.Items != 1 {
			t.Errorf("%v: %+v, %v", refuse, st, err)
		}
		requests := s.Requests()
		last := requests[len(requests)-1]
		for _, field := range refuse {
			if last.Has(field) {
				t.Errorf("%v: the last request has %s", refuse, field)
			}
		}
	}
}

// Enter ends the request in the background at once and is answered; the turn is
// read when the conversation rests, and nothing of it counts as a failure.
func TestEnterInterruptsTheAnalysis(t *testing.T) {
	t.Parallel()
	good := called(proposal("Depot occupies the fifth floor", "depot occupies the fifth floor"))
	stalled := analysed(modeltest.Step{Text: "Let me think", StallAfter: modeltest.After(1)})
	h := newLearner(t, reply("I see."), stalled, reply("Sure."), stalled, reply("Bye."), good, called(`{"items": []}`), called(`{"items": []}`))
	first, _ := h.say(flat)
	for i, said := range []string{"Tell me about tides.", "Tell me about comets."} {
		h.server.Wait(t.Context(), 2*(i+1)) // the analysis is under way
		if end, _ := h.say(said); end.Record.Status != memory.StatusComplete {
			t.Fatalf("%q: %+v", said, end)
		}
	}
	l := until(h, func(l chat.Learned) bool { return l.TurnID == first.Record.TurnID && len(l.Changes) > 0 })
	if len(l.Changes) != 1 || l.Changes[0].Action != memory.ActionAdded || l.Changes[0].Item.Trust != memory.TrustModel {
		t.Errorf("learned: %+v", l)
	}
	got := h.asked(func(a lookup.AnalysisStats) bool { return a.Waiting == 0 })
	if got.Answered != 3 || got.Unusable != 0 {
		t.Errorf("%+v", got)
	}
}

// At the end of the program the request is given up and the next process asks it
// again; tokens are the session's, and never the turn's.
func TestAnalysisSurvivesTheProgram(t *testing.T) {
	t.Parallel()
	h := newLearner(t, reply("I see."), analysed(modeltest.Step{Text: "Let me", StallAfter: modeltest.After(1)}),
		analysed(modeltest.Step{
			ToolCalls: []modeltest.ToolCall{{Name: learn.ToolName, Arguments: proposal("Depot occupies the fifth floor", "the fifth floor")}},
			Usage:     &modeltest.Usage{PromptTokens: 321, CompletionTokens: 12, TotalTokens: 333},
		}))
	end, _ := h.say(flat)
	h.server.Wait(t.Context(), 2)
	h.reopen()
	until(h, func(l chat.Learned) bool { return l.TurnID == end.Record.TurnID && len(l.Changes) > 0 })
	s, err := h.manager.Lookup().Session(t.Context(), luna, end.Record.SessionID)
	if err != nil || s.LearnIn != 321 || s.LearnOut != 12 || s.TokensIn != end.Record.Usage.PromptTokens {
		t.Errorf("%+v, %v", s, err)
	}
}

// Off: no request is made.
func TestNoAnalysis(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*house, *chat.Options){
		"rules":     func(h *house, _ *chat.Options) { h.analysis = write.AnalysisRules },
		"no memory": func(_ *house, o *chat.Options) { o.NoMemory = true },
		"no model":  func(h *house, o *chat.Options) { o.Model = model.NewOffline(h.clock.Now) },
		"brief":     func(_ *house, o *chat.Options) { o.Brief = true },
	} {
		h := newLearner(t)
		h.change = func(o *chat.Options) { change(h, o) }
		if name == "rules" {
			h.analysis = write.AnalysisRules
		}
		h.reopen()
		if _, err := h.chat.Send(t.Context(), flat, nil); err != nil {
			t.Fatal(err)
		}
		until[chat.Finished](h, nil)
		end := until[chat.Learned] // by rules
		if !h.chat.Forgetful() {
			end(h, nil)
		}
		h.reopen() // what was begun has ended
		for _, r := range h.server.Requests() {
			if len(r.Tools) > 0 {
				t.Errorf("%s: an analysis was asked for", name)
			}
		}
	}
}

// A model whose answers are unusable again and again is left alone, and that is told once.
func TestLearningStops(t *testing.T) {
	t.Parallel()
	step := analysed(modeltest.Step{Text: "I would rather not."})
	step.Repeat = true
	h := newLearner(t, step)
	for _, failing := range []int{1, 3, learn.MaxFailing} { // each turn is asked about twice
		h.say(flat)
		h.asked(func(a lookup.AnalysisStats) bool { return a.Failing == failing })
	}
	h.say(flat)
	n := until[chat.Notice](h, nil).Problem
	if !strings.Contains(n.Title, "Learning from the model has stopped") || !strings.Contains(n.Text, "answers of") || n.Hint == "" {
		t.Errorf("%+v", n)
	}
	h.say(flat)
	h.say(flat)
	if told := notices(h); told != 1 {
		t.Errorf("told %d times", told)
	}
}
