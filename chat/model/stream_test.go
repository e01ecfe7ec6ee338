package model_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
	"memoria/memory"
)

// I3: an OpenAI-compatible client, over a real connection.
func TestAnswerOverLoopback(t *testing.T) {
	srv := modeltest.NewServer(t, modeltest.Step{
		Text: "用 `pnpm install`，as you prefer. 👍", Deltas: 7, Model: "scripted-2026",
		Usage: &modeltest.Usage{PromptTokens: 12, CompletionTokens: 9, TotalTokens: 21},
	})
	cfg := config()
	cfg.BaseURL = srv.URL
	c, err := model.NewOpenAI(cfg, model.WithKey(testKey))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()

	var rec recorder
	reply, err := c.Stream(background(t), ask("部署脚本还用 pnpm 吗？"), rec.on)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Reply{Text: "用 `pnpm install`，as you prefer. 👍", FinishReason: "stop", Model: "scripted-2026",
		Usage: memory.Usage{PromptTokens: 12, CompletionTokens: 9, TotalTokens: 21}}
	if reply.FirstToken <= 0 || reply.Took < reply.FirstToken {
		t.Errorf("times are %v and %v", reply.FirstToken, reply.Took)
	}
	reply.FirstToken, reply.Took = 0, 0
	if d := cmp.Diff(want, reply); d != "" {
		t.Error(d)
	}
	if rec.text() != want.Text {
		t.Errorf("deltas join to %q", rec.text())
	}
	if n := len(eventsOf[model.Delta](&rec)); n != 7 {
		t.Errorf("%d deltas, want 7", n)
	}
	if _, ok := rec.events[0].(model.Connected); !ok {
		t.Errorf("first event is %T", rec.events[0])
	}
	if _, ok := rec.events[1].(model.FirstToken); !ok {
		t.Errorf("second event is %T", rec.events[1])
	}
	if got := srv.Requests()[0].Header.Get("Authorization"); got != "Bearer "+testKey {
		t.Errorf("authorization is %q", got)
	}
}

