package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memoria/chat/model"
	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

const (
	// SearchTool is the tool by which the model searches the memory (I2).
	SearchTool = "search_memories"

	searchTokens = 1024             // at most, for what one search found (A3)
	searchRoom   = 150              // tokens; with less no search is begun
	searchEach   = 10               // items and messages that one search can find
	searchTime   = 15 * time.Second // the archive may have to be read through
	beforeHit    = 80               // characters of a long message before the words
	maxLine      = 80               // characters of what was searched for, on one line
)

// errSlow ends a search that takes too long.
var errSlow = errors.New("the search took too long")

// Searches reports whether the model may search the memory by itself.
func (c *Chat) Searches() bool { return c.search.Load() && !c.noMemory }

// SetSearches lets the model search the memory by itself, or not, from the next
// turn of this conversation on; the configuration stays as it is.
func (c *Chat) SetSearches(on bool) { c.search.Store(on) }

// searchTool is what a client is offered; nil when it is offered nothing.
func (c *Chat) searchTool(client model.Client, limit int) (*model.Tool, error) {
	c.mu.Lock()
	refused := c.noTools == client
	c.mu.Unlock()
	if !c.Searches() || refused || c.inGroup() || client.Info().Offline {
		return nil, nil
	}
	said, err := c.prompts.Render(prompts.SearchTool, prompts.SearchToolData{Limit: limit})
	if err != nil && said == "" {
		return nil, fmt.Errorf("rendering the search tool: %w", err)
	}
	aText := map[string]any{"type": "string"}
	return &model.Tool{Name: SearchTool, Description: said, Parameters: map[string]any{
		"type": "object", "properties": map[string]any{"keyword": aText, "time_range": aText}, "required": []string{"keyword"},
	}}, nil
}

// describe is a tool as it is kept with a package.
func describe(t model.Tool) string {
	b, err := json.Marshal(map[string]any{"name": t.Name, "description": t.Description, "parameters": t.Parameters})
	if err != nil {
		panic("chat: a tool did not encode: " + err.Error()) // strings
	}
	return string(b)
}

