package actions

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/words"
)

// transcript is what session show --json prints.
type transcript struct {
	Session  memory.Session `json:"session"`
	Messages []message      `json:"messages"`
	Total    int            `json:"total"` // messages in its branch
	// Before counts the messages in the session that it was forked from, Gone those that
	// were deleted there. Ways are the other branches by message.
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

// costOf returns what an answer cost; nil when that is unknown.
func costOf(c *Console, r memory.Record) *cost {
	if r.Usage == nil {
		return nil
	}
	amount, ok := c.Prices.Cost(r.Model, *r.Usage)
	if !ok {
		return nil
	}
	return &cost{Amount: amount, Currency: c.Prices.Currency}
}

// ShowSession shows the last messages of a session, or all.
func ShowSession(ctx context.Context, c *Console, s memory.Session, last int) (Result, error) {
	branch, err := c.Memory.Lookup().Branch(ctx, c.Agent.ID, s.ID)
	if err != nil {
		return Result{}, err
	}
	learned, err := c.Memory.Lookup().LearnedIn(ctx, c.Agent.ID, s.ID)
	if err != nil {
		return Result{}, err
	}
	records := branch.Records
	out := transcript{
		Session: s, Messages: []message{}, Total: len(records), Before: branch.Before, Gone: branch.Gone, Ways: branch.Alternatives,
	}
	if last > 0 {
		records = records[max(len(records)-last, 0):]
	}
	for _, r := range records {
		m := message{Record: r, speaker: c.Speaker(r), Cost: costOf(c, r), Memories: learned[r.ID]}
		out.Messages = append(out.Messages, m)
		if m.Cost == nil {
			continue
		}
		if out.Cost == nil {
			out.Cost = &cost{Currency: m.Cost.Currency}
		}
		out.Cost.Amount += m.Cost.Amount
	}
	r := Result{
		Data: out, Title: c.Words.SessionTitle(s), Fields: c.Words.SessionFields(s, c.Now().Location()), Lines: messageLines(c, out),
	}
	if out.Cost != nil {
		r.Fields = append(r.Fields, words.Field{Name: c.Say("session.cost"), Said: c.Prices.Money(out.Cost.Amount)})
	}
	if out.Gone > 0 {
		r.Fields = append(r.Fields, words.Field{Said: c.Say("session.gone", c.Words.Count(out.Gone, "earlier message was"))})
	}
	if len(out.Messages) < out.Total {
		r.Notes = []string{c.Say("session.last", len(out.Messages), c.Words.Count(out.Total, "message"))}
	}
	return r, nil
}

// messageLines are the messages of a session with what became of each.
func messageLines(c *Console, t transcript) (lines []string) {
	for i, m := range t.Messages {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, heading(c, m), m.Content)
		if j := m.Judgement; j != nil {
			lines = append(lines, "↳ "+line(c.Words.Judgement(*j)))
		}
		if w, ok := t.Ways[m.ID]; ok {
			lines = append(lines, fmt.Sprintf("‹%d/%d›", w.At, w.Of))
		}
		for _, it := range m.Memories {
			lines = append(lines, c.Say("message.learned", words.ShortID(it.ID), line(it.Content)))
		}
	}
	return lines
}

// heading says who wrote a message, when, and how it ended.
func heading(c *Console, m message) string {
	who := c.Words.Speaker(m.Record, c.Agent.Name)
	out := []string{m.Timestamp.Local().Format(time.DateTime), cmp.Or(line(m.speaker), who)}
	if m.Model != "" {
		out = append(out, line(m.Model))
	}
	if m.Status != memory.StatusComplete {
		out = append(out, string(m.Status))
	}
	if why := line(m.Metadata.Error); why != "" {
		out = append(out, why)
	}
	if u := m.Usage; u != nil {
		out = append(out, c.Say("message.tokens", u.PromptTokens, u.CompletionTokens))
	}
	if m.Cost != nil {
		out = append(out, c.Prices.Money(m.Cost.Amount))
	}
	if len(m.Foreign()) > 0 && m.Role != memory.RoleTool {
		out = append(out, c.Say("message.partly", m.Foreign()[0].Kind))
	}
	return "── " + strings.Join(out, " · ")
}
