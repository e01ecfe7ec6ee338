package model

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
)

// prose finds calls in the text of an answer. Small models, and servers that do not know their model's format,
// write a call there instead of making it:
//
//	<tool_call>{"name": "search", "arguments": {"q": "tea"}}</tool_call>
//	{"name": "search", "arguments": {"q": "tea"}}      alone, in a list, or in a fence
//	[TOOL_CALLS][{"name": "search", …}]
//
// It holds such text back while it may still become a call of an offered tool, and passes other text on
// unchanged.
type prose struct {
	offered []string // names of tools; if empty, nothing is held back
	held    strings.Builder
	begun   bool // other text has come: only a mark can begin a call from here
}

// maxProse bounds the held text, in bytes.
const maxProse = 16 << 10

// marks begin a call anywhere in a text; end may close it.
var marks = []struct{ begin, end string }{
	{"<tool_call>", "</tool_call>"},
	{"[TOOL_CALLS]", ""},
}

// add takes the next piece and returns the text that is ready.
func (p *prose) add(s string) string {
	if len(p.offered) == 0 {
		return s
	}
	p.held.WriteString(s)
	text := p.held.String()
	n := p.free(text)
	if n == 0 {
		return ""
	}
	p.held.Reset()
	p.held.WriteString(text[n:])
	p.begun = p.begun || strings.TrimSpace(text[:n]) != ""
	return text[:n]
}

// free returns how many bytes of text cannot begin a call.
func (p *prose) free(text string) int {
	if len(text) > maxProse {
		return len(text)
	}
	if !p.begun && p.mayBeCall(text) {
		return 0
	}
	for _, m := range marks {
		if i := strings.Index(text, m.begin); i >= 0 {
			return i
		}
	}
	// The end of the text may begin a mark.
	for i := max(0, len(text)-len("[TOOL_CALLS]")+1); i < len(text); i++ {
		for _, m := range marks {
			if strings.HasPrefix(m.begin, text[i:]) {
				return i
			}
		}
	}
	return len(text)
}

// mayBeCall reports whether text can begin a call without a mark.
func (p *prose) mayBeCall(text string) bool {
	dense := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	for _, name := range p.offered {
		for _, fence := range []string{"", "```json", "```"} {
			for _, list := range []string{"", "["} {
				begin := fence + list + `{"name":"` + name + `"`
				if strings.HasPrefix(begin, dense) || strings.HasPrefix(dense, begin) {
					return true
				}
			}
		}
	}
	return false
}

// end returns the calls in the held text if the answer is complete, and otherwise the text.
func (p *prose) end(complete bool) (calls []ToolCall, text string) {
	text = p.held.String()
	p.held.Reset()
	if complete && len(p.offered) > 0 {
		if calls = p.calls(text); len(calls) > 0 {
			return calls, ""
		}
	}
	return nil, text
}

// calls parses a text that consists only of calls of offered tools; it returns nil for any other text.
func (p *prose) calls(text string) (out []ToolCall) {
	for _, m := range marks {
		text = strings.ReplaceAll(text, m.begin, " ")
		if m.end != "" {
			text = strings.ReplaceAll(text, m.end, " ")
		}
	}
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		text = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(inner, "json")), "```")
	}
	type call struct {
		Name       string          `json:"name"`
		Arguments  json.RawMessage `json:"arguments"`
		Parameters json.RawMessage `json:"parameters"`
	}
	for dec := json.NewDecoder(strings.NewReader(text)); ; {
		var raw json.RawMessage
		switch err := dec.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			return nil
		}
		list := []call{{}}
		if json.Unmarshal(raw, &list) != nil && json.Unmarshal(raw, &list[0]) != nil {
			return nil
		}
		for _, c := range list {
			args := string(c.Arguments)
			if args == "" {
				args = string(c.Parameters)
			}
			var written string
			if json.Unmarshal([]byte(args), &written) == nil { // a string that holds the object
				args = written
			}
			if !slices.Contains(p.offered, c.Name) || len(out) == maxToolCalls {
				return nil
			}
			out = append(out, ToolCall{Name: c.Name, Arguments: args})
		}
	}
}