// refuses notes that a client's server takes no tools, and tells.
func (c *Chat) refuses(client model.Client) {
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

// answered is what a call came to.
type answered struct {
	record memory.Record
	texts  map[string]string
	used   []memory.Used
}

// call does what the model called. The error is that of ctx: everything else is
// answered in words that the model reads. left is how many tokens there are.
func (a *attempt) call(ctx context.Context, call model.ToolCall, left int) (answered, error) {
	c := a.c
	out := &memory.Call{ID: a.callID(call.ID), Name: call.Name, Arguments: call.Arguments}
	if len(call.Arguments) > maxArguments || !isObject(call.Arguments) {
		out.Arguments = "{}"
		out.Written = strings.ToValidUTF8(call.Arguments[:min(len(call.Arguments), maxWritten)], "\uFFFD")
	}
	b := &composer{
		c: c, nonce: c.nonce(), out: composed{texts: map[string]string{}},
		count: func(s string) int { return c.calibration.Tokens(a.pkg.Model, s) },
	}
	args, why := parseSearch(call.Arguments, c.now())
	line := "searched memories" + args.line()
	switch {
	case call.Name != SearchTool:
		why, out.Name = prompts.WhyTool, toolName(call.Name)
		line = "called a tool that is not there"
	case why == "" && left < searchRoom:
		why = prompts.WhyRoom
	}
	var used []memory.Used
	var notes map[string]string
	if why == "" {
		c.emit(a.turn.Record.TurnID, func(h Head) Event { return Searching{Head: h, Words: args.words()} })
		found, err := a.search(ctx, args)
		switch {
		case ctx.Err() != nil:
			return answered{}, context.Cause(ctx)
		case err != nil:
			c.log.Warn("search by the model failed", "error", err)
			why = prompts.WhyFailed
		default:
			if used, err = b.result(out, found, args, min(searchTokens, left)); err != nil {
				return answered{}, err
			}
			if out.Found == 0 {
				why = prompts.WhyNothing
			}
			line += fmt.Sprintf(" · %d found", out.Found)
			if found.Degraded != "" { // as it may be for a moment after every start (R4)
				notes = map[string]string{"degraded": found.Degraded}
			}
		}
	}
	if why != "" {
		if err := b.failed(out, why); err != nil {
			return answered{}, err
		}
		if out.Failed != "" {
			line += " · " + out.Failed
		}
	}
	out.Tokens += b.count(out.Name + out.Arguments)
	return answered{texts: b.out.texts, used: used, record: memory.Record{
		ID: c.memory.NewID(), AgentID: c.agent.ID, SessionID: a.turn.Session.ID, TurnID: a.turn.Record.TurnID,
		Role: memory.RoleTool, Content: line, Status: memory.StatusComplete, Call: out, Metadata: notes,
		Spans: []memory.Span{{Length: len(line), Kind: memory.SpanTool}},
	}}, nil
}

// callID is an id that no other call of the turn has: the server's own where it
// gave a good one.
func (a *attempt) callID(given string) string {
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

// words say what is searched for: "pnpm", last March.
func (s searchArgs) words() string {
	var parts []string
	if s.keyword != "" {
		parts = append(parts, `"`+shortLine(s.keyword)+`"`)
	}
	if s.when != "" {
		parts = append(parts, shortLine(s.when))
	}
	return strings.Join(parts, ", ")
}

func (s searchArgs) line() string {
	if w := s.words(); w != "" {
		return ": " + w
	}
	return ""
}

func shortLine(s string) string {
	if at := cutAt(s, maxLine); at > 0 {
		return s[:at] + "…"
	}
	return s
}

// search looks for what is asked, besides the messages that are sent anyway.
func (a *attempt) search(ctx context.Context, args searchArgs) (found recall.MemoryFound, err error) {
	ctx, stop := context.WithTimeoutCause(ctx, searchTime, errSlow)
	defer stop()
	err = a.c.guard("searching", func() (err error) {
		found, err = a.c.memory.Recall().SearchMemories(ctx, a.c.agent.ID, recall.MemoryQuery{
			Keyword: args.keyword, From: args.from, To: args.to, Items: searchEach, Messages: searchEach, Known: a.known,
		})
		return err
	})
	return found, err
}

// known reports whether a message is in front of the model.
func (a *attempt) known(id string) bool {
	for _, b := range a.pkg.Blocks {
		if slices.ContainsFunc(b.Parts, func(r memory.Ref) bool { return r.Kind == memory.KindRecord && r.ID == id }) {
			return true
		}
	}
	return false
}

// failed makes the result of a call that has none.
func (b *composer) failed(c *memory.Call, why string) error {
	said, err := b.c.prompts.Render(prompts.SearchFailed, prompts.SearchFailure{Why: why})
	if err != nil && said == "" {
		return fmt.Errorf("rendering a search's end: %w", err)
	}
	c.Parts, c.Tokens = []memory.Ref{b.text(said)}, b.count(said)
	c.Failed = map[string]string{
		prompts.WhyArguments: "its arguments cannot be used", prompts.WhyTime: "the time was not understood",
		prompts.WhyTool: "there is none of that name", prompts.WhyRoom: "the model's context is full",
		prompts.WhyFailed: "the search failed",
	}[why]
	return nil
}

// result writes what was found within a budget: notes, in half of it when there
// are messages too, then messages.
func (b *composer) result(c *memory.Call, found recall.MemoryFound, args searchArgs, budget int) (used []memory.Used, err error) {
	frame, err := b.frame(prompts.SearchHeader, found.Total)
	if err != nil {
		return nil, err
	}
	budget -= frame
	var refs []memory.Ref
	var said []string
	add := func(ref memory.Ref, text string, left int) bool {
		n := b.count(b.fenceLine(ref, text))
		if n > min(left, budget) {
			return false
		}
		budget -= n
		refs, said = append(refs, ref), append(said, text)
		return true
	}
	rest := 0
	if len(found.Messages) > 0 {
		rest = budget / 2
	}
	for _, s := range found.Items {
		ref := itemRef(s.Item)
		ref.Source += " " + shortID(s.Item.ID)
		if add(ref, s.Item.Content, budget-rest) {
			used = append(used, usedBySearch(s))
		}
	}
	for _, h := range found.Messages {
		add(messageRef(h.Record, args.keyword), h.Record.Content, budget)
	}
	result, err := b.data(memory.LayerEvidence, prompts.SearchHeader, found.Total, refs, said)
	if err != nil || len(result) == 0 {
		return nil, err
	}
	blocks, err := b.enclose(result)
	if err != nil {
		return nil, err
	}
	c.Found, c.Parts, c.Nonce, c.Tokens = len(refs), blocks[0].Parts, blocks[0].Nonce, blocks[0].Tokens
	return used, nil
}

func usedBySearch(s retrieve.Scored) memory.Used {
	return used(s, true, "the model searched for it: "+s.Why)
}

// messageRef is a message as a search shows it: who spoke, when, and of a long one
// the part around the words.
func messageRef(r memory.Record, keyword string) memory.Ref {
	who := "assistant"
	if r.Role == memory.RoleUser {
		who = "user"
	}
	ref := memory.Ref{
		Kind: memory.KindRecord, ID: r.ID, Form: memory.FormFence,
		Source: who + " " + r.Timestamp.Format(time.DateOnly) + " " + shortID(r.ID),
	}
	if cutAt(r.Content, longHit) > 0 {
		ref.From = passage(r.Content, keyword)
		ref.Cut = cutAt(r.Content[ref.From:], longHit)
	}
	return ref
}

// maxLooked bounds how far a long message is looked through, in bytes.
const maxLooked = 64 << 10

// passage is where the part of a message begins that has the words: some
// characters before the first of them, 0 when that is at the beginning.
func passage(said, keyword string) int {
	want := map[string]bool{}
	for _, w := range text.Words(keyword) {
		want[w] = true
	}
	said = strings.ToValidUTF8(said[:min(len(said), maxLooked)], " ")
	for _, t := range text.Tokens(said) {
		if !slices.ContainsFunc(text.Words(t.Text), func(w string) bool { return want[w] }) {
			continue
		}
		at := t.Start
		for range beforeHit {
			_, n := utf8.DecodeLastRuneInString(said[:at])
			at -= n
		}
		return at
	}
	return 0
}
