package compose

import (
	"cmp"
	"context"
	"slices"

	"memoria/chat/model"
	"memoria/memory"
	"memoria/memory/manager/journals"
	"memoria/memory/recall"
	"memoria/memory/retrieve"
)

// unaided chooses what an answer without a model is made of. A model copes with memories that only
// share a word with a message; a reader takes what is quoted for the answer. So of what recall chose
// it takes only what can answer the question.
type unaided struct{ *builder }

// Reasons for leaving a memory out of an answer without a model.
const (
	whyAsksNothing = "the message asks nothing"
	whyOwnAnswer   = "the program answers this itself"
	whyNotAbout    = "it is not about whom the question asks"
	whyArchive     = "the archive has the words of the question that it lacks"
)

// leaveUnasked takes away the memories that cannot answer the message: all for one that asks
// nothing, or asks about somebody whom none of them mentions.
func (b unaided) leaveUnasked() {
	if !b.info.Offline {
		return
	}
	asked := b.Turn.Record.Asked()
	switch {
	case b.Instruction != nil:
		b.unasked = true
		b.leaveRecall(whyOwnAnswer)
	case model.Tells(asked) && !retrieve.Asks(asked):
		b.unasked = true
		b.leaveRecall(whyAsksNothing)
	case retrieve.OfNobody(asked, b.recalled()):
		b.leaveRecall(whyNotAbout)
	default:
		b.leaveOthers(asked)
		b.missing = retrieve.Missing(asked, b.recalled())
	}
}

// leaveOthers takes away the memories about somebody or something else, if there are better ones.
func (b unaided) leaveOthers(asked string) {
	var items []memory.Item
	for _, s := range b.recall {
		items = append(items, s.Item)
	}
	answers := retrieve.Answering(asked, items)
	recalled, quotes := b.recall, b.out.Quotes
	b.recall, b.out.Quotes = nil, nil
	for i, s := range recalled {
		if !answers[i] && s.Parts.VectorScore == 0 {
			b.use(s, false, whyNotAbout)
			continue
		}
		b.recall, b.out.Quotes = append(b.recall, s), append(b.out.Quotes, quotes[i])
	}
}

// recalled are the texts of the memories.
func (b unaided) recalled() (out []string) {
	for _, s := range b.recall {
		out = append(out, retrieve.TextOf(s.Item))
	}
	return out
}

func (b unaided) leaveRecall(why string) {
	for _, s := range b.recall {
		b.use(s, false, why)
	}
	b.recall, b.out.Quotes = nil, nil
}

// gatherSaid looks for what was said: in the archive, or else in the journal, which is made of the
// same messages.
func (b unaided) gatherSaid(ctx context.Context, res retrieve.Result) error {
	if err := b.gatherEvidence(ctx, res); err != nil {
		return err
	}
	if len(b.recall)+len(b.evidence)+len(b.above) > 0 {
		return nil
	}
	b.gatherJournal(ctx)
	var records []string
	for _, p := range b.journal {
		records = append(records, p.Record)
	}
	ended := b.leftBehind(ctx, records)
	b.journal = slices.DeleteFunc(b.journal, func(p journals.Passage) bool { return ended[p.Record] })
	return nil
}

// leftBehind returns those of the messages that say what is no longer true, unless the message asks what was.
func (b unaided) leftBehind(ctx context.Context, records []string) map[string]bool {
	if retrieve.AsksWhatWas(b.Turn.Record.Asked()) {
		return nil
	}
	ended, err := recall.EndedSources(ctx, b.Memory.Recall(), b.Agent.ID, records)
	if err != nil {
		b.Log.Warn("what is no longer true was not looked for", "error", err)
	}
	return ended
}

// mustQuote reports whether only the archive can answer a question: no model reads the
// conversation, and what was found lacks what the question is about.
func (b unaided) mustQuote(asked string) bool {
	if !b.info.Offline || len(b.own) > 0 || !retrieve.Asks(asked) {
		return false
	}
	return len(b.recall)+len(b.journal) == 0 || len(b.missing) > 0
}

// preferArchive leaves of the quotes for a question those that have the most of what the memories
// lack, the best first, and takes away the memories if there are such quotes.
func (b unaided) preferArchive(ctx context.Context, asked string, quotes []recall.Quote) []recall.Quote {
	var records []string
	for _, q := range quotes {
		records = append(records, q.Record.ID)
	}
	ended := b.leftBehind(ctx, records)
	quotes = slices.DeleteFunc(quotes, func(q recall.Quote) bool {
		return ended[q.Record.ID] || retrieve.OnlyAsks(q.Text()) || retrieve.OfNobody(asked, []string{q.Text()})
	})
	texts := b.recalled()
	for _, q := range quotes {
		texts = append(texts, q.Text())
	}
	if slices.ContainsFunc(texts, func(s string) bool { return retrieve.HasSubject(asked, s) }) {
		quotes = slices.DeleteFunc(quotes, func(q recall.Quote) bool { return !retrieve.HasSubject(asked, q.Text()) })
	}
	if len(b.missing) == 0 {
		return quotes
	}
	query := retrieve.Analyse(asked, "")
	has, share := map[string]int{}, map[string]float64{}
	most := 0
	for _, q := range quotes {
		said := q.Text()
		has[said] = len(b.missing) - len(retrieve.Missing(asked, append(b.recalled(), said)))
		share[said] = retrieve.ShareTranslated(query, said).Keyword
		most = max(most, has[said])
	}
	if most == 0 {
		return nil
	}
	b.leaveRecall(whyArchive)
	var out []recall.Quote
	for _, q := range quotes {
		if n := has[q.Text()]; n == most {
			q.Bears = q.Bears || n == len(b.missing)
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(x, y recall.Quote) int { return cmp.Compare(share[y.Text()], share[x.Text()]) })
	return out
}
