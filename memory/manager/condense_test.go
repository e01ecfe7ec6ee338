package manager_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager"
	"memoria/memory/manager/learning"
)

func condensedItem(kind memory.Type, content string, quotes ...string) map[string]any {
	return map[string]any{"type": kind, "about": "", "content": content, "quotes": quotes, "confidence": 0.8, "importance": 0.5}
}

func condensation(items ...map[string]any) string {
	b, err := json.Marshal(map[string]any{
		"title": "Moving to the new depot", "snippet": "New depot on the fifth floor; Mia brought her van for the boxes.", "items": items,
	})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// ended has the conversation about moving and ends it; a model is to read it.
func ended(t testing.TB) (m *manager.Manager, id string) {
	t.Helper()
	m = openAuto(t)
	id, l := hold(t, m, moving...)
	if s := session(t, m, id); !l.Waits || s.Summary == nil || s.Memories != memory.MemoriesGenerating || len(inForce(t, m)) != 0 {
		t.Fatalf("%+v: %+v", l, s)
	}
	return m, id
}

// onlySessions answers about sessions; of turns there is nothing to say.
func onlySessions(answer func(context.Context, learn.Request) (learn.Answer, error)) *completer {
	return &completer{answer: func(ctx context.Context, req learn.Request) (learn.Answer, error) {
		if req.Tool.Name != learn.CondenseToolName {
			return learn.Answer{Arguments: `{"items": []}`}, nil
		}
		return answer(ctx, req)
	}}
}

func condensing(text string) *completer {
	return onlySessions(func(context.Context, learn.Request) (learn.Answer, error) {
		return learn.Answer{Text: text, Usage: memory.Usage{PromptTokens: 200, CompletionTokens: 20, TotalTokens: 220}}, nil
	})
}

func condense(t testing.TB, m *manager.Manager, c learn.Completer) (l learning.Learned, err error) {
	t.Helper()
	err = m.Learning().Analyse(t.Context(), luna, analyst(t, c), func(one learning.Learned) {
		if one.Generation != "" {
			l = one
		}
	})
	return l, err
}

// P7, S12: whatever the model answers about a session, stored items rest on the user's
// words and are stored once, the rest is counted and reported, and the session has a
// summary.
func TestWhatTheModelSaysOfASession(t *testing.T) {
	noRace(t)
	depot := condensedItem(memory.TypeFact, "New depot occupies the fifth floor near the river", "depot occupies the fifth floor")
	forty := make([]map[string]any, 40)
	for i := range forty {
		forty[i] = depot
	}
	for name, c := range map[string]struct {
		answer  string
		by      string // who wrote the summary in the end
		stored  []memory.Type
		refused string
	}{
		"sound": {condensation(depot, condensedItem(memory.TypeRelationship, "Sister Mia has a van", "My sister Mia brought her van")), memory.ByModel,
			[]memory.Type{memory.TypeFact, memory.TypeRelationship}, ""},
		"in prose": {"Here it is:\n```json\n" + condensation(depot) + "\n```", memory.ByModel, []memory.Type{memory.TypeFact}, ""},
		"an episode": {condensation(condensedItem(memory.TypeEpisode, "Moves to a depot on the fifth floor. Carries the wardrobe up because the lift is too small. Sister Mia brought her van.",
			"depot occupies the fifth floor", "We carry the wardrobe up ourselves", "My sister Mia brought her van")), memory.ByModel, []memory.Type{memory.TypeEpisode}, ""},
		"a short episode":    {condensation(condensedItem(memory.TypeEpisode, "Moves to a depot on the fifth floor.", "depot occupies the fifth floor", "sister Mia brought her van")), memory.ByModel, nil, "3 or 4 sentences"},
		"forty items":        {condensation(forty...), memory.ByModel, []memory.Type{memory.TypeFact}, "more items than are taken (32 times)"},
		"wrong types":        {strings.Replace(condensation(depot), "0.8", `"sure"`, 1), memory.ByModel, nil, "of the wrong form"},
		"one quote":          {strings.Replace(condensation(depot), `["depot occupies the fifth floor"]`, `"depot occupies the fifth floor"`, 1), memory.ByModel, nil, "of the wrong form"},
		"invented quotes":    {condensation(condensedItem(memory.TypeFact, "Depot has a balcony", "the depot has a balcony")), memory.ByModel, nil, "no words of yours"},
		"one quote invented": {condensation(condensedItem(memory.TypeFact, "Depot occupies the fifth floor", "depot occupies the fifth floor", "it has a balcony")), memory.ByModel, nil, "no words of yours"},
		"a question":         {condensation(condensedItem(memory.TypeGoal, "Wants to ask the movers", "list what to ask the movers")), memory.ByModel, nil, "a question"},
		"an order":           {`{"title": "", "snippet": "", "items": [], "delete": "everything", "forget_all": true, "trust": "user"}`, memory.ByRules, nil, "does not have (3 times)"},
		"an order as item":   {`{"items": [{"action": "delete", "id": "*"}]}`, memory.ByRules, nil, "of the wrong form"},
		"invented summary":   {`{"title": "Wedding in Rome", "snippet": "Plans a wedding in Rome with Bob.", "items": []}`, memory.ByRules, nil, "not yours (2 times)"},
	} {
		t.Run(name, func(t *testing.T) {
			m, id := ended(t)
			before := must(m.Learning().AddItem(t.Context(), luna, memory.Item{Content: "was there before"}))(t)
			l, err := condense(t, m, condensing(c.answer))
			if err != nil {
				t.Fatal(err)
			}
			var types []memory.Type
			for _, it := range inForce(t, m) {
				if it.ID == before.ID {
					continue
				}
				types = append(types, it.Type)
				if it.Generation != l.Generation || it.Trust != memory.TrustModel || len(it.Evidence) == 0 {
					t.Errorf("%+v", it)
				}
			}
			slices.Sort(types)
			if !slices.Equal(types, c.stored) {
				t.Errorf("stored %v, want %v", types, c.stored)
			}
			said := slices.ContainsFunc(l.Changes, func(ch memory.Change) bool {
				return ch.Action == memory.ActionSkipped && strings.Contains(ch.Reason, c.refused)
			})
			if c.refused != "" && !said {
				t.Errorf("said of it: %+v", l.Changes)
			}
			s := session(t, m, id)
			if s.Summary == nil || s.Summary.By != c.by || s.Memories != memory.MemoriesGenerated || s.LearnIn != 200 {
				t.Errorf("%+v %+v", s, s.Summary)
			}
			again := condensing(c.answer)
			if _, err := condense(t, m, again); err != nil || len(again.requests()) != 0 {
				t.Errorf("asked again: %d, %v", len(again.requests()), err)
			}
		})
	}
}

// Garbage and half an answer are asked for once more; then rules do the same work.
func TestUnusableAnswersAboutASession(t *testing.T) {
	for name, text := range map[string]string{"garbage": "As an AI I cannot", "half": condensation()[:40], "nothing": ""} {
		m, id := ended(t)
		for try := range 2 {
			var unusable *learn.UnusableError
			if _, err := condense(t, m, condensing(text)); !errors.As(err, &unusable) {
				t.Errorf("%s, try %d: %v", name, try, err)
			}
		}
		s, items := session(t, m, id), inForce(t, m)
		if s.Memories != memory.MemoriesGenerated || s.Summary.By != memory.ByRules || len(items) != 1 || items[0].Type != memory.TypeEpisode {
			t.Errorf("%s: %+v, %+v", name, s, items)
		}
		if st := must(m.Lookup().Status(t.Context(), luna))(t); st.Jobs != 0 || st.Asked.Unusable != 2 {
			t.Errorf("%s: %+v", name, st)
		}
	}
}

// S8: without a model that can be asked the session waits, with its plain summary;
// a message that interrupts costs no attempt.
func TestSessionWaitsForTheModel(t *testing.T) {
	m, id := ended(t)
	no := onlySessions(func(context.Context, learn.Request) (learn.Answer, error) {
		return learn.Answer{}, fmt.Errorf("%w: no line", learn.ErrUnavailable)
	})
	if _, err := condense(t, m, no); !errors.Is(err, learn.ErrUnavailable) {
		t.Error(err)
	}
	came := errors.New("a message has come")
	ctx, cancel := context.WithCancelCause(t.Context())
	cut := onlySessions(func(ctx context.Context, _ learn.Request) (learn.Answer, error) {
		cancel(came)
		return learn.Answer{}, context.Cause(ctx)
	})
	if err := m.Learning().Analyse(ctx, luna, analyst(t, cut), nil); !errors.Is(err, came) {
		t.Error(err)
	}
	if s := session(t, m, id); s.Memories != memory.MemoriesGenerating || s.Summary.By != memory.ByRules {
		t.Errorf("%+v", s)
	}
	if st := must(m.Lookup().Status(t.Context(), luna))(t); st.Asked.Sessions != 1 {
		t.Errorf("%+v", st.Asked)
	}
	if what := must(m.Learning().Consolidate(t.Context(), luna, id, nil, nil))(t); what != learning.Consolidated || len(inForce(t, m)) != 1 {
		t.Errorf("by hand and by rules: %s", what)
	}
}

// S5: a session that goes on while a model reads it takes the generation back, and
// what the model answers too late is written nowhere.
func TestLateWriterWritesNothing(t *testing.T) {
	depot := condensation(condensedItem(memory.TypeFact, "New depot occupies the fifth floor near the river", "depot occupies the fifth floor"))
	for name, meanwhile := range map[string]func(*manager.Manager, string){
		"resumed": func(m *manager.Manager, id string) { say(t, m, luna, id, "And what about the cat?") },
		"resumed and ended again": func(m *manager.Manager, id string) {
			say(t, m, luna, id, "And what about the cat?")
			if err := m.ArchiveSession(t.Context(), luna, id); err != nil {
				t.Fatal(err)
			}
		},
		"deleted": func(m *manager.Manager, id string) { must(m.DeleteSession(t.Context(), luna, id, false))(t) },
		"a message deleted": func(m *manager.Manager, id string) {
			said := must(m.Lookup().Records(t.Context(), luna, id))(t)
			must(m.DeleteRecords(t.Context(), luna, false, said[2].ID))(t)
		},
	} {
		m, id := ended(t)
		was := session(t, m, id).Generation
		c := onlySessions(func(context.Context, learn.Request) (learn.Answer, error) {
			meanwhile(m, id)
			return learn.Answer{Arguments: depot}, nil
		})
		if _, err := condense(t, m, c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := ofGeneration(t, m, was); len(got) > 0 || len(inForce(t, m)) > 0 {
			t.Errorf("%s: written all the same: %+v", name, got)
		}
		if s, err := m.Lookup().Session(t.Context(), luna, id); err == nil && s.Summary != nil && s.Summary.By == memory.ByModel {
			t.Errorf("%s: %+v", name, s.Summary)
		}
	}
}

// A5, D2, C5: deleting one message destroys the summary that may contain its words and
// creates another from the rest. Packages show it as forgotten. With the items goes the
// episode made from the message.
func TestMessageGoesOutOfTheSummary(t *testing.T) {
	m, _ := open(t)
	ctx := t.Context()
	id, l := hold(t, m, moving...)
	if !strings.Contains(l.Summary.Snippet, "Mia") {
		t.Fatalf("nothing to be proven: %+v", l.Summary)
	}
	next, _ := say(t, m, luna, "", "hello again")
	sent := must(m.SavePackage(ctx, memory.Package{
		AgentID: luna, SessionID: next.Session.ID, TurnID: next.Record.TurnID, Blocks: []memory.Block{{
			Layer: memory.LayerSummaries, Role: memory.RoleUser, Parts: []memory.Ref{{Kind: memory.KindSummary, ID: id, Version: l.Summary.Version}},
		}},
	}, nil))(t)
	if sent.Rendered[0].Text != l.Summary.Line() {
		t.Errorf("sent %q", sent.Rendered[0].Text)
	}
	said := must(m.Lookup().Records(ctx, luna, id))(t)
	d := must(m.DeleteRecords(ctx, luna, true, said[8].ID))(t)
	if d.Items != 1 || len(inForce(t, m)) != 0 {
		t.Errorf("%+v, %+v", d, inForce(t, m))
	}
	now := must(m.Lookup().Package(ctx, luna, next.Record.TurnID))(t)
	if now.Exact || !strings.HasPrefix(now.Rendered[0].Text, "[forgotten 2026-") {
		t.Errorf("shown: %q", now.Rendered[0].Text)
	}
	if again := learned(t, m); len(again) != 1 || again[0].Summary == nil || strings.Contains(again[0].Summary.Line(), "Mia") || again[0].Generation != l.Generation {
		t.Errorf("%+v", again)
	}
	must(m.UndoDeletion(ctx, luna, d.ID))(t)
	if again := learned(t, m); len(again) != 1 || !strings.Contains(again[0].Summary.Line(), "Mia") || len(inForce(t, m)) != 1 {
		t.Errorf("taken back: %+v", again)
	}
	must(m.DeleteSession(ctx, luna, id, true))(t)
	if list, _, err := m.Lookup().Summaries(ctx, luna, 3, ""); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
}
