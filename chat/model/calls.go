package model

import (
	"encoding/json"
	"strings"

	"github.com/openai/openai-go/v3"
)

const (
	// maxToolCalls bounds the calls of one answer. Only a broken server sends more.
	maxToolCalls = 128
	// maxArguments bounds the arguments of one call, in bytes. Longer arguments are cut and are then invalid
	// JSON.
	maxArguments = 256 << 10
)

type callAssembly struct {
	wire     int64 // the server's index
	id, name string
	args     strings.Builder
}

// whole reports whether the arguments are a complete JSON object.
func (c *callAssembly) whole() bool { return object(c.args.String()) }

func object(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "{") && json.Valid([]byte(s))
}

// belongs reports whether d is a piece of the call. Servers differ. Some give every call the index 0 and tell
// calls apart by id; others only by a new name after a complete call.
func (c *callAssembly) belongs(d openai.ChatCompletionChunkChoiceDeltaToolCall) bool {
	switch {
	case c.wire != d.Index, d.ID != "" && c.id != "" && c.id != d.ID:
		return false
	case d.ID != "" && d.ID == c.id:
		return true
	}
	return d.Function.Name == "" || !c.whole()
}

// addCall adds a piece to the last call it can belong to, or begins a new call.
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
	// A name comes once, repeatedly, or in pieces before the arguments.
	if name := d.Function.Name; name != "" && name != c.name && c.args.Len() == 0 {
		c.name, ev.Name = c.name+name, name
	}
	if c.whole() && object(args) {
		args = "" // a full repetition
	}
	ev.Arguments = args[:min(len(args), maxArguments-c.args.Len())]
	c.args.WriteString(ev.Arguments)
	a.emit(ev)
	return nil
}

// arguments returns the arguments as a string, as in the protocol; some servers send the object itself.
func arguments(f openai.ChatCompletionChunkChoiceDeltaToolCallFunction) string {
	if raw := f.JSON.Arguments.Raw(); f.Arguments == "" && strings.HasPrefix(raw, "{") {
		return raw
	}
	return f.Arguments
}

// settle finishes an answer whose calls are whole when the server closed the stream properly without a finish
// reason.
func (a *assembly) settle() {
	if a.finish != "" || len(a.calls) == 0 {
		return
	}
	for _, c := range a.calls {
		if c.name == "" || !c.whole() {
			return
		}
	}
	a.finish = finishToolCalls
}

// toolCalls returns the calls so far, without those that have no name.
func (a *assembly) toolCalls() (out []ToolCall) {
	for _, c := range a.calls {
		out = append(out, ToolCall{ID: c.id, Name: c.name, Arguments: strings.ToValidUTF8(c.args.String(), "\uFFFD")})
	}
	return out
}
