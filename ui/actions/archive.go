package actions

import (
	"cmp"
	"context"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/words"
)

// archive lists messages: the newest, or those with these words from the time that the
// words name (A4).
func archive(ctx context.Context, c *Console, text string) (Result, error) {
	q := recall.AskArchive(text, c.Now(), c.Now().Location())
	q.Limit = maxListed
	page, err := c.Memory.Recall().SearchArchive(ctx, c.Agent.ID, q)
	if err != nil {
		return Result{}, err
	}
	return c.Messages(q, page, func(r memory.Record) string {
		if r.Sender != "" {
			return c.Chat.NameOf(r.Sender)
		}
		return c.Agent.Name
	}), nil
}

// Messages lists messages that were found. who names who answered.
func (c *Console) Messages(q recall.ArchiveQuery, page recall.ArchivePage, who func(memory.Record) string) (r Result) {
	span := words.Span(q.From, q.To, c.Now().Location())
	if span != "" {
		r.Lines = append(r.Lines, c.Say("archive.time", span))
	}
	if page.Degraded != "" {
		r.Lines = append(r.Lines, line(page.Degraded))
	}
	if page.Total == 0 {
		r.Notes = []string{c.Say("archive.no-match")}
		return r
	}
	c.last.sessions = nil // a number leads to the session
	r.List = &List{Total: page.Total, What: "message", Hint: c.Say("archive.hint")}
	for _, h := range page.Hits {
		c.last.sessions = append(c.last.sessions, memory.Session{ID: h.Record.SessionID, Title: h.Title})
		r.List.Rows = append(r.List.Rows, words.MessageRow(h, cmp.Or(who(h.Record), h.Record.AgentID), q.Text, c.Now()))
	}
	return r
}
