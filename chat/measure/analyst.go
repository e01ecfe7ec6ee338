package measure

import (
	"context"
	"encoding/json"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/learn"
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

// analyst is a scripted model. As a [model.Client] it says reply, and as a
// [learn.Completer] it proposes what the script says for the turn.
type analyst struct {
	reply    string
	proposes []Proposal
}

// Info describes a model with a context that no life fills.
func (a *analyst) Info() model.Info {
	return model.Info{Name: "scripted", Model: "scripted", ContextTokens: 32768}
}

// Stream answers with the scripted reply.
func (a *analyst) Stream(_ context.Context, _ model.Request, on func(model.Event)) (model.Reply, error) {
	if on != nil {
		on(model.Delta{Text: a.reply})
	}
	return model.Reply{Text: a.reply, FinishReason: model.FinishStop, Model: "scripted"}, nil
}

// Complete answers the analysis of a turn. A session as a whole teaches nothing more.
func (a *analyst) Complete(_ context.Context, req learn.Request) (learn.Answer, error) {
	answer := map[string]any{"items": a.items()}
	if req.Tool.Name == learn.ToolName {
		answer["topic"], answer["emotion"], answer["variables"] = "", "", []any{}
	} else {
		answer["title"], answer["snippet"], answer["items"] = "", "", []any{}
	}
	b, err := json.Marshal(answer)
	return learn.Answer{Arguments: string(b)}, err
}

// items are the proposals in the form that an analysis has. It cannot end anything, so
// the ends of the script are left out, and what replaces is proposed like any other.
func (a *analyst) items() []any {
	out := []any{}
	for _, p := range a.proposes {
		if p.Op == opEnd {
			continue
		}
		out = append(out, map[string]any{
			"type": p.Type, "about": "user", "content": p.Content, "quote": p.Quote, "confidence": 0.95, "importance": 0.6,
		})
	}
	return out
}
