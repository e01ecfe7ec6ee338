package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/words"
)

// transcript is what session show --json prints.
type transcript struct {
	Session  memory.Session `json:"session"`
	Messages []message      `json:"messages"`
	Total    int            `json:"total"` // messages in its branch
	// Before are those of them that lie in the session that it was forked from, Gone
	// how many of these were deleted there, Ways the other branches by message.
	Before int                     `json:"before,omitempty"`
	Gone   int                     `json:"gone,omitempty"`
	Ways   map[string]manager.Ways `json:"ways,omitempty"`
	Cost   *cost                   `json:"cost"` // of the messages shown; null when no price is known
}

// message is an archival record with what it cost and what was learned from it.
type message struct {
	memory.Record
	speaker  string        // who says it in a group; empty for the user
	Cost     *cost         `json:"cost,omitempty"`
	Memories []memory.Item `json:"memories,omitempty"`
}

// cost is an amount of money.
type cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

// costOf returns what an answer cost; nil when nobody knows.
func costOf(cfg model.Config, r memory.Record) *cost {
	if r.Usage == nil {
		return nil
	}
	amount, ok := cfg.Cost(r.Model, *r.Usage)
	if !ok {
		return nil
	}
	return &cost{Amount: amount, Currency: cfg.Currency}
}

func (p *Program) sessionShow() *cobra.Command {
	var last int
	var asJSON bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show the messages of a session",
		Long: `Show the messages of a session with how each ended, which model wrote it, what it
used, and what was learned from it. ID is an id or a part of it, or "last". What a turn sent to the model
shows memoria context.`,
		Example: `  memoria session show last
  memoria session show 7K3M9Q2A --last 2 --json`,
		Args: need("the ID of a session", 1), Annotations: hint(listSessions), ValidArgsFunction: p.completeSession,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("last") && last < 1 {
				return wrongUsage("--last %d: at least 1", last)
			}
			return p.with(c.Context(), func(o *open) error { return p.showSession(c.Context(), o, args[0], last, asJSON) })
		},
	}
	c.Flags().IntVar(&last, "last", 0, "only the last `N` messages")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *Program) showSession(ctx context.Context, o *open, id string, last int, asJSON bool) error {
	s, err := p.findSession(ctx, o, id)
	if err != nil {
		return err
	}
	branch, err := o.manager.Branch(ctx, o.agent.ID, s.ID)
	if err != nil {
		return err
	}
	records := branch.Records
	learned, err := o.manager.LearnedIn(ctx, o.agent.ID, s.ID)
	if err != nil {
		return err
	}
	out := transcript{Session: s, Messages: []message{}, Total: len(records), Before: branch.Before, Gone: branch.Gone, Ways: branch.Ways}
	if last > 0 {
		records = records[max(len(records)-last, 0):]
	}
	for _, r := range records {
		m := message{Record: r, speaker: o.speaker(r), Cost: costOf(o.cfg.Model, r), Memories: learned[r.ID]}
		out.Messages = append(out.Messages, m)
		if m.Cost == nil {
			continue
		}
		if out.Cost == nil {
			out.Cost = &cost{Currency: m.Cost.Currency}
		}
		out.Cost.Amount += m.Cost.Amount
	}
	if asJSON {
		return p.printJSON(out)
	}
	p.print(describeSession(out, o.agent.Name, o.cfg.Model))
	if len(out.Messages) < out.Total {
		p.say("the last %d of %s", len(out.Messages), many(out.Total, "message", "messages"))
	}
	return nil
}

func describeSession(t transcript, agent string, cfg model.Config) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", name, value)
		}
	}
	fmt.Fprintf(&b, "%s\n\n", cmp.Or(oneLine(t.Session.Title), "(no title)"))
	line("id", t.Session.ID)
	line("group", t.Session.Group)
	line("state", string(t.Session.State))
	line("began", stamp(t.Session.CreatedAt))
	line("last used", stamp(t.Session.LastMessageAt))
	line("archived", stamp(t.Session.ArchivedAt))
	line("turns", fmt.Sprint(t.Session.TurnsShown()))
	if sum := t.Session.Summary; sum != nil {
		line("summary", oneLine(sum.Snippet))
		line("summed up", fmt.Sprintf("by %s, %s, run %s", sumBy(sum.By), stamp(sum.CreatedAt), sum.Generation))
	}
	if t.Session.Memories == memory.MemoriesGenerating {
		line("", "what it comes to is still to be read: memoria learn")
	}
	if t.Session.TokensIn+t.Session.TokensOut > 0 {
		line("tokens", fmt.Sprintf("%d in, %d out", t.Session.TokensIn, t.Session.TokensOut))
	}
	if t.Session.LearnIn+t.Session.LearnOut > 0 {
		line("learning", fmt.Sprintf("%d tokens in, %d out", t.Session.LearnIn, t.Session.LearnOut))
	}
	if t.Cost != nil {
		line("cost", cfg.Money(t.Cost.Amount))
	}
	if f := t.Session.ForkedFrom; f != nil {
		line("forked from", f.SessionID+", message "+f.RecordID)
	}
	if t.Gone > 0 {
		line("", many(t.Gone, "earlier message was", "earlier messages were")+" deleted")
	}
	for _, m := range t.Messages {
		fmt.Fprintf(&b, "\n── %s\n%s\n", strings.Join(heading(m, agent, cfg), " · "), strings.TrimRight(m.Content, "\n"))
		if j := m.Judgement; j != nil {
			fmt.Fprintf(&b, "↳ %s\n", oneLine(words.Judgement(*j)))
		}
		if w, ok := t.Ways[m.ID]; ok {
			fmt.Fprintf(&b, "‹%d/%d›\n", w.At, w.Of)
		}
		for _, it := range m.Memories {
			fmt.Fprintf(&b, "→ learned  %s  %s\n", short(it.ID), oneLine(it.Content))
		}
	}
	return b.String()
}

func sumBy(by string) string {
	if by == memory.ByModel {
		return "the model"
	}
	return "rules"
}

// heading says who wrote a message, when, and how it ended.
func heading(m message, agent string, cfg model.Config) []string {
	who := string(m.Role)
	switch m.Role {
	case memory.RoleUser:
		who = "you"
	case memory.RoleAssistant:
		who = cmp.Or(agent, m.AgentID)
	}
	out := []string{m.Timestamp.Local().Format("2006-01-02 15:04:05"), cmp.Or(oneLine(m.speaker), who)}
	if m.Model != "" {
		out = append(out, oneLine(m.Model))
	}
	if m.Status != memory.StatusComplete {
		out = append(out, string(m.Status))
	}
	if why := oneLine(m.Metadata["error"]); why != "" {
		out = append(out, why)
	}
	if u := m.Usage; u != nil {
		out = append(out, fmt.Sprintf("%d + %d tokens", u.PromptTokens, u.CompletionTokens))
	}
	if m.Cost != nil {
		out = append(out, cfg.Money(m.Cost.Amount))
	}
	if len(m.Foreign()) > 0 && m.Role != memory.RoleTool {
		out = append(out, "partly "+m.Foreign()[0].Kind)
	}
	return out
}
