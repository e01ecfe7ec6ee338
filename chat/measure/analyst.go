package measure

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager/learning"
)

// Proposal is what a model that is right proposes for a message.
type Proposal struct {
	Op      string      `json:"op"`     // add, replace or end
	Fact    string      `json:"fact"`   // the fact stated, or ended
	Target  string      `json:"target"` // the fact replaced
	Type    memory.Type `json:"type"`
	Content string      `json:"content"`
	Quote   string      `json:"quote"`
}

// The operations of a proposal (P5c).
const (
	opAdd     = "add"
	opReplace = "replace"
	opEnd     = "end"
)

// analyst is a scripted model. As a [model.Client] it says the reply of the current
// message, and as a [learn.Completer] it proposes what the script says for it.
type analyst struct {
	facts   map[string]Expected
	message Message
	refused map[string]int // what the program did not take, by its reasons
}

func newAnalyst(l Life) *analyst {
	a := &analyst{facts: map[string]Expected{}, refused: map[string]int{}}
	for _, f := range l.Facts {
		a.facts[f.Name] = f.expected()
	}
	return a
}

// Info describes a model with a context that no life fills.
func (a *analyst) Info() model.Info {
	return model.Info{Name: "scripted", Model: "scripted", ContextTokens: 32768}
}

// Stream answers with the scripted reply.
func (a *analyst) Stream(context.Context, model.Request, func(model.Event)) (model.Reply, error) {
	return model.Reply{Text: a.message.Reply, FinishReason: model.FinishStop, Model: "scripted"}, nil
}

// whole is a client whose answers arrive in one piece: between two pieces chat leaves a
// pause for the screen.
type whole struct{ model.Client }

// Stream passes no event on.
func (w whole) Stream(ctx context.Context, req model.Request, _ func(model.Event)) (model.Reply, error) {
	return w.Client.Stream(ctx, req, nil)
}

// Complete answers the analysis of a turn. A session as a whole teaches nothing more.
func (a *analyst) Complete(ctx context.Context, req learn.Request) (learn.Answer, error) {
	if err := context.Cause(ctx); err != nil {
		return learn.Answer{}, err
	}
	answer := map[string]any{"title": "", "snippet": "", "items": []any{}}
	if req.Tool.Name == learn.ToolName {
		answer = map[string]any{"topic": "", "emotion": "", "variables": []any{}, "items": a.items(req)}
	}
	b, err := json.Marshal(answer)
	return learn.Answer{Arguments: string(b)}, err
}

// told notes what the program refused.
func (a *analyst) told(l learning.Learned) {
	for _, c := range l.Changes {
		if c.Action == memory.ActionSkipped {
			why, _, _ := strings.Cut(c.Reason, " (")
			a.refused[why]++
		}
	}
}

// items are the proposals for the current message. Where the form of an answer has no
// operations, ends are left out and what replaces is proposed like any other.
func (a *analyst) items(req learn.Request) []any {
	operations := hasOperations(req.Tool.Schema)
	shown := memoriesOf(req.Prompt)
	out := []any{}
	propose := func(p Proposal, op, target string) {
		if p.Type == "" {
			p.Type = memory.TypeFact
		}
		item := map[string]any{
			"type": p.Type, "about": "user", "content": p.Content, "quote": p.Quote, "confidence": 0.95, "importance": 0.6,
		}
		if operations {
			item["subject"], item["op"], item["target"] = "user", op, target
		}
		out = append(out, item)
	}
	for _, p := range a.message.Analyst {
		switch {
		case !operations && p.Op == opEnd:
		case !operations:
			propose(p, opAdd, "")
		default:
			a.operate(p, shown, propose)
		}
	}
	for _, m := range shown {
		if operations && m.fresh && !a.stated(m) { // rules misread the message
			propose(Proposal{Quote: a.message.Text}, opEnd, m.id)
		}
	}
	return out
}

// operate proposes one line of the script, given the memories that may be named. What a
// memory says already is not proposed.
func (a *analyst) operate(p Proposal, shown []shownMemory, propose func(p Proposal, op, target string)) {
	old := p.Target
	if p.Op == opEnd {
		old = p.Fact
	}
	known := p.Op != opEnd && slices.ContainsFunc(shown, func(m shownMemory) bool { return m.says(a.facts[p.Fact]) })
	placed := known || p.Op == opEnd
	for _, m := range shown {
		switch {
		case old == "" || m.fresh || !m.says(a.facts[old]) || p.Op == opReplace && m.says(a.facts[p.Fact]):
		case placed:
			propose(Proposal{Type: p.Type, Quote: p.Quote}, opEnd, m.id)
		default:
			propose(p, opReplace, m.id)
			placed = true
		}
	}
	if !placed {
		propose(p, opAdd, "")
	}
}

// stated reports whether a memory says something that the current message states.
func (a *analyst) stated(m shownMemory) bool {
	return slices.ContainsFunc(a.message.Says, func(fact string) bool { return m.says(a.facts[fact]) })
}

// shownMemory is a memory that an analysis may name, as its prompt has it.
type shownMemory struct {
	id, content string
	fresh       bool // rules made it from the message
}

func (m shownMemory) says(e Expected) bool { return e.Matches(memory.Item{Content: m.content}) }

// memoryLine is a memory in the prompt of an analysis.
var memoryLine = regexp.MustCompile(`(?m)^Memory (m\d+)(, from this message)?: (".*")$`)

// memoriesOf reads the memories that an analysis may name.
func memoriesOf(prompt string) (out []shownMemory) {
	for _, line := range memoryLine.FindAllStringSubmatch(prompt, -1) {
		m := shownMemory{id: line[1], fresh: line[2] != ""}
		if json.Unmarshal([]byte(line[3]), &m.content) == nil {
			out = append(out, m)
		}
	}
	return out
}

// hasOperations reports whether an item of an answer says what it does to which memory.
func hasOperations(schema map[string]any) bool {
	for _, name := range []string{"properties", "items", "items", "properties"} {
		schema, _ = schema[name].(map[string]any)
	}
	return schema["op"] != nil
}
