package modeltest

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Request is a received chat request.
type Request struct {
	Header   http.Header // all headers, including Authorization
	Body     string      // the JSON itself
	Model    string
	Messages []Message
	Tools    []string // names of the tools offered
	Stream   bool
	// Fields is the whole decoded body, including fields not listed here.
	Fields map[string]any
}

// Message is one message of a request.
type Message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	Name       string     `json:"name"`
	ToolCallID string     `json:"tool_call_id"`
	ToolCalls  []struct { // as the protocol nests them
		ID       string   `json:"id"`
		Function ToolCall `json:"function"`
	} `json:"tool_calls"`
}

// UnmarshalJSON also accepts content in parts and joins their text.
func (m *Message) UnmarshalJSON(data []byte) error {
	type plain Message
	in := struct {
		*plain
		Content json.RawMessage `json:"content"`
	}{plain: (*plain)(m)}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if json.Unmarshal(in.Content, &m.Content) == nil {
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(in.Content, &parts); len(in.Content) > 0 && err != nil {
		return err
	}
	for _, p := range parts {
		m.Content += p.Text
	}
	return nil
}

// LastUser returns the content of the last user message, or "".
func (r *Request) LastUser() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Content
		}
	}
	return ""
}

// contextBefore matches the context that the program puts before the user's words and that ends with the date
// (C6).
var contextBefore = regexp.MustCompile(`(?s)^.*?It is \w+day, \d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d\.` +
	`(?: This conversation was last active [^\n]* ago\.)?\n\n`)

// Said returns the last user message without the context before the user's words.
func (r *Request) Said() string {
	said := r.LastUser()
	return said[len(contextBefore.FindString(said)):]
}

// LastResult returns the content of the last message if it is a tool's result, or "".
func (r *Request) LastResult() string {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == "tool" {
		return r.Messages[n-1].Content
	}
	return ""
}

// Text returns all messages as "role: content", each followed by a line feed.
func (r *Request) Text() string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Role + ": " + m.Content + "\n")
	}
	return b.String()
}

// Offers reports whether the request offers the tool.
func (r *Request) Offers(tool string) bool { return slices.Contains(r.Tools, tool) }

// Has reports whether the body has the top-level field.
func (r *Request) Has(field string) bool {
	_, ok := r.Fields[field]
	return ok
}

func parseRequest(header http.Header, body []byte) (*Request, error) {
	var in struct {
		Model    string    `json:"model"`
		Messages []Message `json:"messages"`
		Stream   bool      `json:"stream"`
		Tools    []struct {
			Function struct {
				Name string `json:"name"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	r := &Request{Header: header.Clone(), Body: string(body), Model: in.Model, Messages: in.Messages, Stream: in.Stream}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, t.Function.Name)
	}
	return r, json.Unmarshal(body, &r.Fields)
}
