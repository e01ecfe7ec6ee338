package tools

import (
	"errors"
	"fmt"
	"strings"

	"memoria/prompts"
)

// Names of the tools beside [Search].
const (
	Get      = "get_memory"
	Add      = "add_memory"
	Sessions = "list_recent_sessions"
)

// Texts are the texts that tell another program's model how to use the memory.
type Texts struct {
	Instructions string
	Tools        map[string]string // descriptions by name
	fields       string
	set          *prompts.Set
}

// NewTexts renders the texts for an agent with this name.
func NewTexts(set *prompts.Set, agent string) (*Texts, error) {
	t := &Texts{Tools: map[string]string{}, set: set}
	var errs []error
	render := func(name string, data any) string {
		said, err := set.Render(name, data)
		if said == "" {
			errs = append(errs, err)
		}
		return said
	}
	t.Instructions = render(prompts.ServerInstructions, prompts.ServerData{Agent: agent})
	t.fields = render(prompts.ToolFields, nil)
	t.Tools[Get], t.Tools[Add] = render(prompts.GetTool, nil), render(prompts.AddTool, nil)
	t.Tools[Sessions] = render(prompts.SessionsTool, nil)
	said, err := Describe(set, 0)
	t.Tools[Search] = said
	if err = errors.Join(append(errs, err)...); err != nil {
		return nil, fmt.Errorf("describing the tools: %w", err)
	}
	return t, nil
}

// Field returns the description of a field of a tool, such as "get_memory.id"; empty if it
// has none.
func (t *Texts) Field(name string) string {
	for line := range strings.Lines(t.fields) {
		if of, said, ok := strings.Cut(line, ": "); ok && of == name {
			return strings.TrimSpace(said)
		}
	}
	return ""
}

// Answer returns what a tool answers.
func (t *Texts) Answer(data AnswerData) string {
	said, _ := t.set.Render(prompts.ToolAnswer, data) // an override that fails is replaced
	return said
}

// SearchFailed returns the answer of a search with unusable arguments; why is that of
// [Parse].
func (t *Texts) SearchFailed(why string) string {
	said, _ := t.set.Render(prompts.SearchFailed, prompts.SearchFailure{Why: why})
	return said
}

// AnswerData says what to answer.
type AnswerData = prompts.ToolAnswerData

// Reasons of an answer, named for front ends, which do not import package prompts.
const (
	Held      = prompts.AnswerHeld
	Known     = prompts.AnswerKnown
	Many      = prompts.AnswerMany
	Refused   = prompts.AnswerRefused
	Secret    = prompts.AnswerSecret
	Arguments = prompts.AnswerArguments
	Missing   = prompts.AnswerMissing
	Failed    = prompts.AnswerFailed
)
