package model_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// K8: an answer is whole when the server said so, and there is one. Every other ending is an error that says which,
// and what had come is kept with the reason.
func TestEndings(t *testing.T) {
	for _, tt := range []struct {
		finish, text string
		kind         model.Kind
	}{
		{finish: "stop", text: "Tea."},
		{finish: "STOP", text: "Tea."},
		{finish: "eos", text: "Tea."},
		{finish: "eos_token", text: "Tea."},
		{finish: "end_turn", text: "Tea."},
		{finish: "END_TURN", text: "Tea."},
		{finish: "stop_sequence", text: "Tea."},
		{finish: "length", text: "Tea", kind: model.KindLength},
		{finish: "max_tokens", text: "Tea", kind: model.KindLength},
		{finish: "MAX_TOKENS", text: "Tea", kind: model.KindLength},
		{finish: "content_filter", text: "Tea", kind: model.KindFiltered},
		{finish: "SAFETY", text: "Tea", kind: model.KindFiltered},
		{finish: "error", text: "Tea", kind: model.KindIncomplete},
		{finish: "abort", text: "Tea", kind: model.KindIncomplete},
		{finish: "no such reason", text: "Tea", kind: model.KindIncomplete},
		{finish: "stop", text: " \n", kind: model.KindEmpty},
		{finish: "stop", text: "", kind: model.KindEmpty},
		{finish: "stop", text: "<think>which tea?</think>\n", kind: model.KindEmpty},
		{finish: "length", text: "<think>which tea?", kind: model.KindLength},
	} {
		t.Run(tt.finish+" "+tt.text, func(t *testing.T) {
			step := events(
				fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q}}]}`, tt.text),
				fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, tt.finish))
			reply, err := inProcess(t, modeltest.New(step), config()).Stream(background(t), ask("?"), nil)
			if reply.FinishReason != tt.finish {
				t.Errorf("the reason is kept as %q", reply.FinishReason)
			}
			if tt.kind == "" {
				if err != nil || !reply.Complete() || reply.Text != tt.text {
					t.Errorf("%+v: %v", reply, err)
				}
				return
			}
			e := failure(t, err, tt.kind)
			if e.Hint == "" || reply.Complete() || !strings.Contains(tt.text, reply.Text) {
				t.Errorf("reply is %+v, %+v", reply, e)
			}
		})
	}
}

// K8: what comes behind the finish reason is no part of the answer.
func TestNothingBehindTheEnd(t *testing.T) {
	step := events(`{"choices":[{"index":0,"delta":{"content":"Tea."}}]}`, stop, `{"choices":[{"index":0,"delta":{"content":" And more."}}]}`)
	reply, err := inProcess(t, modeltest.New(step), config()).Stream(background(t), ask("?"), nil)
	if err != nil || reply.Text != "Tea." {
		t.Errorf("%+v: %v", reply, err)
	}
}

// K8: the text of an answer is bounded, however small its pieces are on the wire.
func TestTextIsBounded(t *testing.T) {
	cfg := config()
	reply, err := inProcess(t, modeltest.New(modeltest.Step{Text: strings.Repeat("word ", 1<<20), Deltas: 1 << 10}), cfg).Stream(background(t), ask("?"), nil)
	mustFail(t, err, model.KindTooLarge)
	if n := len(reply.Text); n < 4<<20 || n > 4<<20+1<<16 || reply.Complete() {
		t.Errorf("%d bytes are kept, complete: %v", n, reply.Complete())
	}
}

// K8: events without a word of the answer do not hold an answer open.
func TestEmptyPiecesAreSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := model.NewOpenAI(config(), model.WithTransport(modeltest.Transport(drip("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}}]}\n\n"))))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = c.Stream(t.Context(), ask("?"), nil)
		mustFail(t, err, model.KindIdleTimeout)
		if took := time.Since(start); took > 2*time.Minute {
			t.Errorf("took %v", took)
		}
	})
}

// C9: what a model thinks at the beginning of its answer is apart from it, however it is cut into pieces.
func TestThoughts(t *testing.T) {
	for said, want := range map[string]struct{ thought, text string }{
		"<think>\nwhich tea?\n</think>\n\nGreen tea.":     {"which tea?", "Green tea."},
		"\n <think>which tea?</think>Green tea.":          {"which tea?", "Green tea."},
		"which tea?\n</think>\n\nGreen tea.":              {"which tea?", "Green tea."},
		"<think></think>\n\nGreen tea.":                   {"", "Green tea."},
		"Green tea.":                                      {"", "Green tea."},
		"Use `</think>` to close it.":                     {"", "Use `</think>` to close it."},
		"So:\n```xml\n<think>a</think>\n```\nThat is it.": {"", "So:\n```xml\n<think>a</think>\n```\nThat is it."},
		"<thin ice>": {"", "<thin ice>"},
		"<think>a</think>The marks are <think> and </think>.":    {"a", "The marks are <think> and </think>."},
		"用户想喝茶。</think>绿茶。":                                      {"用户想喝茶。", "绿茶。"},
		"It can't be `a or b.\nNo, it is c.\n</think>\nIt is c.": {"It can't be `a or b.\nNo, it is c.", "It is c."},
		"<think>a `</think>` mark? no.":                          {"a `", "` mark? no."},
	} {
		rapid.Check(t, func(rt *rapid.T) {
			n := rapid.IntRange(1, len(said)).Draw(rt, "pieces")
			var rec recorder
			reply, err := inProcess(t, modeltest.New(modeltest.Step{Text: said, Deltas: n}), config()).Stream(background(t), ask("?"), rec.on)
			if err != nil {
				rt.Fatal(err)
			}
			if reply.Text != want.text || rec.text() != want.text || reply.Reasoning != want.thought {
				rt.Fatalf("%q: thought %q, said %q, deltas %q", said, reply.Reasoning, reply.Text, rec.text())
			}
			var thought strings.Builder
			for _, e := range eventsOf[model.Reasoning](&rec) {
				thought.WriteString(e.Text)
			}
			if strings.TrimSpace(thought.String()) != want.thought {
				rt.Fatalf("%q: told as thought: %q", said, thought.String())
			}
		})
	}
}

// C9: a call that stands in the text is found behind a thought, with and without its first mark.
func TestCallBehindAThought(t *testing.T) {
	for _, said := range []string{
		`<think>I look it up.</think>{"name": "search", "arguments": {"q": "tea"}}`,
		`{"hm": I look it up.` + "\n</think>\n" + `{"name": "search", "arguments": {"q": "tea"}}`,
	} {
		req := ask("?")
		req.Tools = []model.Tool{{Name: "search", Description: "looks things up", Parameters: map[string]any{"type": "object"}}}
		reply, err := inProcess(t, modeltest.New(modeltest.Step{Text: said, Deltas: 7}), config()).Stream(background(t), req, nil)
		if err != nil || len(reply.ToolCalls) != 1 || reply.Text != "" || !strings.HasSuffix(reply.Reasoning, "I look it up.") {
			t.Errorf("%q: %+v, %v", said, reply, err)
		}
	}
}
