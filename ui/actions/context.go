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

// weighed is what context --json prints: a package with what its answer used.
type weighed struct {
	memory.Rendered
	Sources []recall.Source `json:"sources,omitempty"` // the citations with their words
	Usage   *memory.Usage   `json:"usage,omitempty"`   // as the server counted it
	Cost    *cost           `json:"cost,omitempty"`    // where a price is known
}

// weigh adds what the turn's last answer used.
func weigh(ctx context.Context, c *Console, r memory.Rendered) (weighed, error) {
	out := weighed{Rendered: r}
	sources, err := c.Memory.Recall().Sources(ctx, r.AgentID, r.Package)
	if err != nil {
		return out, err
	}
	if len(r.Citations) > 0 {
		out.Sources = sources[r.TurnID]
	}
	records, err := c.Memory.Lookup().Records(ctx, r.AgentID, r.SessionID)
	for _, said := range records {
		if said.TurnID == r.TurnID && said.Role == memory.RoleAssistant && (said.Sender == "" || said.Sender == r.AgentID) {
			out.Usage, out.Cost = said.Usage, costOf(c, said)
		}
	}
	return out, err
}

// LastSession names the session last used.
const LastSession = "last"

// FindSession finds the session that an id, a part of it, or [LastSession] names.
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

// groupContext is what context --json prints for a group: what a turn sent, of each
// member that was asked, in the order in which they answered.
type groupContext struct {
	Session  string    `json:"session"`
	Turn     string    `json:"turn"`
	Packages []weighed `json:"packages"`
}

// ShowContext shows what a turn sent to the model; of a group what it sent to each member.
// session and turn name it as FindSession and pickTurn read them.
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
		w, err := weigh(ctx, c, p)
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

// minPart is the shortest part of a turn's id that names it.
const minPart = 4

// pickTurn finds a turn by its number, counted from 1, or by a part of its id; "" is the last.
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

// contextLines is everything that a turn sent.
func contextLines(c *Console, r weighed) (lines []string) {
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
		say("context.degraded", r.Degraded)
	}
	for _, b := range r.Rendered.Rendered {
		note := ""
		if b.Note != "" {
			note = " " + b.Note
		}
		part("context.layer", words.Layer(b.Layer), b.Role, b.Tokens, note)
		lines = append(lines, strings.TrimRight(b.Text, "\n"))
	}
	if r.Look != nil {
		part("context.look", words.Look(*r.Look, c.Now().Location()))
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
		say("context.used.row", mark[u.Chosen], u.Score, words.ShortID(u.ItemID), u.Why)
	}
	if len(r.Found) > 0 {
		part("context.found")
	}
	for _, f := range r.Found {
		say("context.found.row", mark[f.Chosen], words.JournalFound(f, r.Files[f.File]))
	}
	for _, d := range r.Dropped {
		say("context.dropped", words.Layer(d.Layer), words.ShortID(d.What), d.Reason)
	}
	return lines
}

// roundLines are what a further request of a turn added: what the model said and called,
// and what it got.
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
			came = called.Failed
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
