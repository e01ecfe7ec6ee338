package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memoria/chat/model"
	"memoria/chat/tools"
	"memoria/memory"
	"memoria/memory/recall"
	"memoria/prompts"
)

const (
	searchTokens = 1024 // at most, for what one search found (A3)
	searchRoom   = 150  // tokens; with less no search is begun
	searchEach   = 10   // items and messages that one search can find
	maxWritten   = 500  // bytes that are kept of unusable arguments
	maxCallID    = 128  // bytes
)

// Searches reports whether the model may search the memory by itself.
func (c *Chat) Searches() bool { return c.searches.Load() && !c.noMemory }

// SetSearches lets the model search the memory by itself, or not, from the next
// turn of this conversation on; the configuration stays as it is.
func (c *Chat) SetSearches(on bool) { c.searches.Store(on) }

// searchTool is the tool that a client is offered; nil if none is.
func (c *conversation) searchTool(client model.Client, limit int) (*model.Tool, error) {
	c.mu.Lock()
	refused := c.noTools == client
	c.mu.Unlock()
	if !c.searches.Load() || c.noMemory || refused || c.inGroup() || client.Info().Offline {
		return nil, nil
	}
	said, err := tools.Describe(c.prompts, limit)
	if err != nil {
		return nil, err
	}
	aText := map[string]any{"type": "string"}
	return &model.Tool{Name: tools.Search, Description: said, Parameters: map[string]any{
		"type": "object", "properties": map[string]any{"keyword": aText, "time_range": aText}, "required": []string{"keyword"},
	}}, nil
}

// refuses notes that a client's server takes no tools, and tells.
func (c *conversation) refuses(client model.Client) {
	c.mu.Lock()
	c.noTools = client
	c.mu.Unlock()
	c.emit("", func(h Head) Event {
		return Notice{Head: h, Problem: Problem{
			Title: "This model cannot search the memory", Text: "Its server takes no tools, so it is asked without.",
			Hint: "/search-tool off spares the attempt.",
		}}
	})
}

// answered is the outcome of a call.
type answered struct {
	record memory.Record
	texts  map[string]string
	used   []memory.Used
}

// call does what the model called. The error is that of ctx: everything else is
// answered in words that the model reads. left is how many tokens there are.
func (a *answer) call(ctx context.Context, call model.ToolCall, left int) (answered, error) {
	out := &memory.Call{ID: a.callID(call.ID), Name: call.Name, Arguments: call.Arguments}
	if len(call.Arguments) > tools.MaxArguments || !tools.IsObject(call.Arguments) {
		out.Arguments = "{}"
		out.Written = strings.ToValidUTF8(call.Arguments[:min(len(call.Arguments), maxWritten)], "\uFFFD")
	}
	args, why := tools.Parse(call.Arguments, a.now())
	line := "searched memories"
	if w := args.Words(); w != "" {
		line += ": " + w
	}
	switch {
	case call.Name != tools.Search:
		why, out.Name = prompts.WhyTool, toolName(call.Name)
		line = "called a tool that is not there"
	case why == "" && left < searchRoom:
		why = prompts.WhyRoom
	}
	var used []memory.Used
	var texts map[string]string
	var degraded string
	if why == "" {
		a.emit(func(h Head) Event { return Searching{Head: h, Words: args.Words()} })
		found, err := a.search(ctx, args)
		switch {
		case ctx.Err() != nil:
			return answered{}, context.Cause(ctx)
		case err != nil:
			a.log.Warn("search by the model failed", "error", err)
			why = prompts.WhyFailed
		default:
			if used, texts, err = a.composer.SearchResult(a.pkg.Model, out, found, args.Keyword, min(searchTokens, left)); err != nil {
				return answered{}, err
			}
			if out.Found == 0 {
				why = prompts.WhyNothing
			}
			line += fmt.Sprintf(" · %d found", out.Found)
			degraded = found.Degraded // as it may be for a moment after every start (R4)
		}
	}
	if why != "" {
		var err error
		if texts, err = a.composer.SearchFailed(a.pkg.Model, out, why); err != nil {
			return answered{}, err
		}
		if out.Failed != "" {
			line += " · " + out.Failed
		}
	}
	out.Tokens += a.composer.Tokens(a.pkg.Model, out.Name+out.Arguments)
	return answered{texts: texts, used: used, record: memory.Record{
		ID: a.memory.NewID(), AgentID: a.agent.ID, SessionID: a.turn.begun.Session.ID, TurnID: a.turn.begun.Record.TurnID,
		Role: memory.RoleTool, Content: line, Status: memory.StatusComplete, Call: out, Metadata: memory.RecordMetadata{Degraded: degraded},
		Spans: []memory.Span{{Length: len(line), Kind: memory.SpanTool}},
	}}, nil
}

// callID is an id that no other call of the turn has: the server's own where it
// gave a good one.
func (a *answer) callID(given string) string {
	id := given
	plain := func(r rune) bool { return r <= ' ' || r > '~' }
	for n := len(a.callIDs) + 1; id == "" || len(id) > maxCallID || strings.ContainsFunc(id, plain) || a.callIDs[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	if a.callIDs == nil {
		a.callIDs = map[string]bool{}
	}
	a.callIDs[id] = true
	return id
}

// toolName is a name that can go back to a server.
func toolName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, s[:min(len(s), 256)])
	if s == "" {
		return "unknown"
	}
	return s[:min(len(s), 64)]
}

// search searches items and messages, except messages that are sent anyway.
func (a *answer) search(ctx context.Context, args tools.Args) (found recall.MemoryFound, err error) {
	err = a.guard("searching", func() (err error) {
		found, err = tools.Find(ctx, a.memory.Recall(), a.agent.ID, args, searchEach, a.known)
		return err
	})
	return found, err
}

// known reports whether a message is in front of the model.
func (a *answer) known(id string) bool {
	for _, b := range a.pkg.Blocks {
		if slices.ContainsFunc(b.Parts, func(r memory.Ref) bool { return r.Kind == memory.KindRecord && r.ID == id }) {
			return true
		}
	}
	return false
}
