package chat

import (
	"context"
	"slices"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

// gatherJournal chooses the passages of the journal that go with the message: what the
// memories leave of their budget (C4, J6). What stands in the conversation, or is what a
// chosen memory was made of, is not repeated.
func (b *composer) gatherJournal(ctx context.Context, records []memory.Record) {
	if !b.on(layerRecall) {
		return
	}
	shown := map[string]bool{b.turn.Record.ID: true}
	for _, e := range b.window.entries {
		shown[e.record.ID] = true
	}
	found, err := b.c.memory.SearchJournal(ctx, b.agent.ID, journalQuery(b.turn.Record.Asked(), b.recall, shown, records))
	if err != nil {
		if ctx.Err() == nil { // a journal that fails must not take the conversation down
			b.degraded(Explain(err).Text)
			b.c.log.Warn("the journal was not searched", "error", err)
		}
		return
	}
	frame, err := b.frame(prompts.RecallHeader, b.total)
	if err != nil {
		b.degraded(Explain(err).Text)
		return
	}
	left := b.set.context.MemoryTokens - frame
	for _, s := range b.recall {
		left -= b.count(b.fenceLine(itemRef(s.Item), s.Item.Content))
	}
	b.passages = found
	for _, p := range found {
		why := journalWhy(p)
		n := b.count(b.fenceLine(p.Ref, p.Said))
		chosen := n <= left
		if chosen {
			left -= n
			b.journal = append(b.journal, p)
		} else {
			why = "over the memory budget"
		}
		b.out.pkg.Found = append(b.out.pkg.Found, memory.FoundPassage{
			File: p.Ref.Field, Kind: p.Kind, Date: p.Date, Record: p.Record, Score: memory.Rounded(p.Score), Chosen: chosen, Why: why,
		})
	}
}

func journalWhy(p manager.Passage) string {
	if p.Scanned {
		return "it has words of the message"
	}
	return "it fits the words of the message"
}

// journalQuery is what the journal is asked for a message: nothing that is shown anyway, or
// that a recalled memory was made of.
func journalQuery(text string, recall []retrieve.Scored, shown map[string]bool, records []memory.Record) journal.Query {
	for _, s := range recall {
		for _, ev := range s.Item.Evidence {
			shown[ev.RecordID] = true
		}
	}
	q := journal.Query{Text: text, Limit: journal.MostHits, Skip: func(id string) bool { return shown[id] }}
	for _, r := range records[max(len(records)-journal.RecentMessages, 0):] {
		if !r.Withheld() {
			q.Recent = append(q.Recent, r.Content)
		}
	}
	return q
}

// PreviewJournal returns what of the journal would go with a message beside the memories that
// would (R8, J6), as far as the budget of memories allows; the window is taken to be the last
// messages of the session. Of a group there is nothing.
func (c *Chat) PreviewJournal(ctx context.Context, text string, recall []retrieve.Scored) ([]manager.Passage, error) {
	if c.noMemory || len(c.members) > 0 {
		return nil, nil
	}
	var records []memory.Record
	shown := map[string]bool{}
	if session := c.Session().ID; session != "" {
		var err error
		if records, err = c.memory.LastRecords(ctx, c.agent.ID, session, c.settings().ContextLimit); err != nil {
			return nil, err
		}
	}
	for _, r := range records {
		shown[r.ID] = true
	}
	return c.memory.SearchJournal(ctx, c.agent.ID, journalQuery(text, recall, shown, records))
}

// journalSection is what the journal adds to the memories.
func (b *composer) journalSection() ([]section, error) {
	var refs []memory.Ref
	var said []string
	for _, p := range b.journal {
		refs, said = append(refs, p.Ref), append(said, p.Said)
	}
	return b.data(memory.LayerJournal, "", 0, refs, said)
}

// leaveJournal takes the last passage away that is over the model's context.
func (b *composer) leaveJournal() {
	last := b.journal[len(b.journal)-1]
	b.journal = b.journal[:len(b.journal)-1]
	for i := range b.out.pkg.Found {
		if f := &b.out.pkg.Found[i]; f.File == last.Ref.Field && f.Record == last.Record && f.Chosen {
			f.Chosen, f.Why = false, "over the model's context"
		}
	}
}

// quoted are the words that the package quotes from the journal, and the paths of what was
// found and left out.
func (b *composer) quoted() (out []memory.Quoted) {
	for _, p := range b.journal {
		out = append(out, p.Quoted)
	}
	for _, p := range b.passages {
		out = append(out, memory.Quoted{Path: p.Path})
	}
	return out
}

// journalQuotes are the passages that are sent, as the offline client quotes them.
func (b *composer) journalQuotes() (out []model.Quote) {
	for _, p := range b.journal {
		out = append(out, model.Quote{Text: p.Text[p.From:p.To], Source: p.Path})
	}
	return out
}

// preferEvidence leaves a message's passages to the archive, which names its author and its
// time, because the user asks for them (A2).
func (b *composer) preferEvidence(id string) {
	b.journal = slices.DeleteFunc(b.journal, func(p manager.Passage) bool { return p.Record == id })
	for i, f := range b.out.pkg.Found {
		if f.Record == id {
			b.out.pkg.Found[i].Chosen, b.out.pkg.Found[i].Why = false, "the archive quotes it"
		}
	}
}

// inJournal reports whether a message is quoted from the journal already.
func (b *composer) inJournal(id string) bool {
	return id != "" && slices.ContainsFunc(b.journal, func(p manager.Passage) bool { return p.Record == id })
}

// Summariser makes the summaries of the journal: the model that is in use, or rules.
func (c *Chat) Summariser() journal.Summariser {
	client := c.client()
	if client.Info().Offline {
		return c.memory.JournalRules()
	}
	return journal.Model{Ask: model.NewCompleter(client), Name: client.Info().Model, Prompts: c.prompts, Policy: c.memory.Policy()}
}

// archiveByModel lets the model write the summaries of the journal that are due, one request
// at a time, until a message comes (J4). Where there is no model, rules write them.
func (c *Chat) archiveByModel(ctx context.Context, id string) error {
	if c.client().Info().Offline {
		_, err := c.memory.RunJournal(ctx, id, c.memory.JournalRules())
		return err
	}
	if j, err := c.memory.Journal(id); err != nil || !j.Due(ctx) {
		return nil //nolint:nilerr // a group has none
	}
	ctx, client, end, ok := c.goAside(ctx)
	if !ok {
		return nil
	}
	defer end()
	by := c.clientOf(id, client)
	_, err := c.memory.RunJournal(ctx, id, journal.Model{
		Ask: model.NewCompleter(by), Name: by.Info().Model, Prompts: c.prompts, Policy: c.memory.Policy(),
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}
