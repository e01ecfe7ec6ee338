package modeltest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// answer plays one step.
type answer struct {
	step  Step
	req   *Request
	w     http.ResponseWriter
	ctx   context.Context
	quit  <-chan struct{}
	delay time.Duration
	sent  int // events
}

// run plays the step. It breaks off an answer whose client has left or whose server closes, so that it never
// looks complete.
func (a *answer) run() {
	a.pause(time.Duration(a.step.Before))
	if a.step.empty() {
		a.step.Text = a.req.Said()
	}
	switch {
	case a.step.Status != 0:
		a.refuse()
	case !a.req.Stream && a.step.Raw == "" && a.step.Giant == 0:
		a.whole()
	default:
		a.stream()
	}
}

// empty reports whether the step sets no answer, so that the request is echoed.
func (s Step) empty() bool {
	return s.Text == "" && s.Reasoning == "" && len(s.ToolCalls) == 0 && s.Status == 0 && s.Malformed == "" && s.Giant == 0 && s.Raw == ""
}

func (a *answer) refuse() {
	h := a.w.Header()
	if a.step.RetryAfter != "" {
		h.Set("Retry-After", a.step.RetryAfter)
	}
	if a.step.Location != "" {
		h.Set("Location", a.step.Location)
	}
	if a.step.Body == "" {
		writeError(a.w, a.step.Status, "scripted: "+strings.ToLower(http.StatusText(a.step.Status)), "", "")
		return
	}
	h.Set("Content-Type", "application/json")
	if a.step.ContentType != "" {
		h.Set("Content-Type", a.step.ContentType)
	}
	a.w.WriteHeader(a.step.Status)
	_, _ = a.w.Write([]byte(a.step.Body))
}

// whole answers a request without streaming.
func (a *answer) whole() {
	m := map[string]any{"role": "assistant", "content": a.step.Text}
	if a.step.Reasoning != "" {
		m["reasoning_content"] = a.step.Reasoning
	}
	if calls := a.calls(); len(calls) > 0 {
		m["tool_calls"] = calls
	}
	writeJSON(a.w, http.StatusOK, map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion", "created": 0, "model": a.model(),
		"choices": []any{map[string]any{"index": 0, "message": m, "finish_reason": a.finish()}},
		"usage":   a.usage(),
	})
}

func (a *answer) stream() {
	a.w.Header().Set("Content-Type", "text/event-stream")
	if a.step.Encoding != "" {
		a.w.Header().Set("Content-Encoding", a.step.Encoding)
	}
	a.w.WriteHeader(http.StatusOK)
	a.flush()
	a.pause(time.Duration(a.step.First))
	if a.step.Raw != "" {
		a.write(a.step.Raw)
		return
	}
	a.at(0)
	a.delta(map[string]any{"role": "assistant", "content": ""})
	if a.step.Reasoning != "" {
		a.delta(map[string]any{"reasoning_content": a.step.Reasoning})
	}
	for i, p := range pieces(a.step.Text, a.step.Deltas) {
		a.delta(map[string]any{"content": p})
		a.at(i + 1)
	}
	a.giant()
	if a.step.Malformed != "" {
		a.event(a.step.Malformed)
	}
	a.toolDeltas()
	if !a.step.NoFinish {
		a.chunk([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": a.finish()}}, nil)
	}
	if options, _ := a.req.Fields["stream_options"].(map[string]any); options["include_usage"] == true && !a.step.NoUsage {
		a.chunk([]any{}, a.usage())
	}
	if !a.step.NoDone {
		a.event("[DONE]")
	}
}

// at performs the script's action after the n-th piece of the text.
func (a *answer) at(n int) {
	is := func(p *int) bool { return p != nil && *p == n }
	if is(a.step.DropAfter) {
		panic(http.ErrAbortHandler)
	}
	if is(a.step.StallAfter) {
		a.until(nil)
	}
	if is(a.step.HoldAfter) {
		a.until(a.step.Hold)
	}
}

// giant writes one event in small parts and never holds it in memory as a whole.
func (a *answer) giant() {
	if a.step.Giant == 0 {
		return
	}
	a.write(`data: {"id":"chatcmpl-scripted","object":"chat.completion.chunk","created":0,"model":"` + a.model() +
		`","choices":[{"index":0,"delta":{"content":"`)
	part := strings.Repeat("x", 32<<10)
	for left := a.step.Giant; left > 0; left -= int64(len(part)) {
		a.write(part[:min(left, int64(len(part)))])
	}
	a.write("\"}}]}\n\n")
}

func (a *answer) toolDeltas() {
	for i, c := range a.step.ToolCalls {
		begin := a.call(i, "")
		begin["index"] = i
		a.delta(map[string]any{"tool_calls": []any{begin}})
		for _, p := range pieces(c.Arguments, 3) {
			a.delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}})
		}
	}
}

func (a *answer) calls() (out []any) {
	for i, c := range a.step.ToolCalls {
		out = append(out, a.call(i, c.Arguments))
	}
	return out
}

// call returns the i-th call in the form of the protocol.
func (a *answer) call(i int, arguments string) map[string]any {
	c := a.step.ToolCalls[i]
	id := cmp.Or(c.ID, fmt.Sprintf("call_%d", i+1))
	return map[string]any{"id": id, "type": "function", "function": map[string]any{"name": c.Name, "arguments": arguments}}
}

func (a *answer) delta(delta map[string]any) {
	a.chunk([]any{map[string]any{"index": 0, "delta": delta, "finish_reason": nil}}, nil)
}

func (a *answer) chunk(choices []any, usage *Usage) {
	c := map[string]any{"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": a.model(), "choices": choices}
	if usage != nil {
		c["usage"] = usage
	}
	out, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	a.event(string(out))
}

func (a *answer) event(data string) {
	if a.sent > 0 {
		a.pause(a.delay)
	}
	a.sent++
	a.write("data: " + data + "\n\n")
}

func (a *answer) write(s string) {
	if a.step.LineEnd != "" {
		s = strings.ReplaceAll(s, "\n", a.step.LineEnd)
	}
	if _, err := a.w.Write([]byte(s)); err != nil {
		panic(http.ErrAbortHandler)
	}
	a.flush()
}

func (a *answer) flush() {
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}

func (a *answer) pause(d time.Duration) {
	if d <= 0 {
		return
	}
	a.until(after(d))
}

func (a *answer) until(hold <-chan struct{}) {
	select {
	case <-hold:
	case <-a.ctx.Done():
		panic(http.ErrAbortHandler)
	case <-a.quit:
		panic(http.ErrAbortHandler)
	}
}

func (a *answer) model() string {
	return cmp.Or(a.step.Model, a.req.Model)
}

func (a *answer) finish() string {
	switch {
	case a.step.Finish != "":
		return a.step.Finish
	case len(a.step.ToolCalls) > 0:
		return "tool_calls"
	default:
		return "stop"
	}
}

// usage counts words and Chinese characters alike, roughly: bytes divided by four.
func (a *answer) usage() *Usage {
	if a.step.Usage != nil {
		return a.step.Usage
	}
	u := &Usage{PromptTokens: len(a.req.Text())/4 + 1, CompletionTokens: len(a.step.Text)/4 + 1}
	u.TotalTokens = u.PromptTokens + u.CompletionTokens
	return u
}
