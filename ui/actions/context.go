package actions

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/ui/app"
	"memoria/ui/words"
)

// turnContext is the data of context --json for one agent: a package, the sources of its
// answer, and the usage and cost of the answer.
type turnContext struct {
	memory.Rendered
	Sources []recall.Source `json:"sources,omitempty"` // the package's citations, with their text
	Usage   *memory.Usage   `json:"usage,omitempty"`   // as reported by the server
	Cost    *cost           `json:"cost,omitempty"`    // nil if no price is known
}

// newTurnContext adds to a package the sources, usage and cost of the turn's last answer.
func newTurnContext(ctx context.Context, c *Console, r memory.Rendered) (turnContext, error) {
	out := turnContext{Rendered: r}
	sources, err := c.Memory.Recall().Sources(ctx, r.AgentID, r.Package)
	if err != nil {
		return out, err
	}
	if len(r.Citations) > 0 {
		out.Sources = sources[r.TurnID]
	}
	records, err := c.Memory.Lookup().Records(ctx, r.AgentID, r.SessionID)
	for _, answer := range records {
		if answer.TurnID == r.TurnID && answer.Role == memory.RoleAssistant && (answer.Sender == "" || answer.Sender == r.AgentID) {
			out.Usage, out.Cost = answer.Usage, costOf(c, answer)
		}
	}
	return out, err
}

// LastSession is the name of the most recently used session, for [FindSession].
const LastSession = "last"

// FindSession returns the session with an id, given whole or abbreviated, or [LastSession]. If
// the agent has no session of its own, the last one is the latest that it heard in a group.
func FindSession(ctx context.Context, c *Console, name string) (memory.Session, error) {
	if name != LastSession {
		return c.Memory.Lookup().Session(ctx, c.Agent.ID, name)
	}
	session, ok, err := c.Memory.Lookup().LastSession(ctx, c.Agent.ID)
	if err != nil || ok {
		return session, err
	}
	heard, _, err := c.Memory.Lookup().Sessions(ctx, c.Agent.ID, 1, 0)
	if err == nil && len(heard) > 0 {
		c.remark("session.heard", c.Agent.ID, heard[0].Group)
		return heard[0], nil
	}
	if err == nil {
		err = Refusal(c.Say("session.nothing"))
	}
	return session, err
}

// groupContext is the data of context --json for a group: the packages of a turn, one for each
// member that was asked, in the order of their answers.
type groupContext struct {
	Session  string        `json:"session"`
	Turn     string        `json:"turn"`
	Packages []turnContext `json:"packages"`
}

// ShowContext shows the package that a turn sent to the model, or for a group the packages sent
// to each member. See [FindSession] and [pickTurn] for the forms of session and turn.
func ShowContext(ctx context.Context, c *Console, group bool, session, turn string) (r Result, err error) {
	s, err := FindSession(ctx, c, session)
	if err != nil {
		return r, err
	}
	read := c.Memory.Lookup().Packages
	if group {
		read = c.Memory.Lookup().GroupPackages
	}
	sent, err := read(ctx, c.Agent.ID, s.ID)
	if err != nil {
		return r, err
	}
	if turn, err = pickTurn(c, sent, turn, s.ID); err != nil {
		return r, err
	}
	out := groupContext{Session: s.ID, Turn: turn}
	for _, pkg := range sent {
		if pkg.TurnID != turn {
			continue
		}
		p, err := c.Memory.Lookup().Package(ctx, pkg.AgentID, turn)
		if err != nil {
			return r, err
		}
		w, err := newTurnContext(ctx, c, p)
		if err != nil {
			return r, err
		}
		out.Packages = append(out.Packages, w)
	}
	if !group {
		return Result{Data: out.Packages[0], Lines: contextLines(c, out.Packages[0])}, nil
	}
	for i, w := range out.Packages {
		if i > 0 {
			r.Lines = append(r.Lines, "")
		}
		name := line(c.Speaker(memory.Record{Sender: w.AgentID}))
		r.Lines = append(append(r.Lines, c.Say("context.member", name, i+1, len(out.Packages))), contextLines(c, w)...)
	}
	r.Data = out
	return r, nil
}

// minPart is the minimum length of an abbreviated turn id. A shorter number is the number of a
// turn.
const minPart = 4

