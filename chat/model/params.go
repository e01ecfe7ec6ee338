package model

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// dialect is the set of fields that a server has refused. OpenAI-compatible servers know different parts of the
// protocol; refused fields are omitted or renamed from then on.
type dialect uint32

const (
	noUsage       dialect = 1 << iota // stream_options
	newMaxTokens                      // max_completion_tokens instead of max_tokens
	noTemperature                     // temperature
	noSchema                          // response_format
	noToolChoice                      // tool_choice
	noTools                           // tools
)

// adapt returns d with one more bit when the refusal e names an optional field. If e names none, adapt drops
// the usage option once, as the likely reason. It returns d itself when there is nothing to try.
//
// Servers without tools use various statuses.
func (d dialect) adapt(req Request, e *Error) dialect {
	refused := e.Kind == KindRequest && (e.Status == 400 || e.Status == 422)
	toolless := req.Toolless != nil && e.maybeTools(req)
	if !refused && !toolless && !d.choiceRefused(req, e) {
		return d
	}
	names := e.names
	switch {
	case d.choiceRefused(req, e):
		return d | noToolChoice
	case toolless && d&noTools == 0 && names(toolWords...):
		return d | noTools
	case !refused:
		return d
	case d&noUsage == 0 && names("stream_options", "include_usage"):
		return d | noUsage
	case d&newMaxTokens == 0 && req.MaxTokens > 0 && names("max_tokens"):
		return d | newMaxTokens
	case d&noTemperature == 0 && req.Temperature != nil && names("temperature"):
		return d | noTemperature
	case d&noSchema == 0 && (req.JSONSchema != nil || d&noTools != 0 && req.Toolless != nil) && names("response_format", "json_schema"):
		return d | noSchema
	case d&noUsage == 0 && e.param == "":
		return d | noUsage
	}
	return d
}

// after returns d with one more bit when the server accepted tools but its model answered in prose, as small
// ones do. Later requests use the schema, which many servers enforce.
func (d dialect) after(req Request, reply Reply) dialect {
	if req.Toolless != nil && len(req.Tools) > 0 && len(reply.ToolCalls) == 0 && !strings.Contains(reply.Text, "{") {
		return d | noTools
	}
	return d
}

// toolWords are words in a refusal of tools.
var toolWords = []string{"tools", "tool_choice", "tool use", "tool calling", "function calling"}

// names reports whether the refusal mentions one of these fields.
func (e *Error) names(fields ...string) bool {
	for _, f := range fields {
		if e.param == f || strings.Contains(e.Message, f) {
			return true
		}
	}
	return false
}

// maybeTools reports whether the server may be refusing the request's tools.
func (e *Error) maybeTools(req Request) bool {
	refused := e.Kind == KindRequest && (e.Status == 400 || e.Status == 422)
	return len(req.Tools) > 0 && (refused || e.Status == 404 || e.Status == 500 || e.Status == 501)
}

// choiceRefused reports whether the server may accept the request's tools without tool_choice, and has not been
// asked that way yet. Some servers refuse the choice while their model thinks (S4).
func (d dialect) choiceRefused(req Request, e *Error) bool {
	return d&noToolChoice == 0 && req.ToolChoice != "" && e.maybeTools(req) && e.names("tool_choice")
}

// toolsRefused reports whether the server refuses tools and the request has no fallback.
func (e *Error) toolsRefused(req Request) bool {
	return req.Toolless == nil && e.maybeTools(req) && e.names(toolWords...)
}

// params converts req to the library's types.
func params(req Request, model string, d dialect) (openai.ChatCompletionNewParams, error) {
	p := openai.ChatCompletionNewParams{Model: model}
	for i, m := range req.Messages {
		out, err := message(m)
		if err != nil {
			return p, fmt.Errorf("message %d: %w", i, err)
		}
		p.Messages = append(p.Messages, out)
	}
	if len(p.Messages) == 0 {
		return p, fmt.Errorf("a request needs a message")
	}
	tools, schema := req.Tools, req.JSONSchema
	if d&noTools != 0 && req.Toolless != nil {
		tools, schema = nil, req.Toolless
	}
	for _, t := range tools {
		p.Tools = append(p.Tools, tool(t))
	}
	if req.ToolChoice != "" && len(tools) > 0 && d&noToolChoice == 0 {
		p.ToolChoice = toolChoice(req.ToolChoice)
	}
	if d&noUsage == 0 {
		p.StreamOptions.IncludeUsage = param.NewOpt(true)
	}
	if req.MaxTokens > 0 {
		if d&newMaxTokens == 0 {
			p.MaxTokens = param.NewOpt(int64(req.MaxTokens))
		} else {
			p.MaxCompletionTokens = param.NewOpt(int64(req.MaxTokens))
		}
	}
	if req.Temperature != nil && d&noTemperature == 0 {
		p.Temperature = param.NewOpt(*req.Temperature)
	}
	if s := schema; s != nil && d&noSchema == 0 {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: s.Name, Schema: s.Schema, Strict: param.NewOpt(s.Strict)},
		}
	}
	return p, nil
}

func message(m Message) (openai.ChatCompletionMessageParamUnion, error) {
	var out openai.ChatCompletionMessageParamUnion
	switch m.Role {
	case RoleSystem:
		out = openai.SystemMessage(m.Content)
		out.OfSystem.Name = speaker(m.Name)
	case RoleUser:
		out = openai.UserMessage(m.Content)
		out.OfUser.Name = speaker(m.Name)
	case RoleTool:
		out = openai.ToolMessage(m.Content, m.ToolCallID)
	case RoleAssistant:
		out.OfAssistant = &openai.ChatCompletionAssistantMessageParam{Name: speaker(m.Name)}
		if m.Content != "" || len(m.ToolCalls) == 0 {
			out.OfAssistant.Content.OfString = param.NewOpt(m.Content)
		}
		for _, c := range m.ToolCalls {
			out.OfAssistant.ToolCalls = append(out.OfAssistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
				OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
					ID:       c.ID,
					Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments},
				},
			})
		}
	default:
		return out, fmt.Errorf("unknown role %q", m.Role)
	}
	return out, nil
}

// speaker removes characters that the protocol forbids in a name: no white space, none of < | \ / >, at most 64
// characters.
func speaker(name string) param.Opt[string] {
	n := 0
	name = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`<|\/>`, r) || n == 64 {
			return -1
		}
		n++
		return r
	}, name)
	if name == "" {
		return param.Opt[string]{}
	}
	return param.NewOpt(name)
}

func tool(t Tool) openai.ChatCompletionToolUnionParam {
	f := shared.FunctionDefinitionParam{Name: t.Name, Parameters: t.Parameters}
	if t.Description != "" {
		f.Description = param.NewOpt(t.Description)
	}
	return openai.ChatCompletionFunctionTool(f)
}

func toolChoice(choice string) openai.ChatCompletionToolChoiceOptionUnionParam {
	switch choice {
	case toolChoiceAuto, toolChoiceNone, toolChoiceRequired:
		return openai.ChatCompletionToolChoiceOptionUnionParam{OfAuto: param.NewOpt(choice)}
	default:
		return openai.ToolChoiceOptionFunctionToolChoice(openai.ChatCompletionNamedToolChoiceFunctionParam{Name: choice})
	}
}
