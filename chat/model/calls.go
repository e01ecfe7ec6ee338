package model

import (
	"encoding/json"
	"strings"

	"github.com/openai/openai-go/v3"
)

const (
	// maxToolCalls bounds the calls of one answer. More come only from a server that has lost its way.
	maxToolCalls = 128
	// maxArguments bounds the arguments of one call, in bytes. What is longer is cut, and so is no JSON any more.
	maxArguments = 256 << 10
)

type callAssembly struct {
	wire     int64 // the index that the server uses
	id, name string
	args     strings.Builder
}

// whole reports whether the arguments are a whole JSON object.
func (c *callAssembly) whole() bool { return object(c.args.String()) }

func object(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "{") && json.Valid([]byte(s))
}

// belongs reports whether d is a piece of the call. Servers differ: some give every call the index 0 and tell them
// apart by id, some by nothing but that a new one has a name and the one before is whole.
func (c *callAssembly) belongs(d openai.ChatCompletionChunkChoiceDeltaToolCall) bool {
	switch {
	case c.wire != d.Index, d.ID != "" && c.id != "" && c.id != d.ID:
		return false
	case d.ID != "" && d.ID == c.id:
		return true
	}
	return d.Function.Name == "" || !c.whole()
}

// addCall puts a piece to the call that it belongs to: the last one that it can belong to, or a new one.
func (a *assembly) addCall(d openai.ChatCompletionChunkChoiceDeltaToolCall) *Error {
	at := len(a.calls) - 1
	for at >= 0 && !a.calls[at].belongs(d) {
		at--
	}
	if at < 0 {
		if len(a.calls) == maxToolCalls {
			return newError(KindBadResponse, "the answer contains too many tool calls")
		}
		at = len(a.calls)
		a.calls = append(a.calls, &callAssembly{wire: d.Index})
	}
	c, args := a.calls[at], arguments(d.Function)
	ev := ToolCallDelta{Index: at}
	if c.id == "" && d.ID != "" {
		c.id, ev.ID = d.ID, d.ID
	}
	// A name comes once, or again and again, or in pieces before the arguments.
	if name := d.Function.Name; name != "" && name != c.name && c.args.Len() == 0 {
		c.name, ev.Name = c.name+name, name
	}
	if c.whole() && object(args) {
		args = "" // all of it once more
	}
	ev.Arguments = args[:min(len(args), maxArguments-c.args.Len())]
	c.args.WriteString(ev.Arguments)
	a.emit(ev)
	return nil
}

// arguments are a string in the protocol; some servers send the object itself.
func arguments(f openai.ChatCompletionChunkChoiceDeltaToolCallFunction) string {
	if raw := f.JSON.Arguments.Raw(); f.Arguments == "" && strings.HasPrefix(raw, "{") {
		return raw
	}
	return f.Arguments
}

// settle makes a finished answer of one whose calls are whole, where the server closed the stream properly and only
// named no reason.
func (a *assembly) settle() {
	if a.finish != "" || len(a.calls) == 0 {
		return
	}
	for _, c := range a.calls {
		if c.name == "" || !c.whole() {
			return
		}
	}
	a.finish = FinishToolCalls
}

// toolCalls are the calls so far. Those without a name are none.
func (a *assembly) toolCalls() (out []ToolCall) {
	for _, c := range a.calls {
		out = append(out, ToolCall{ID: c.id, Name: c.name, Arguments: strings.ToValidUTF8(c.args.String(), "\uFFFD")})
	}
	return out
}
