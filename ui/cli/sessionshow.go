package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/actions"
	"memoria/ui/app"
	"memoria/ui/words"
)

// transcript is what session show --json prints.
type transcript struct {
	Session  memory.Session `json:"session"`
	Messages []message      `json:"messages"`
	Total    int            `json:"total"` // messages in its branch
	// Before are those of them that lie in the session that it was forked from, Gone
	// how many of these were deleted there, Ways the other branches by message.
	Before int                           `json:"before,omitempty"`
	Gone   int                           `json:"gone,omitempty"`
	Ways   map[string]lookup.Alternative `json:"ways,omitempty"`
	Cost   *cost                         `json:"cost"` // of the messages shown; null when no price is known
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

func sessionShow(p *Program) *cobra.Command {
	var last int
	c := &cobra.Command{
		Use: "show ID", Short: "Show the messages of a session",
		Long: `Show the messages of a session with how each ended, which model wrote it, what it
used, and what was learned from it. ID is an id or a part of it, or "last". What a turn sent to the model
shows memoria context.`,
		Example: `  memoria session show last
  memoria session show 7K3M9Q2A --last 2 --json`,
		PreRunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("last") && last < 1 {
				return wrongUsage("--last %d: at least 1", last)
			}
			return nil
		},
	}
	c.Flags().IntVar(&last, "last", 0, "only the last `N` messages")
	return onSession(p, c, func(ctx context.Context, o *app.App, c *actions.Console, s memory.Session, _ []string) (actions.Result, error) {
		branch, err := c.Memory.Lookup().Branch(ctx, c.Agent.ID, s.ID)
		if err != nil {
			return actions.Result{}, err
		}
		learned, err := c.Memory.Lookup().LearnedIn(ctx, c.Agent.ID, s.ID)
		if err != nil {
			return actions.Result{}, err
		}
		records := branch.Records
		out := transcript{Session: s, Messages: []message{}, Total: len(records), Before: branch.Before, Gone: branch.Gone, Ways: branch.Alternatives}
		if last > 0 {
			records = records[max(len(records)-last, 0):]
		}
		for _, r := range records {
			m := message{Record: r, speaker: o.Speaker(r), Cost: costOf(o.Config.Model, r), Memories: learned[r.ID]}
			out.Messages = append(out.Messages, m)
			if m.Cost == nil {
				continue
			}
			if out.Cost == nil {
				out.Cost = &cost{Currency: m.Cost.Currency}
			}
			out.Cost.Amount += m.Cost.Amount
		}
		r := actions.Result{Data: out, Title: words.SessionTitle(s), Fields: sessionFields(out, o.Config.Model),
			Lines: messageLines(out, o.Agent.Name, o.Config.Model)}
		if len(out.Messages) < out.Total {
			r.Notes = []string{fmt.Sprintf("the last %d of %s", len(out.Messages), words.Count(out.Total, "message"))}
		}
		return r, nil
	})
}

// sessionFields is everything about a session but its messages.
func sessionFields(t transcript, cfg model.Config) (out words.Fields) {
	s := t.Session
	line := func(name, value string) {
		if value != "" {
			out = append(out, words.Field{Name: name, Said: value})
		}
	}
	line("id", s.ID)
	line("group", s.Group)
	line("state", string(s.State))
	line("began", words.Moment(s.CreatedAt, time.Local))
	line("last used", words.Moment(s.LastMessageAt, time.Local))
	line("archived", words.Moment(s.ArchivedAt, time.Local))
	line("turns", fmt.Sprint(s.TurnsShown()))
	if sum := s.Summary; sum != nil {
		line("summary", oneLine(sum.Snippet))
		line("summed up", fmt.Sprintf("by %s, %s, run %s", sumBy(sum.By), words.Moment(sum.CreatedAt, time.Local), sum.Generation))
	}
	if s.Memories == memory.MemoriesGenerating {
		line("", "what it comes to is still to be read: memoria learn")
	}
	if s.TokensIn+s.TokensOut > 0 {
		line("tokens", fmt.Sprintf("%d in, %d out", s.TokensIn, s.TokensOut))
	}
	if s.LearnIn+s.LearnOut > 0 {
		line("learning", fmt.Sprintf("%d tokens in, %d out", s.LearnIn, s.LearnOut))
	}
	if t.Cost != nil {
		line("cost", cfg.Money(t.Cost.Amount))
	}
	if f := s.ForkedFrom; f != nil {
		line("forked from", f.SessionID+", message "+f.RecordID)
	}
	if t.Gone > 0 {
		line("", words.Count(t.Gone, "earlier message was")+" deleted")
	}
	return out
}

// messageLines are the messages of a session with what became of each.
func messageLines(t transcript, agent string, cfg model.Config) (lines []string) {
	for i, m := range t.Messages {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, "── "+strings.Join(heading(m, agent, cfg), " · "), m.Content)
		if j := m.Judgement; j != nil {
			lines = append(lines, "↳ "+oneLine(words.Judgement(*j)))
		}
		if w, ok := t.Ways[m.ID]; ok {
			lines = append(lines, fmt.Sprintf("‹%d/%d›", w.At, w.Of))
		}
		for _, it := range m.Memories {
			lines = append(lines, fmt.Sprintf("→ learned  %s  %s", short(it.ID), oneLine(it.Content)))
		}
	}
	return lines
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
	if why := oneLine(m.Metadata.Error); why != "" {
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
