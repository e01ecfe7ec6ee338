package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"memoria/chat/tools"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/doors"
	"memoria/memory/manager/write"
)

// Bounds and defaults of what a call may ask for.
const (
	usualFound    = 10 // notes, and messages
	mostFound     = 50
	usualSessions = 10
	mostSessions  = 100
)

// tool is a tool of the server. do returns the structured result, or an error in words.
type tool struct {
	name   string
	reads  bool
	fields map[string]any // properties of its arguments
	needs  []string       // required arguments
	do     func(ctx context.Context, s *server, call *sdk.CallToolRequest) (any, error)
}

// toolError is an answer in words that reports a failure to the client's model.
type toolError string

func (e toolError) Error() string { return string(e) }

// list returns the tools. Their order is that in which a client sees them.
func (s *server) list() []tool {
	text, number := map[string]any{"type": "string"}, func(most int) map[string]any {
		return map[string]any{"type": "integer", "minimum": 1, "maximum": most}
	}
	var kinds []any
	for _, k := range memory.Types() {
		kinds = append(kinds, string(k))
	}
	return []tool{
		{tools.Search, true, map[string]any{
			"keyword": text, "limit": number(mostFound), "time_range": map[string]any{
				"type": "object", "properties": map[string]any{
					"from": s.described("search_memories.from", text), "to": s.described("search_memories.to", text),
				},
			},
		}, []string{"keyword"}, search},
		{tools.Get, true, map[string]any{"id": text}, []string{"id"}, get},
		{tools.Add, false, map[string]any{
			"content": text, "type": map[string]any{"type": "string", "enum": kinds},
			"tags": map[string]any{"type": "array", "items": text},
		}, []string{"content"}, add},
		{tools.Sessions, true, map[string]any{"limit": number(mostSessions)}, nil, sessions},
	}
}

// described adds the description of a field to its schema.
func (s *server) described(field string, schema map[string]any) map[string]any {
	out := map[string]any{"description": s.texts.Field(field)}
	for k, v := range schema {
		out[k] = v
	}
	return out
}

func (s *server) addTools(m *sdk.Server) {
	no := false
	for _, t := range s.list() {
		fields := map[string]any{}
		for name, schema := range t.fields {
			fields[name] = s.described(t.name+"."+name, schema.(map[string]any))
		}
		schema := map[string]any{"type": "object", "properties": fields, "additionalProperties": false}
		if len(t.needs) > 0 {
			schema["required"] = t.needs
		}
		m.AddTool(&sdk.Tool{
			Name: t.name, Description: s.texts.Tools[t.name], InputSchema: schema,
			Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.reads, DestructiveHint: &no, OpenWorldHint: &no},
		}, func(ctx context.Context, call *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return s.call(ctx, t, call)
		})
	}
}

// call runs a tool. Everything but the end of the session is answered in words.
func (s *server) call(ctx context.Context, t tool, call *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var out any
	err := s.during(ctx, "answering "+t.name, func(ctx context.Context) (err error) {
		out, err = t.do(ctx, s, call)
		return err
	})
	if err == nil {
		var said []byte
		if said, err = plainJSON(out); err == nil {
			return &sdk.CallToolResult{Content: words(string(said)), StructuredContent: json.RawMessage(said)}, nil
		}
	}
	if s.life.Err() != nil || ctx.Err() != nil {
		return nil, err
	}
	var why toolError
	if !errors.As(err, &why) {
		s.Logger.Warn("a tool failed", "tool", t.name, "error", err)
		why = s.failure(tools.AnswerData{Why: tools.Failed})
	}
	return &sdk.CallToolResult{IsError: true, Content: words(string(why))}, nil
}

func words(s string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: s}} }

func (s *server) failure(d tools.AnswerData) toolError { return toolError(s.texts.Answer(d)) }

// read decodes the arguments of a call, which have no other fields than v.
func (s *server) read(call *sdk.CallToolRequest, v any) error {
	args := call.Params.Arguments
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	if err == nil && !tools.IsObject(string(args)) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return s.failure(tools.AnswerData{Why: tools.Arguments})
	}
	return nil
}

