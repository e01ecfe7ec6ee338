package learn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memoria/memory"
	"memoria/prompts"
)

// Completer is a language model for background requests.
type Completer interface {
	// Complete makes one request. Cancelling ctx ends it at once; the error then is or
	// wraps the context's cause. An error that wraps [ErrUnavailable] says that other
	// requests would fail too.
	Complete(ctx context.Context, req Request) (Answer, error)
}

// ErrUnavailable says that no model is available now: no connection, no key, no budget.
// The request itself is fine.
var ErrUnavailable = errors.New("the model cannot be asked now")

// ErrNoAnswer is an [ErrUnavailable] that may be specific to this request: the server
// was reached, and failed or returned nothing.
var ErrNoAnswer = fmt.Errorf("%w: it gave no answer", ErrUnavailable)

// MaxFailing is how many unusable answers in a row end the requests to a model.
const MaxFailing = 5

// StoppedError says that a model is not asked any more, because its last answers were
// unusable. It is asked again after a restart; another model is asked at once.
type StoppedError struct {
	Model   string
	Answers int
	// Again is set if the same was returned before.
	Again bool
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("learning from %s has stopped: its last %d answers were unusable", e.Model, e.Answers)
}

// Request is a question with a structured answer.
type Request struct {
	Prompt string
	// Tool carries the answer. For a model without tools, the schema is requested in
	// another way, or the answer is text.
	Tool      Tool
	MaxTokens int
}

// Tool is the function for the model to call.
type Tool struct {
	Name        string // letters, digits, _ and -, at most 64
	Description string
	Schema      map[string]any // a JSON schema of type object, suitable for strict mode
}

// Answer is a model's answer.
type Answer struct {
	Arguments string // of the tool call, as written by the model; empty without one
	Text      string
	Usage     memory.Usage // all zero if not reported
}

// Input is the input of a turn's analysis.
type Input struct {
	Said   string // typed words; pasted parts are blanks
	Pasted bool   // there are pasted parts
	Reply  string
	Before []string // earlier messages of the user, oldest first
	Shown  []Shown  // possible target memories; only the first MaxShown count
	Known  []string // other memory content shown to the model in this turn
	// Topic and Variables are the session's current ones.
	Topic     string
	Variables map[string]string
}

// Shown is a memory that an analysis may replace or end (P5c). The model sees its place in the list, never
// its id.
type Shown struct {
	Item memory.Item
	// Fresh says that rules made it from the message: the model may correct it freely.
	Fresh bool
}

// shownRef returns the short id of the memory at an index of [Input.Shown].
func shownRef(i int) string { return "m" + strconv.Itoa(i+1) }

// shown returns the memory with a short id, or nil.
func (in Input) shown(ref string) *Shown {
	for i := range in.Shown[:min(len(in.Shown), MaxShown)] {
		if shownRef(i) == ref {
			return &in.Shown[i]
		}
	}
	return nil
}

// MaxShown is the number of memories that an analysis can target.
const MaxShown = 24

// Maximum characters of each text sent to the model: an analysis must not cost more
// than the turn.
const (
	maxSaid   = 4000
	maxReply  = 1200
	maxBefore = 300
	maxKnown  = 10 // items

	answerTokens = 2000 // eight items and a little reasoning
)

// ToolName is the answer tool of a turn's analysis.
const ToolName = "turn_analysis"

// NewRequest makes the request about a turn (I6). With an error that wraps a
// *prompts.OverrideError the request is complete.
func NewRequest(set *prompts.Set, in Input) (Request, error) {
	data := prompts.AnalysisData{
		Topic: in.Topic, Pasted: in.Pasted, Message: cut(blanks(in.Said), maxSaid), Reply: cut(in.Reply, maxReply),
	}
	for _, name := range slices.Sorted(maps.Keys(in.Variables)) {
		data.Variables = append(data.Variables, prompts.AnalysisVariable{Name: name, Value: in.Variables[name]})
	}
	for _, s := range in.Before {
		data.Before = append(data.Before, cut(blanks(s), maxBefore))
	}
	for i, s := range in.Shown[:min(len(in.Shown), MaxShown)] {
		data.Items = append(data.Items, prompts.AnalysisItem{ID: shownRef(i), Text: cut(s.Item.Content, maxBefore), Fresh: s.Fresh})
	}
	for _, s := range in.Known[:min(len(in.Known), maxKnown)] {
		data.Known = append(data.Known, cut(s, maxBefore))
	}
	return newRequest(set, question{
		what: "an analysis", prompt: prompts.TurnAnalysis, tool: prompts.AnalysisTool, fields: prompts.AnalysisFields,
		name: ToolName, tokens: answerTokens, schema: schema(),
	}, data)
}

