package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memoria/chat/model"
	"memoria/chat/model/modeltest"
)

// searching is a request that offers a tool.
func searching() model.Request {
	req := ask("?")
	req.Tools = []model.Tool{{Name: "search", Parameters: map[string]any{"type": "object"}}}
	return req
}

// called is a chunk with one piece of a call.
func called(piece string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[%s]}}]}`, piece)
}

func said(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%s}}]}`, b)
}

// I2, I3: calls are put together whatever a server's manners are, and also when it
// writes them into the text of its answer; what only looks like one stays text.
func TestCallsOfPeculiarServers(t *testing.T) {
	tea := model.ToolCall{Name: "search", Arguments: `{"keyword":"tea"}`}
	rice := model.ToolCall{Name: "search", Arguments: `{"keyword":"rice"}`}
	named := func(c model.ToolCall, id string) model.ToolCall { c.ID = id; return c }
	for _, tt := range []struct {
		name  string
		step  modeltest.Step
		text  string
		calls []model.ToolCall
	}{
		{name: "neither ids nor indexes tell them apart", step: events(
			called(`{"index":0,"function":{"name":"search","arguments":"{\"keyword\":\"tea\"}"}}`),
			called(`{"index":0,"function":{"name":"search","arguments":"{\"keyword\":\"rice\"}"}}`), stop),
			calls: []model.ToolCall{tea, rice}},
		{name: "id and name with every piece", step: events(
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":"{\"keyword\""}}`),
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":":\"tea\"}"}}`), stop),
			calls: []model.ToolCall{named(tea, "a")}},
		{name: "a name in pieces", step: events(
			called(`{"index":0,"id":"a","function":{"name":"sea"}}`),
			called(`{"index":0,"function":{"name":"rch"}}`),
			called(`{"index":0,"function":{"arguments":"{\"keyword\":\"tea\"}"}}`), stop),
			calls: []model.ToolCall{named(tea, "a")}},
		{name: "all of it once more at the end", step: events(
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":"{\"keyword\":\"tea\"}"}}`),
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":"{\"keyword\":\"tea\"}"}}`), stop),
			calls: []model.ToolCall{named(tea, "a")}},
		{name: "two calls, piece by piece in turn", step: events(
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":"{\"key"}},{"index":1,"id":"b","function":{"name":"search","arguments":"{\"key"}}`),
			called(`{"index":1,"function":{"arguments":"word\":\"rice\"}"}},{"index":0,"function":{"arguments":"word\":\"tea\"}"}}`), stop),
			calls: []model.ToolCall{named(tea, "a"), named(rice, "b")}},
		{name: "the arguments are an object", step: events(
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":{"keyword":"tea"}}}`), stop),
			calls: []model.ToolCall{named(tea, "a")}},
		{name: "no finish reason", step: events(
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":"{\"keyword\":\"tea\"}"}}`), `[DONE]`),
			calls: []model.ToolCall{named(tea, "a")}},
		{name: "broken arguments", step: events(
			called(`{"index":0,"id":"a","function":{"name":"search","arguments":"{\"keyword\":\"te"}}`), stop),
			calls: []model.ToolCall{{ID: "a", Name: "search", Arguments: `{"keyword":"te`}}},
		{name: "in the text, marked", step: events(said("Let me look. <tool"), said(`_call>{"name": "search", "arguments": {"keyword":"tea"}}</tool_call>`), stop),
			text: "Let me look. ", calls: []model.ToolCall{tea}},
		{name: "in the text, marked, twice", step: events(
			said(`<tool_call>{"name": "search", "arguments": {"keyword":"tea"}}</tool_call>`+"\n"+`<tool_call>{"name": "search", "arguments": {"keyword":"rice"}}</tool_call>`), stop),
			calls: []model.ToolCall{tea, rice}},
		{name: "in the text, marked at its beginning alone", step: events(said(`[TOOL_CALLS]`), said(` [{"name": "search", "arguments": {"keyword":"tea"}}]`), stop),
			calls: []model.ToolCall{tea}},
		{name: "in the text, alone", step: events(said("{\"name\""), said(`: "search", "parameters": {"keyword":"tea"}}`), stop), calls: []model.ToolCall{tea}},
		{name: "in the text, in a fence", step: events(said("```js"), said("on\n{\"name\": \"search\", \"arguments\": \"{\\\"keyword\\\":\\\"tea\\\"}\"}\n```"), stop),
			calls: []model.ToolCall{tea}},
		{name: "JSON that is none", step: events(said(`{"name": "Sea`), said(`rch", "arguments": {}}`), stop), text: `{"name": "Search", "arguments": {}}`},
		{name: "a call in the middle of words", step: events(said(`Write {"name": "search", "arguments": {}} there.`), stop), text: `Write {"name": "search", "arguments": {}} there.`},
		{name: "words behind a call", step: events(said(`{"name": "search", "arguments": {}} is how it looks`), stop), text: `{"name": "search", "arguments": {}} is how it looks`},
		{name: "a mark and no call", step: events(said("a <tool_call>x</tool_call> b <"), said("i>"), stop), text: "a <tool_call>x</tool_call> b <i>"},
		{name: "another tool", step: events(said(`<tool_call>{"name": "rm", "arguments": {}}</tool_call>`), stop), text: `<tool_call>{"name": "rm", "arguments": {}}</tool_call>`},
		{name: "a call as long as no call is", step: events(said(`{"name":"search","arguments":{"keyword":"`+strings.Repeat("x", 20<<10)+`"}}`), stop),
			text: `{"name":"search","arguments":{"keyword":"` + strings.Repeat("x", 20<<10) + `"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var rec recorder
			reply, err := inProcess(t, modeltest.New(tt.step), config()).Stream(background(t), searching(), rec.on)
			if err != nil {
				t.Fatal(err)
			}
			if reply.Text != tt.text || rec.text() != tt.text {
				t.Errorf("text is %.200q, deltas %.200q, want %.200q", reply.Text, rec.text(), tt.text)
			}
			if d := cmp.Diff(tt.calls, reply.ToolCalls); d != "" {
				t.Error(d)
			}
			joined := make([]model.ToolCall, len(reply.ToolCalls))
			for _, d := range eventsOf[model.ToolCallDelta](&rec) {
				joined[d.Index].ID += d.ID
				joined[d.Index].Name += d.Name
				joined[d.Index].Arguments += d.Arguments
			}
			if d := cmp.Diff(reply.ToolCalls, joined, cmp.Transformer("none", func(c []model.ToolCall) int { return len(c) })); d != "" {
				t.Errorf("events do not join to the calls: %s", d)
			}
		})
	}
}

// I3: an answer that breaks off is no call, and what was held back of it is kept.
func TestBrokenCallIsText(t *testing.T) {
	for name, step := range map[string]modeltest.Step{
		"in the text": events(said(`<tool_call>{"name": "search", "arguments": {}}`)),
		"half":        events(said(`{"name": "sea`)),
	} {
		cfg := config()
		cfg.Retries = 0
		var rec recorder
		reply, err := inProcess(t, modeltest.New(step), cfg).Stream(background(t), searching(), rec.on)
		mustFail(t, err, model.KindIncomplete)
		if len(reply.ToolCalls) > 0 || reply.Text == "" || rec.text() != reply.Text {
			t.Errorf("%s: %+v", name, reply)
		}
	}
}

// I3: one call's arguments are bounded, and an answer's calls.
func TestCallsAreBounded(t *testing.T) {
	piece := `{"index":0,"id":"a","function":{"name":"search","arguments":"` + strings.Repeat("x", 100<<10) + `"}}`
	reply, err := inProcess(t, modeltest.New(events(called(piece), called(piece), called(piece), called(piece), stop)), config()).Stream(background(t), searching(), nil)
	if err != nil || len(reply.ToolCalls) != 1 || len(reply.ToolCalls[0].Arguments) != 256<<10 {
		t.Errorf("%v, %d calls, %d bytes", err, len(reply.ToolCalls), len(reply.ToolCalls[0].Arguments))
	}
	var many []string
	for i := range 200 {
		many = append(many, called(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"search","arguments":"{}"}}`, i, i)))
	}
	_, err = inProcess(t, modeltest.New(events(append(many, stop)...)), config()).Stream(background(t), searching(), nil)
	mustFail(t, err, model.KindBadResponse)
}

// I3: a server that takes no tools says so in many ways; the caller hears one.
func TestServerTakesNoTools(t *testing.T) {
	for name, step := range map[string]modeltest.Step{
		"by its words": {Status: 400, Body: `{"error":{"message":"registry/model does not support tools"}}`},
		"by its field": {Status: 422, Body: `{"error":{"message":"Unsupported parameter.","param":"tools"}}`},
		"as a fault":   {Status: 500, Body: `{"error":{"message":"function calling is not available"}}`},
	} {
		srv := modeltest.New(step)
		_, err := inProcess(t, srv, config()).Stream(background(t), searching(), nil)
		mustFail(t, err, model.KindTools)
		if n := len(srv.Requests()); n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
	srv := modeltest.New(modeltest.Step{Repeat: true, Status: 400, Body: `{"error":{"message":"the tools are fine, you are not"}}`})
	_, err := inProcess(t, srv, config()).Stream(background(t), ask("?"), nil)
	mustFail(t, err, model.KindRequest)
}

// FuzzCalls throws any pieces of calls and text at the assembler: it never panics,
// keeps within its bounds, and its events join to its reply.
func FuzzCalls(f *testing.F) {
	f.Add(`{"index":0,"id":"a","function":{"name":"search","arguments":"{}"}}`, `{"index":0,"function":{"arguments":"{}"}}`, "x")
	f.Add(`{"index":-1,"function":{"name":"s","arguments":{"a":1}}}`, `{}`, `{"name":"search","arguments":{}}`)
	f.Add(`null`, `[]`, `<tool_call>{"name":"search"}`)
	f.Add(``, ``, "[TOOL_CALLS][{\"name\":\"search\"},{}]")
	f.Add(``, ``, "```json\n[{\"name\":\"search\",\"arguments\":\"\\ud83d\"}]```")
	f.Fuzz(func(t *testing.T, one, two, text string) {
		cfg := config()
		cfg.Retries, cfg.MaxEventBytes, cfg.MaxAnswerBytes = 0, 4<<10, 64<<10
		head, tail := text[:len(text)/2], text[len(text)/2:]
		page := events(said(head), called(one), said(tail), called(two), stop).Raw
		net := modeltest.Transport(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(page)) }))
		c, err := model.NewOpenAI(cfg, model.WithTransport(net))
		if err != nil {
			t.Fatal(err)
		}
		var rec recorder
		reply, err := c.Stream(t.Context(), searching(), rec.on)
		var e *model.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("error is a %T", err)
		}
		if !utf8.ValidString(reply.Text) || rec.text() != reply.Text {
			t.Errorf("text %q, deltas %q", reply.Text, rec.text())
		}
		joined := make([]model.ToolCall, len(reply.ToolCalls))
		for _, d := range eventsOf[model.ToolCallDelta](&rec) {
			joined[d.Index].Arguments += d.Arguments
		}
		for i, call := range reply.ToolCalls {
			if !utf8.ValidString(call.Arguments) || strings.ToValidUTF8(joined[i].Arguments, "\uFFFD") != call.Arguments {
				t.Errorf("call %d is %+v, its pieces %q", i, call, joined[i].Arguments)
			}
		}
	})
}