// I3: everything of a request reaches the server.
func TestRequestOnTheWire(t *testing.T) {
	srv := modeltest.New()
	c := inProcess(t, srv, config())
	warm := 0.0
	_, err := c.Stream(background(t), model.Request{
		Messages: []model.Message{
			{Role: model.RoleSystem, Content: "You are Luna."},
			{Role: model.RoleUser, Content: "我喜欢茶", Name: "小 明<1>"},
			{Role: model.RoleAssistant, ToolCalls: []model.ToolCall{{ID: "c1", Name: "search", Arguments: `{"q":"茶"}`}}},
			{Role: model.RoleTool, Content: "nothing", ToolCallID: "c1"},
			{Role: model.RoleAssistant, Content: ""},
			{Role: model.RoleUser, Content: "still?"},
		},
		Model:       "other",
		Tools:       []model.Tool{{Name: "search", Description: "looks up", Parameters: map[string]any{"type": "object"}}},
		ToolChoice:  "search",
		MaxTokens:   77,
		Temperature: &warm,
		JSONSchema:  &model.Schema{Name: "items", Schema: map[string]any{"type": "object"}, Strict: true},
		Quotes:      []model.Quote{{Text: "for the offline client alone"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(srv.Requests()[0].Body), &got); err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"model": "other", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 77, "temperature": 0,
		"messages": [
			{"role": "system", "content": "You are Luna."},
			{"role": "user", "content": "我喜欢茶", "name": "小明1"},
			{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\"q\":\"茶\"}"}}]},
			{"role": "tool", "content": "nothing", "tool_call_id": "c1"},
			{"role": "assistant", "content": ""},
			{"role": "user", "content": "still?"}],
		"tools": [{"type": "function", "function": {"name": "search", "description": "looks up", "parameters": {"type": "object"}}}],
		"tool_choice": {"type": "function", "function": {"name": "search"}},
		"response_format": {"type": "json_schema", "json_schema": {"name": "items", "strict": true, "schema": {"type": "object"}}}
	}`), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for name := range srv.Requests()[0].Header {
		if strings.HasPrefix(name, "X-Stainless") {
			t.Errorf("header %s describes this computer", name)
		}
	}
	if ua := srv.Requests()[0].Header.Get("User-Agent"); ua != "memoria" {
		t.Errorf("user agent is %q", ua)
	}
}

func TestBadRequestsNeverLeave(t *testing.T) {
	srv := modeltest.New()
	c := inProcess(t, srv, config())
	for _, req := range []model.Request{{}, {Messages: []model.Message{{Role: "robot", Content: "x"}}}} {
		_, err := c.Stream(background(t), req, nil)
		mustFail(t, err, model.KindRequest)
	}
	if n := len(srv.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// S3: tool calls are put together from their pieces.
func TestToolCalls(t *testing.T) {
	calls := []modeltest.ToolCall{
		{ID: "a", Name: "context_judgment", Arguments: `{"topic_relevance": 9, "intent_continuity": 8, "entity_reference": 7}`},
		{ID: "b", Name: "search", Arguments: `{"q": "北京"}`},
	}
	srv := modeltest.New(modeltest.Step{Text: "Let me see.", ToolCalls: calls})
	var rec recorder
	reply, err := inProcess(t, srv, config()).Stream(background(t), ask("?"), rec.on)
	if err != nil {
		t.Fatal(err)
	}
	want := []model.ToolCall{{ID: "a", Name: "context_judgment", Arguments: calls[0].Arguments}, {ID: "b", Name: "search", Arguments: calls[1].Arguments}}
	if d := cmp.Diff(want, reply.ToolCalls); d != "" {
		t.Error(d)
	}
	if reply.FinishReason != "tool_calls" {
		t.Errorf("finish reason is %q", reply.FinishReason)
	}
	var again [2]model.ToolCall
	for _, d := range eventsOf[model.ToolCallDelta](&rec) {
		again[d.Index].ID += d.ID
		again[d.Index].Name += d.Name
		again[d.Index].Arguments += d.Arguments
	}
	if d := cmp.Diff(want, again[:]); d != "" {
		t.Errorf("events do not join to the calls: %s", d)
	}
}

// events writes a stream by hand: each line of JSON is one event.
func events(chunks ...string) modeltest.Step {
	return modeltest.Step{Raw: "data: " + strings.Join(chunks, "\n\ndata: ") + "\n\n"}
}

// zipped is a text as gzip writes it.
func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

const stop = `{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

// What servers do that is odd but harmless.
func TestPeculiarServers(t *testing.T) {
	content := func(id, json string) string {
		return fmt.Sprintf(`{"id":%q,"choices":[{"index":0,"delta":{"content":%s}}]}`, id, json)
	}
	for _, tt := range []struct {
		name  string
		step  modeltest.Step
		text  string
		calls []model.ToolCall
		model string
		usage memory.Usage
	}{
		{name: "id changes with every chunk", step: events(content("a", `"one "`), content("b", `"two"`), content("", `" three"`), stop), text: "one two three"},
		{name: "character cut in two, as bytes", step: events(content("a", "\"\xE5\x8C\""), content("a", "\"\x97\xE4\""), content("a", "\"\xBA\xAC\""), stop), text: "北京"},
		{name: "character cut in two, as escapes", step: events(content("a", `"ok \ud83d"`), content("a", `"\ude00!"`), stop), text: "ok 😀!"},
		{name: "a backslash and the letters ud83d", step: events(content("a", `"a\\ud83d"`), content("a", `"b"`), stop), text: `a\ud83db`},
		{name: "character that never ends", step: events(content("a", "\"ab\xE5\""), stop), text: "ab\uFFFD"},
		{name: "byte order mark, comments, event names, CRLF", step: modeltest.Step{Raw: "\uFEFF: hello\r\n\r\nevent: message\r\ndata: " + content("a", `"hi"`) + "\r\n\r\ndata:" + stop + "\r\n\r\n"}, text: "hi"},
		{name: "a byte order mark before the first event", step: modeltest.Step{Raw: "\uFEFFdata: " + content("a", `"hi"`) + "\n\ndata: " + content("a", `" there"`) + "\n\ndata: " + stop + "\n\n"}, text: "hi there"},
		{name: "lines that end with CR alone", step: modeltest.Step{Text: "hi there", LineEnd: "\r", NoUsage: true}, text: "hi there"},
		{name: "compressed unasked", step: modeltest.Step{Raw: zipped("data: " + content("a", `"hi"`) + "\n\ndata: " + stop + "\n\n"), Encoding: "gzip"}, text: "hi"},
		{name: "no closing mark after the finish reason", step: events(content("a", `"hi"`), stop), text: "hi"},
		{name: "nonsense after the finish reason", step: events(content("a", `"hi"`), stop, `{broken`), text: "hi"},
		{name: "refusal", step: events(`{"choices":[{"index":0,"delta":{"refusal":"No."}}]}`, stop), text: "No."},
		{name: "a second choice", step: events(content("a", `"hi"`), `{"choices":[{"index":1,"delta":{"content":"ho"},"finish_reason":"length"}]}`, stop), text: "hi"},
		{name: "a thinking block", step: events(content("a", `"<think>hm</think>yes"`), stop), text: "yes"},
		{name: "usage in a chunk with choices", step: events(content("a", `"hi"`), `{"model":"m7","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":-1}}`),
			text: "hi", model: "m7", usage: memory.Usage{PromptTokens: 3, CompletionTokens: 2, TotalTokens: 5}},
		{name: "every tool call has index 0", step: events(
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]}`, stop),
			calls: []model.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}, {ID: "b", Name: "g", Arguments: "{}"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var rec recorder
			reply, err := inProcess(t, modeltest.New(tt.step), config()).Stream(background(t), ask("?"), rec.on)
			if err != nil {
				t.Fatal(err)
			}
			if reply.Text != tt.text || rec.text() != tt.text {
				t.Errorf("text is %q, deltas %q, want %q", reply.Text, rec.text(), tt.text)
			}
			if d := cmp.Diff(tt.calls, reply.ToolCalls); d != "" {
				t.Error(d)
			}
			if tt.model == "" {
				tt.model = "scripted"
			}
			if reply.Model != tt.model || reply.Usage != tt.usage {
				t.Errorf("model %q, usage %+v", reply.Model, reply.Usage)
			}
		})
	}
}

func TestReasoningIsApart(t *testing.T) {
	srv := modeltest.New(modeltest.Step{Reasoning: "the user wants tea", Text: "Tea."})
	var rec recorder
	reply, err := inProcess(t, srv, config()).Stream(background(t), ask("?"), rec.on)
	if err != nil {
		t.Fatal(err)
	}
	if got := eventsOf[model.Reasoning](&rec); len(got) != 1 || got[0].Text != "the user wants tea" {
		t.Errorf("reasoning is %v", got)
	}
	if reply.Text != "Tea." {
		t.Errorf("text is %q", reply.Text)
	}
}

// C7: usage is asked for, and done without where a server refuses the question or does not answer it.
func TestFieldsThatServersRefuse(t *testing.T) {
	srv := modeltest.New()
	srv.Refuse = []string{"stream_options", "max_tokens", "temperature", "response_format"}
	c := inProcess(t, srv, config())
	warm := 0.5
	req := ask("hello")
	req.MaxTokens, req.Temperature = 5, &warm
	req.JSONSchema = &model.Schema{Name: "s", Schema: map[string]any{}}
	for range 2 {
		reply, err := c.Stream(background(t), req, func(e model.Event) {
			if r, ok := e.(model.Retrying); ok {
				t.Errorf("a refused field is no failure: %+v", r)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if reply.Text != "hello" || reply.Usage != (memory.Usage{}) {
			t.Errorf("reply is %+v", reply)
		}
	}
	sent := srv.Requests()
	if len(sent) != 6 { // four refusals, then the server is known
		t.Fatalf("%d requests, want 6", len(sent))
	}
	if last := sent[5]; last.Fields["max_completion_tokens"] != 5.0 || last.Has("stream_options") {
		t.Errorf("last request is %s", last.Body)
	}
}

// A refusal that names no field is tried once without asking for usage, and not remembered when that does not help.
func TestPlainRefusalIsTriedOnceWithoutUsage(t *testing.T) {
	bad := modeltest.Step{Status: 400, Body: `{"error":{"message":"bad things in the request"}}`}
	srv := modeltest.New(bad, bad)
	c := inProcess(t, srv, config())
	_, err := c.Stream(background(t), ask("1"), nil)
	mustFail(t, err, model.KindRequest)
	if _, err := c.Stream(background(t), ask("2"), nil); err != nil {
		t.Fatal(err)
	}
	var asked []bool
	for _, r := range srv.Requests() {
		asked = append(asked, r.Has("stream_options"))
	}
	if d := cmp.Diff([]bool{true, false, true}, asked); d != "" {
		t.Error(d)
	}
}

func TestConcurrentCalls(t *testing.T) {
	srv := modeltest.NewServer(t)
	cfg := config()
	cfg.BaseURL = srv.URL
	c, err := model.NewOpenAI(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	errs := make(chan error, 8)
	for i := range cap(errs) {
		go func() {
			text := strings.Repeat(fmt.Sprint(i)+" ", 50)
			reply, err := c.Stream(background(t), ask(text), nil)
			if err == nil && reply.Text != text {
				err = fmt.Errorf("call %d got %q", i, reply.Text)
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkStream(b *testing.B) {
	text := strings.Repeat("word ", 1000)
	srv := modeltest.New(modeltest.Step{Text: text, Repeat: true})
	c := inProcess(b, srv, config())
	start := time.Now()
	for b.Loop() {
		if _, err := c.Stream(b.Context(), ask("?"), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(start).Microseconds())/float64(b.N)/1000, "µs/delta")
}