// question is the fixed part of a kind of request.
type question struct {
	what                 string // for errors
	prompt, tool, fields string // names of prompts; fields may be empty
	name                 string
	tokens               int
	schema               map[string]any
}

// newRequest makes a request about data. With an error that wraps a *prompts.OverrideError it is complete.
func newRequest(set *prompts.Set, q question, data any) (Request, error) {
	prompt, err := set.Render(q.prompt, data)
	said, terr := set.Render(q.tool, nil)
	if err = errors.Join(err, terr); q.fields != "" {
		fields, ferr := set.Render(q.fields, nil)
		err = errors.Join(err, ferr)
		q.schema = described(q.schema, fields)
	}
	if err != nil {
		err = fmt.Errorf("asking for %s: %w", q.what, err)
	}
	return Request{Prompt: prompt, MaxTokens: q.tokens, Tool: Tool{Name: q.name, Description: said, Schema: q.schema}}, err
}

// schema returns the answer's schema; every field is required.
func schema() map[string]any {
	moods := []any{""}
	for _, e := range emotions {
		moods = append(moods, e)
	}
	item := itemSchema(itemTypes, "quote", textField)
	properties(item)["op"] = map[string]any{"type": "string", "enum": []any{string(Add), string(Replace), string(End)}}
	properties(item)["target"] = textField
	item["required"] = slices.Sorted(maps.Keys(properties(item)))
	return object(map[string]any{
		"topic": textField, "topic_quote": textField, "emotion": map[string]any{"type": "string", "enum": moods},
		"variables": list(object(map[string]any{"name": textField, "value": textField, "quote": textField})),
		"items":     list(item),
	})
}

// described returns a copy of a schema with descriptions, one a line, as "items.subject: whom it is about".
func described(schema map[string]any, lines string) map[string]any {
	for line := range strings.Lines(lines) {
		path, said, ok := strings.Cut(strings.TrimSpace(line), ": ")
		at, name := schema, path
		if outer, inner, nested := strings.Cut(path, "."); nested {
			name = inner
			if at, _ = properties(schema)[outer].(map[string]any); at != nil {
				at, _ = at["items"].(map[string]any)
			}
		}
		field, known := properties(at)[name].(map[string]any)
		if !ok || !known {
			continue
		}
		field = maps.Clone(field)
		field["description"] = said
		properties(at)[name] = field
	}
	return schema
}

// properties returns the fields of an object's schema.
func properties(schema map[string]any) map[string]any {
	fields, _ := schema["properties"].(map[string]any)
	return fields
}

var (
	textField = map[string]any{"type": "string"}
	share     = map[string]any{"type": "number", "minimum": 0, "maximum": 1}
)

func object(fields map[string]any) map[string]any {
	return map[string]any{
		"type": "object", "properties": fields, "required": slices.Sorted(maps.Keys(fields)), "additionalProperties": false,
	}
}

func list(of map[string]any) map[string]any { return map[string]any{"type": "array", "items": of} }

// itemSchema returns the schema of an item with its quotation.
func itemSchema(of []memory.Type, quote string, quoted map[string]any) map[string]any {
	types := []any{}
	for _, t := range of {
		types = append(types, string(t))
	}
	return object(map[string]any{
		"type": map[string]any{"type": "string", "enum": types}, "subject": textField, "about": textField, "content": textField,
		quote:        quoted,
		"confidence": share, "importance": share,
	})
}

// blanks collapses blanks, but keeps lines, so that removed parts of a message take no
// room.
func blanks(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + memory.TruncationMark
	}
	return s
}