// limit returns the wanted number, or the usual one for 0.
func (s *server) limit(wanted *int, usual, most int) (int, error) {
	switch {
	case wanted == nil:
		return usual, nil
	case *wanted < 1 || *wanted > most:
		return 0, s.failure(tools.AnswerData{Why: tools.Arguments, Most: most})
	}
	return *wanted, nil
}

func search(ctx context.Context, s *server, call *sdk.CallToolRequest) (any, error) {
	var in struct {
		Keyword   *string `json:"keyword"`
		TimeRange *struct {
			From string `json:"from"`
			To   string `json:"to"`
		} `json:"time_range"`
		Limit *int `json:"limit"`
	}
	if err := s.read(call, &in); err != nil {
		return nil, err
	}
	n, err := s.limit(in.Limit, usualFound, mostFound)
	if err != nil {
		return nil, err
	}
	in.Limit = nil
	written, err := plainJSON(in)
	if err != nil {
		return nil, err
	}
	args, why := tools.Parse(string(written), s.Now())
	if why != "" {
		return nil, toolError(s.texts.SearchFailed(why))
	}
	found, err := tools.Find(ctx, s.Memory.Recall(), s.Agent.ID, args, n, nil)
	if err != nil {
		return nil, err
	}
	return foundOf(found, args.Keyword), nil
}

func get(ctx context.Context, s *server, call *sdk.CallToolRequest) (any, error) {
	var in struct {
		ID string `json:"id"`
	}
	if err := s.read(call, &in); err != nil {
		return nil, err
	}
	if in.ID == "" || len(in.ID) > maxID {
		return nil, s.failure(tools.AnswerData{Why: tools.Missing})
	}
	it, err := s.Memory.Lookup().ServedItem(ctx, s.Agent.ID, in.ID)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil, s.failure(tools.AnswerData{Why: tools.Missing})
	}
	if err != nil {
		return nil, err
	}
	return s.whole(ctx, it)
}

const maxID = 128 // bytes

func add(ctx context.Context, s *server, call *sdk.CallToolRequest) (any, error) {
	var in struct {
		Content string      `json:"content"`
		Type    memory.Type `json:"type"`
		Tags    []string    `json:"tags"`
	}
	if err := s.read(call, &in); err != nil {
		return nil, err
	}
	p, err := s.doors.Propose(ctx, s.Agent.ID, program(call), memory.Item{Content: in.Content, Type: in.Type, Tags: in.Tags})
	var secret *write.SecretError
	switch {
	case errors.Is(err, doors.ErrTooManyProposals):
		return nil, s.failure(tools.AnswerData{Why: tools.Many, Limit: doors.MaxProposals})
	case errors.Is(err, doors.ErrRefused):
		return nil, s.failure(tools.AnswerData{Why: tools.Refused})
	case errors.As(err, &secret):
		return nil, s.failure(tools.AnswerData{Why: tools.Secret})
	case errors.Is(err, memory.ErrInvalid):
		return nil, s.failure(tools.AnswerData{Why: tools.Arguments, Detail: detail(err)})
	case err != nil:
		return nil, err
	}
	why := tools.Held
	if p.Known {
		why = tools.Known
	}
	return proposed{ID: p.Item.ID, State: p.Item.State, Known: p.Known, Note: s.texts.Answer(tools.AnswerData{Why: why})}, nil
}

// detail returns what is invalid, without the words around it.
func detail(err error) string {
	_, said, ok := strings.Cut(err.Error(), memory.ErrInvalid.Error()+": ")
	if !ok {
		return ""
	}
	return strings.TrimSpace(said)
}

// program names the client in the inbox.
func program(call *sdk.CallToolRequest) string {
	if about := call.ClientInfo(); about != nil && strings.TrimSpace(about.Name) != "" {
		return "mcp:" + strings.TrimSpace(about.Name)
	}
	return "mcp"
}

func sessions(ctx context.Context, s *server, call *sdk.CallToolRequest) (any, error) {
	var in struct {
		Limit *int `json:"limit"`
	}
	if err := s.read(call, &in); err != nil {
		return nil, err
	}
	n, err := s.limit(in.Limit, usualSessions, mostSessions)
	if err != nil {
		return nil, err
	}
	list, total, err := s.Memory.Lookup().Sessions(ctx, s.Agent.ID, n, 0)
	if err != nil {
		return nil, err
	}
	return sessionsOf(list, total), nil
}
