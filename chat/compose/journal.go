package compose

import (
	"context"
	"slices"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/manager/journals"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
	"memoria/prompts"
)

// gatherJournal chooses the passages of the journal that go with the message: what the
// memories leave of their budget (C4, J6). Passages from the conversation and sources
// of a chosen memory are not repeated.
func (b *builder) gatherJournal(ctx context.Context) {
	if !b.on(layerRecall) {
		return
	}
	shown, err := recall.HeldSources(ctx, b.Memory.Recall(), b.Agent.ID)
	if err != nil {
		b.degraded(b.Explain(err))
		return
	}
	shown[b.Turn.Record.ID] = true
	for _, e := range b.window.entries {
		shown[e.record.ID] = true
	}
	found, err := b.Memory.Journals().SearchJournal(ctx, b.Agent.ID, journalQuery(b.Turn.Record.Asked(), b.recall, shown, b.Records))
	if err != nil {
		if ctx.Err() == nil { // a journal that fails must not take the conversation down
			b.degraded(b.Explain(err))
			b.Log.Warn("the journal was not searched", "error", err)
		}
		return
	}
	frame, err := b.frame(prompts.RecallHeader, b.total)
	if err != nil {
		b.degraded(b.Explain(err))
		return
	}
	left := b.Config.MemoryTokens - frame
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
		b.out.Package.Found = append(b.out.Package.Found, memory.FoundPassage{
			File: p.Ref.Field, Kind: p.Kind, Date: p.Date, Record: p.Record, Score: memory.Rounded(p.Score), Chosen: chosen, Why: why,
		})
	}
}

func journalWhy(p journals.Passage) string {
	if p.Scanned {
		return "it has words of the message"
	}
	return "it fits the words of the message"
}

// journalQuery is what the journal is asked for a message: nothing that is shown anyway, or
// that a recalled memory was made of.
func journalQuery(text string, recalled []retrieve.Scored, shown map[string]bool, records []memory.Record) journal.Query {
	for _, s := range recalled {
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

// journalSection is what the journal adds to the memories.
func (b *builder) journalSection() ([]section, error) {
	var refs []memory.Ref
	var said []string
	for _, p := range b.journal {
		refs, said = append(refs, p.Ref), append(said, p.Said)
	}
	return b.data(memory.LayerJournal, "", 0, refs, said)
}

// leaveJournal takes the last passage away that is over the model's context.
func (b *builder) leaveJournal() {
	last := b.journal[len(b.journal)-1]
	b.journal = b.journal[:len(b.journal)-1]
	for i := range b.out.Package.Found {
		if f := &b.out.Package.Found[i]; f.File == last.Ref.Field && f.Record == last.Record && f.Chosen {
			f.Chosen, f.Why = false, "over the model's context"
		}
	}
}

// quoted are the words that the package quotes from the journal, and the paths of what was
// found and left out.
func (b *builder) quoted() (out []memory.Quoted) {
	for _, p := range b.journal {
		out = append(out, p.Quoted)
	}
	for _, p := range b.passages {
		out = append(out, memory.Quoted{Path: p.Path})
	}
	return out
}

// journalQuotes are the passages that are sent, as the offline client quotes them.
func (b *builder) journalQuotes() (out []model.Quote) {
	for _, p := range b.journal {
		out = append(out, model.Quote{Text: p.Text[p.From:p.To], Source: p.Path, Passage: true})
	}
	return out
}

// preferEvidence leaves a message's passages to the archive, which names its author and its
// time, because the user asks for them (A2).
func (b *builder) preferEvidence(id string) {
	b.journal = slices.DeleteFunc(b.journal, func(p journals.Passage) bool { return p.Record == id })
	for i, f := range b.out.Package.Found {
		if f.Record == id {
			b.out.Package.Found[i].Chosen, b.out.Package.Found[i].Why = false, "the archive quotes it"
		}
	}
}

// inJournal reports whether a message is quoted from the journal already.
func (b *builder) inJournal(id string) bool {
	return id != "" && slices.ContainsFunc(b.journal, func(p journals.Passage) bool { return p.Record == id })
}

// Preview returns the passages of an agent's journal that would go with a message beside
// the recalled memories (R8, J6), as far as their budget allows. The window is taken to be
// records.
func (c *Composer) Preview(
	ctx context.Context, agentID, text string, recalled []retrieve.Scored, records []memory.Record,
) ([]journals.Passage, error) {
	shown, err := recall.HeldSources(ctx, c.Memory.Recall(), agentID)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		shown[r.ID] = true
	}
	return c.Memory.Journals().SearchJournal(ctx, agentID, journalQuery(text, recalled, shown, records))
}