// pickTurn returns the id of a turn, given by its number, counted from 1, or by the beginning or
// end of its id. An empty name is the last turn.
func pickTurn(c *Console, packages []memory.Package, name, session string) (string, error) {
	var turns []string
	for _, pkg := range packages {
		if !slices.Contains(turns, pkg.TurnID) {
			turns = append(turns, pkg.TurnID)
		}
	}
	n, err := strconv.Atoi(name)
	switch session = words.ShortID(session); {
	case len(turns) == 0:
		return "", Refusal(c.Say("context.none", session))
	case name == "":
		return turns[len(turns)-1], nil
	case err == nil && len(name) < minPart && (n < 1 || n > len(turns)):
		return "", app.UsageError(c.Say("context.turns", n, session, len(turns)))
	case err == nil && len(name) < minPart:
		return turns[n-1], nil
	}
	id := strings.ToUpper(name)
	turns = slices.DeleteFunc(turns, func(turn string) bool {
		return len(id) < minPart || !strings.HasPrefix(turn, id) && !strings.HasSuffix(turn, id)
	})
	switch len(turns) {
	case 0:
		return "", fmt.Errorf("turn %s of session %s: %w", name, session, lookup.ErrNotFound)
	case 1:
		return turns[0], nil
	}
	return "", fmt.Errorf("turn %s: %w", name, lookup.ErrAmbiguous)
}

// contextLines returns the lines that show a package and all further requests of its turn.
func contextLines(c *Console, r turnContext) (lines []string) {
	say := func(id string, args ...any) { lines = append(lines, c.Say(id, args...)) }
	part := func(id string, args ...any) { lines = append(lines, "", c.Say(id, args...)) }
	at, exact := r.CreatedAt.Local().Format(time.DateTime), c.Say("context.exact")
	if r.Model == memory.ModelOffline {
		say("context.nowhere", at)
		exact = c.Say("context.would")
	} else {
		say("context.to", at, r.Model, r.Endpoint)
	}
	if !r.AllExact() {
		exact = c.Say("sent.not-exact")
	}
	say("context.of", r.SessionID, r.TurnID)
	say("context.size", r.Tokens, r.Limit, r.Hash, exact)
	if u := r.Usage; u != nil {
		cost := ""
		if r.Cost != nil {
			cost = ", " + c.Prices.Money(r.Cost.Amount)
		}
		say("context.usage", u.PromptTokens, u.CompletionTokens, cost)
	}
	if r.Degraded != "" {
		say("context.degraded", words.Sentence(r.Degraded))
	}
	for _, b := range r.Rendered.Rendered {
		note := ""
		if b.Note != "" {
			note = " " + c.Words.Translate(b.Note)
		}
		part("context.layer", c.Words.Layer(b.Layer), b.Role, b.Tokens, note)
		lines = append(lines, strings.TrimRight(b.Text, "\n"))
	}
	if r.Look != nil {
		part("context.look", c.Words.Look(*r.Look, c.Now().Location()))
		lines = append(lines, sourceLines(c, r.Sources)...)
	}
	for _, tool := range r.Offered {
		part("context.tool")
		lines = append(lines, tool)
	}
	for i, round := range r.Further {
		lines = append(lines, roundLines(c, i+2, round)...)
	}
	mark := map[bool]string{true: c.Say("context.yes"), false: c.Say("context.not")}
	if len(r.Used) > 0 {
		part("context.used")
	}
	for _, u := range r.Used {
		say("context.used.row", mark[u.Chosen], u.Score, words.ShortID(u.ItemID), words.Sentence(u.Why))
	}
	if len(r.Found) > 0 {
		part("context.found")
	}
	for _, f := range r.Found {
		say("context.found.row", mark[f.Chosen], c.Words.JournalFound(f, r.Files[f.File]))
	}
	for _, d := range r.Dropped {
		say("context.dropped", c.Words.Layer(d.Layer), words.ShortID(d.What), words.Sentence(d.Reason))
	}
	return lines
}

// roundLines returns the lines that show a further request of a turn: the model's text, its
// tool calls and their results. n is the number of the request in the turn, counted from 1.
func roundLines(c *Console, n int, r memory.RenderedRound) (lines []string) {
	without := ""
	if !r.Tools {
		without = c.Say("context.no-tool")
	}
	lines = []string{"", c.Say("context.request", n, r.Tokens, r.Hash, without)}
	if r.SaidText != "" {
		lines = append(lines, strings.TrimRight(r.SaidText, "\n"))
	}
	for _, called := range r.Called {
		came := c.Say("context.hits", called.Found)
		if called.Failed != "" {
			came = c.Words.Translate(called.Failed)
		}
		if called.Name != "" {
			lines = append(lines, c.Say("context.call", called.Name, line(called.Arguments), came))
		}
		if called.Written != "" {
			lines = append(lines, c.Say("context.written", line(called.Written)))
		}
		lines = append(lines, strings.TrimRight(called.Text, "\n"))
	}
	return lines
}
