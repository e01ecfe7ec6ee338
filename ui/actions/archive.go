package actions

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
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
	span := c.Words.Span(q.From, q.To, c.Now().Location())
	if span != "" {
		r.Lines = append(r.Lines, c.Say("archive.time", span))
	}
	if page.Degraded != "" {
		r.Lines = append(r.Lines, line(c.Words.Translate(page.Degraded)))
	}
	if page.Total == 0 {
		r.Notes = []string{c.Say("archive.no-match")}
		return r
	}
	c.last.sessions = nil // a number leads to the session
	r.List = &List{Total: page.Total, What: "message", Hint: c.Say("archive.hint")}
	for _, h := range page.Hits {
		c.last.sessions = append(c.last.sessions, memory.Session{ID: h.Record.SessionID, Title: h.Title})
		r.List.Rows = append(r.List.Rows, c.Words.MessageRow(h, cmp.Or(who(h.Record), h.Record.AgentID), q.Text, c.Now()))
	}
	return r
}

// Answerer names who answered, for a command.
func (c *Console) Answerer(r memory.Record) string { return cmp.Or(c.Speaker(r), c.Agent.Name) }

// shownMessage is what archive show --json prints.
type shownMessage struct {
	memory.Record
	Title    string        `json:"title"` // of the session
	Memories []memory.Item `json:"memories"`
}

// showMessage shows a message and what was learned from it.
func showMessage(ctx context.Context, c *Console, id string) (Result, error) {
	r, err := c.Memory.Lookup().FindRecord(ctx, c.Agent.ID, id)
	if err != nil {
		return Result{}, err
	}
	items, err := c.Memory.Lookup().LearnedFrom(ctx, c.Agent.ID, r.ID)
	if err != nil {
		return Result{}, err
	}
	s, err := c.Memory.Lookup().Session(ctx, c.Agent.ID, r.SessionID)
	if err != nil {
		return Result{}, err
	}
	m := message{Record: r, speaker: c.Speaker(r), Cost: costOf(c, r)}
	out := Result{
		Data: shownMessage{Record: r, Title: s.Title, Memories: append([]memory.Item{}, items...)},
		Fields: words.Fields{
			{Name: c.Say("message.id"), Said: r.ID}, {Name: c.Say("message.session"), Said: words.ShortID(s.ID) + "  " + line(s.Title)},
		},
		Lines: []string{heading(c, m), r.Content},
	}
	if r.Collected {
		out.Fields = append(out.Fields, words.Field{Name: "★", Said: c.Say("message.bookmarked")})
	}
	if len(items) == 0 {
		out.Notes = []string{c.Say("message.taught-nothing")}
		return out, nil
	}
	out.Lines = append(out.Lines, "", c.Say("message.taught"))
	for _, it := range items {
		out.Lines = append(out.Lines, c.Words.MemoryRow(it, c.Now()).Columns)
	}
	return out, nil
}

// Bookmark bookmarks a message, or removes the bookmark.
func Bookmark(ctx context.Context, c *Console, id string, on bool) (Result, error) {
	r, err := c.Memory.CollectRecord(ctx, c.Agent.ID, id, on)
	said := "message.marked"
	if !on {
		said = "message.unmarked"
	}
	return Result{Data: r, ID: r.ID, Notes: []string{c.Say(said, words.Excerpt(r.Content, ""))}}, err
}

// proven is what archive why --json prints.
type proven struct {
	Sources  []recall.Source `json:"sources"`
	Degraded string          `json:"degraded,omitempty"`
}

// evidence shows the words that a memory rests on, or those that say what a text says.
func evidence(ctx context.Context, c *Console, what string) (r Result, _ error) {
	find := c.Memory.Recall()
	var found recall.Evidence
	it, err := c.Memory.Lookup().Item(ctx, c.Agent.ID, what)
	if len(what) < minID || strings.ContainsAny(what, " \n") || errors.Is(err, lookup.ErrNotFound) {
		Settle(ctx, c)
		var res retrieve.Result
		if res, err = find.Retrieve(ctx, c.Agent.ID, recall.Query{Text: what}); err == nil {
			q := recall.EvidenceQuery{Text: what, Trigger: retrieve.TriggerProof, Recalled: res.Chosen}
			found, err = find.FindEvidence(ctx, c.Agent.ID, q)
		}
	} else if err == nil {
		found, err = find.EvidenceOf(ctx, c.Agent.ID, it)
	}
	out := proven{Sources: []recall.Source{}, Degraded: found.Degraded}
	for i, quote := range found.Quotes {
		out.Sources = append(out.Sources, quote.Source(i+1))
	}
	r.Data, r.Lines = out, sourceLines(c, out.Sources)
	if found.Degraded != "" {
		r.Notes = []string{c.Words.Translate(found.Degraded)}
	}
	if len(out.Sources) == 0 {
		r.Notes = append(r.Notes, c.Say("proof.nothing"))
	}
	return r, err
}

// sourceLines are sources by their numbers: when, who, where, and the words, on two lines each.
func sourceLines(c *Console, all []recall.Source) (lines []string) {
	for _, s := range all {
		head := []string{c.Say("source.at", s.N, words.Moment(s.Time, c.Now().Location()))}
		if s.RecordID == "" {
			head = append(head, c.Say("source.lost"))
		} else {
			head = append(head, c.Words.Speaker(memory.Record{Role: s.Role}, string(s.Role)),
				c.Say("source.message", words.ShortID(s.RecordID)), c.Say("source.session", words.ShortID(s.SessionID)))
		}
		if s.ItemID != "" {
			head = append(head, c.Say("source.of-memory", words.ShortID(s.ItemID)))
		}
		if s.InWindow {
			head = append(head, c.Say("source.window"))
		}
		text := line(quoted(c.Words, s))
		if !s.Forgotten {
			text = "“" + text + "”"
		}
		lines = append(lines, strings.Join(head, " · "), "    "+text)
	}
	return lines
}

// quoted are the words of a source, or the note that they were deleted.
func quoted(w words.Words, s recall.Source) string {
	if s.Forgotten {
		return w.Translate(s.Text)
	}
	return s.Text
}

// Cited says what an answer rests on, a line each.
func (c *Console) Cited(all []recall.Source) (lines []string) {
	for _, s := range all {
		who := c.Say("source.of-memory", words.ShortID(s.ItemID))
		if s.RecordID != "" {
			who = c.Words.Speaker(memory.Record{Role: s.Role}, string(s.Role)) + ", " + c.Say("source.message", words.ShortID(s.RecordID))
		}
		said := words.Excerpt(quoted(c.Words, s), "")
		lines = append(lines, c.Say("source.cited", s.N, words.Moment(s.Time, c.Now().Location()), who, said))
	}
	return lines
}
