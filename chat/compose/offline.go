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

// unaided chooses what an answer without a model quotes. A model copes with memories that only share
// a word with the message. A person reads every quote as the answer, so unaided keeps only memories
// that can be one.
type unaided struct{ *builder }

// Reasons for leaving a memory out of an answer without a model.
const (
	whyAsksNothing = "the message asks nothing"
	whyOwnAnswer   = "the program answers this itself"
	whyNotAbout    = "it is not about whom the question asks"
	whyArchive     = "the archive has the words of the question that it lacks"
)

// leaveUnasked takes away the memories that cannot answer the message: all for one that asks
// nothing, or asks about somebody whom none of them mentions. quotes reports whether the answer
// quotes anything.
func (b unaided) leaveUnasked(res retrieve.Result) (quotes bool) {
	b.question = retrieve.NewQuestion(b.Turn.Record.Asked())
	b.question.Know(b.Turn.Record.Asked(), res.People)
	b.question.Respelt(res.Respelt)
	switch {
	case b.Instruction != nil:
		b.leaveRecall(whyOwnAnswer)
		return false
	case model.Tells(b.Turn.Record.Asked()) && !b.question.Asks():
		b.leaveRecall(whyAsksNothing)
		return false
	case b.question.OfNobody(b.recalled()...):
		b.leaveRecall(whyNotAbout)
	default:
		b.leaveOthers()
		b.missing = b.question.Missing(b.recalled())
	}
	return true
}

// leaveOthers takes away the memories about somebody or something else, if there are better ones.
func (b unaided) leaveOthers() {
	var items []memory.Item
	for _, s := range b.recall {
		items = append(items, s.Item)
	}
	answers := b.question.Answering(items)
	var left []memory.Item
	for i, it := range items {
		if answers[i] {
			left = append(left, it)
		}
	}
	asked := b.question.HasAsked(left)
	recalled, quotes := b.recall, b.out.Quotes
	b.recall, b.out.Quotes = nil, nil
	for i, s := range recalled {
		if answers[i] {
			answers[i], asked = asked[0], asked[1:]
		}
		if !answers[i] && s.Parts.VectorScore == 0 {
			b.use(s, false, whyNotAbout)
			continue
		}
		quote := quotes[i]
		quote.Loose = quote.Loose && !b.question.IsAnsweredBy(s.Item)
		b.recall, b.out.Quotes = append(b.recall, s), append(b.out.Quotes, quote)
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

// gather looks for what was said where the memories leave something open: in the archive, which knows who said
// it and when, or else in the journal, which is made of the same messages.
func (b unaided) gather(ctx context.Context, res retrieve.Result) error {
	quotes := b.leaveUnasked(res)
	res.Chosen = b.recall
	if err := b.fitHistory(); err != nil || !quotes {
		return err
	}
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
	// The journal is also searched for the words of the messages before.
	b.journal = slices.DeleteFunc(b.journal, func(p journals.Passage) bool {
		return ended[p.Record] || !b.fits(p.Text[p.From:p.To])
	})
	return nil
}

// fits reports whether a passage has all of the words that tell the message from others.
func (b unaided) fits(passage string) bool {
	if !b.question.Asks() {
		return retrieve.ShareTranslated(b.question.Query, passage).Keyword >= allWords
	}
	missing := b.question.Missing(nil)
	return len(missing) > 0 && b.question.Has(missing, passage) == len(missing)
}

// allWords is the share of a message's keywords that a passage has which has them all, up to rounding.
const allWords = 0.99

// leftBehind returns those of the messages whose memories are no longer true; none if the user asks about the past.
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
// conversation, and the memories lack what the question is about.
func (b unaided) mustQuote() bool {
	return b.info.Offline && len(b.own) == 0 && b.question.Asks() && (len(b.recall) == 0 || len(b.missing) > 0)
}

// answered reports whether a memory has what the question asks of somebody, as it is now.
func (b unaided) answered() bool {
	return b.question.HasAnswer(b.recalled()) && !retrieve.AsksWhatWas(b.Turn.Record.Asked())
}

// preferArchive returns of the quotes for a question those that have the most of what the memories
// lack, the best first, and takes away the memories if there are such quotes.
func (b unaided) preferArchive(ctx context.Context, in recall.Evidence) []recall.Quote {
	quotes := in.Quotes
	b.question.Respelt(in.Respelt)
	var records []string
	for _, q := range quotes {
		records = append(records, q.Record.ID)
	}
	ended := b.leftBehind(ctx, records)
	quotes = slices.DeleteFunc(quotes, func(q recall.Quote) bool {
		return ended[q.Record.ID] || retrieve.OnlyAsks(q.Text()) || b.question.OfNobody(q.Text())
	})
	if all := b.question.Missing(nil); len(all) > 0 { // what shares one word of several is no answer
		quotes = slices.DeleteFunc(quotes, func(q recall.Quote) bool {
			return !q.Bears && 2*b.question.Has(all, q.Text()) <= len(all)
		})
	}
	said := func(q recall.Quote) bool { return b.question.HasSubject(q.Text()) }
	if slices.ContainsFunc(quotes, said) || slices.ContainsFunc(b.recalled(), b.question.HasSubject) {
		quotes = slices.DeleteFunc(quotes, func(q recall.Quote) bool { return !said(q) })
	}
	if len(b.missing) == 0 {
		return quotes
	}
	type found struct {
		recall.Quote
		has   int // of the missing words
		share float64
	}
	var all []found
	most := 1
	for _, q := range quotes {
		f := found{q, b.question.Has(b.missing, q.Text()), retrieve.ShareTranslated(b.question.Query, q.Text()).Keyword}
		f.Bears = f.Bears || f.has == len(b.missing)
		all, most = append(all, f), max(most, f.has)
	}
	all = slices.DeleteFunc(all, func(f found) bool { return f.has < most })
	if len(all) == 0 {
		return nil
	}
	b.leaveRecall(whyArchive)
	slices.SortStableFunc(all, func(x, y found) int { return cmp.Compare(y.share, x.share) })
	quotes = quotes[:0]
	for _, f := range all {
		quotes = append(quotes, f.Quote)
	}
	return quotes
}
