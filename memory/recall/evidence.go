package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/policy/sensitive"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// Bounds of the evidence for a turn (A3).
const (
	quoteLength  = 300 // characters of one quote
	quoteChinese = 120 // of a mostly Chinese one, where a character is most of a token
	mostQuotes   = 8
	mostOfItem   = 3   // messages that prove one item: the first and the last ones
	turnsBefore  = 3   // successive questions for proof that refer to one answer
	hitsWeighed  = 40  // messages found by words, from which the quotes are chosen
	nearBestItem = 0.5 // minimum share of the best keyword score
)

// EvidenceQuery describes what a turn asks to prove, or could not recall.
type EvidenceQuery struct {
	// Text is the message, Trigger the reason to search the archive; see
	// [retrieve.Trigger].
	Text, Trigger string
	// Recalled are the items recalled for it, best first.
	Recalled []retrieve.Scored
	// Before are the session's earlier messages, oldest first: the message may ask about
	// the previous answer.
	Before []memory.Record
	// Except is the id of the message itself, which proves nothing.
	Except string
}

// Evidence is the evidence for one turn.
type Evidence struct {
	Look   memory.Look
	Quotes []Quote // best first
	// Loose says that the quotes only share words with the question. They must not be
	// presented as an answer to it.
	Loose bool
	// Degraded says why only a part of the archive was searched; empty if all was.
	Degraded string
	// Respelt are words of messages that stand for misspelt ones of the question, see
	// [retrieve.Query.Respell].
	Respelt map[string][]string
}

// FindEvidence searches the archive for a turn (A2): the source quotes of the recalled
// items, and messages with the message's own words, in the time that it names. A message
// that names nothing ("how do you know that?") asks for the sources of the previous
// answer. The first call opens the archive's index. While that cannot answer, only the
// newest messages are read, since a turn waits milliseconds. For
// [retrieve.TriggerMentioned] the result is empty, and its Look has no trigger, unless
// the archive mentions the message's subject.
func (r *Reader) FindEvidence(ctx context.Context, agentID string, q EvidenceQuery) (Evidence, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return Evidence{}, err
	}
	e := &evidenceSearch{r: r, a: a, q: q, wanted: retrieve.Wants(q.Text), out: Evidence{Look: memory.Look{Trigger: q.Trigger}}}
	if e.held, err = HeldSources(ctx, r, agentID); err == nil {
		err = e.run(ctx)
	}
	if err != nil {
		return Evidence{}, fmt.Errorf("looking for evidence: %w", err)
	}
	return e.out, nil
}

// EvidenceOf returns the source quotes of an item, or the item itself if all its messages
// are gone (D3).
func (r *Reader) EvidenceOf(ctx context.Context, agentID string, it memory.Item) (Evidence, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return Evidence{}, err
	}
	e := &evidenceSearch{r: r, a: a, q: EvidenceQuery{Trigger: retrieve.TriggerProof}}
	err = e.view(ctx, func(tx *store.Tx) error {
		return errors.Join(e.ofItems(tx, []memory.Item{it}, ArchiveQuery{}), e.titles(tx))
	})
	if err != nil {
		return Evidence{}, fmt.Errorf("looking for the words behind memory %s: %w", it.ID, err)
	}
	return e.out, nil
}

// evidenceSearch is one search for evidence.
type evidenceSearch struct {
	r      *Reader
	a      *agent
	q      EvidenceQuery
	wanted retrieve.Wanted
	naming map[string]bool // whether the question names an agent, by id
	held   map[string]bool // sources of what waits for approval
	out    Evidence
}

func (e *evidenceSearch) run(ctx context.Context) error {
	now := e.r.now()
	ask := AskArchive(e.wanted.Rest, now, now.Location())
	e.out.Look.From, e.out.Look.To = ask.From, ask.To
	words := retrieve.Analyse(ask.Text, "")
	if e.wanted.Back && ask.span().All() {
		e.out.Look.Before = true
		return e.view(ctx, e.before)
	}
	if e.q.Trigger != retrieve.TriggerSparse && e.q.Trigger != retrieve.TriggerMentioned { // there the items say little
		if err := e.view(ctx, func(tx *store.Tx) error { return e.ofItems(tx, e.relevant(words), ask) }); err != nil {
			return err
		}
	}
	if err := e.ofWords(ctx, words, ask); err != nil {
		return err
	}
	if e.q.Trigger != retrieve.TriggerProof && !ask.span().All() && len(words.Terms) > 0 {
		// What happened in that time may have been told later.
		if err := e.ofWords(ctx, words, ArchiveQuery{Text: ask.Text}); err != nil {
			return err
		}
	}
	if len(e.out.Quotes) == 0 && e.q.Trigger == retrieve.TriggerProof && len(words.Distinctive) == 0 && ask.span().All() {
		if err := e.view(ctx, e.before); err != nil {
			return err
		}
		e.out.Look.Before = len(e.out.Quotes) > 0
	}
	e.out.Loose = len(e.out.Quotes) > 0 && !slices.ContainsFunc(e.out.Quotes, func(q Quote) bool { return q.Bears })
	if e.q.Trigger == retrieve.TriggerMentioned && len(e.out.Quotes) == 0 {
		e.out = Evidence{}
		return nil
	}
	e.out.Look.Loose = e.out.Loose
	e.out.Quotes = e.out.Quotes[:min(len(e.out.Quotes), mostQuotes)]
	return e.view(ctx, e.titles)
}

func (e *evidenceSearch) view(ctx context.Context, fn func(*store.Tx) error) error {
	return e.r.view(ctx, fn)
}

// relevant returns the recalled items that the message is about, without weak matches if
// there are good ones.
func (e *evidenceSearch) relevant(words retrieve.Query) (out []memory.Item) {
	best := 0.0
	for _, s := range e.q.Recalled {
		best = max(best, s.Parts.KeywordScore)
	}
	for _, s := range e.q.Recalled {
		if policy.AsSaid(s.Item.Key) { // ofWords finds its message and judges it
			continue
		}
		if s.Parts.KeywordScore >= nearBestItem*best && !onlyOfTopic(words, s) {
			out = append(out, s.Item)
		}
	}
	return out
}

// onlyOfTopic reports whether an item was recalled only for the session's topic: it proves
// nothing about the message.
func onlyOfTopic(words retrieve.Query, s retrieve.Scored) bool {
	return s.Parts.TopicBoost > 1 && s.Parts.VectorScore == 0 && retrieve.ShareTranslated(words, retrieve.TextOf(s.Item)).Keyword == 0
}

// ofItems adds the source quotes of items. An item whose messages are gone is quoted
// itself.
func (e *evidenceSearch) ofItems(tx *store.Tx, items []memory.Item, ask ArchiveQuery) error {
	for _, it := range items {
		there := false
		for _, ev := range firstAndLast(it.Evidence) {
			r, ok, err := e.record(tx, ev.RecordID)
			if err != nil {
				return err
			}
			if there = there || ok; !ok || !ask.span().Has(r.ID) {
				continue
			}
			e.add(cut(r, ev, it))
		}
		if !there && e.q.Trigger == retrieve.TriggerProof && ask.span().All() {
			e.add(Quote{Item: it, Bears: true})
		}
	}
	return nil
}

// firstAndLast returns the first and the last of an item's evidence.
func firstAndLast(all []memory.Evidence) []memory.Evidence {
	if len(all) <= mostOfItem {
		return all
	}
	return append(slices.Clone(all[:1]), all[len(all)-mostOfItem+1:]...)
}

// record reads a message; ok is false if it must not be quoted.
func (e *evidenceSearch) record(tx *store.Tx, id string) (r memory.Record, ok bool, err error) {
	r, err = tx.Record(e.a.id, id)
	switch {
	case missing(err):
		return r, false, nil
	case err != nil:
		return r, false, err
	}
	r = e.r.Fetch(r)
	return r, r.ID != e.q.Except && !r.NotForMemory && !hasSecret(r), nil
}

// hasSecret reports whether a message contains a secret: it is quoted for nothing (P5a).
func hasSecret(r memory.Record) bool { return len(sensitive.Secrets(r.Content)) > 0 }

// add adds a quote, unless its message is quoted already.
func (e *evidenceSearch) add(q Quote) {
	for i := range e.out.Quotes {
		had := &e.out.Quotes[i]
		if q.Record.ID != had.Record.ID || q.Record.ID == "" && q.Item.ID != had.Item.ID {
			continue
		}
		if q.Record.ID == "" || q.Item.ID == "" || q.Item.ID == had.Item.ID || had.Item.ID != "" && q.Offset == had.Offset {
			return
		}
		if had.Item.ID == "" {
			*had = q
			return
		}
	}
	e.out.Quotes = append(e.out.Quotes, q)
}

// before adds the sources of the previous answer: its citations, or else the source quotes
// of its items.
func (e *evidenceSearch) before(tx *store.Tx) error {
	seen := 0
	for i, r := range slices.Backward(e.q.Before) {
		if i+1 < len(e.q.Before) && e.q.Before[i+1].TurnID == r.TurnID {
			continue
		}
		if seen++; seen > turnsBefore {
			break
		}
		p, err := tx.Package(e.a.id, r.TurnID)
		if missing(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := e.ofPackage(tx, p, r); err != nil {
			return err
		}
		if len(e.out.Quotes) > 0 || p.Look == nil || p.Look.Trigger != retrieve.TriggerProof {
			break // the message asks about this answer
		}
	}
	e.out.Quotes = e.out.Quotes[:min(len(e.out.Quotes), mostQuotes)]
	return e.titles(tx)
}

// ofPackage adds the sources of a turn; last is its last message.
func (e *evidenceSearch) ofPackage(tx *store.Tx, p memory.Package, last memory.Record) error {
	for _, c := range p.Citations {
		var it memory.Item
		var err error
		if c.ItemID != "" {
			if it, err = tx.Item(e.a.id, c.ItemID); err != nil && !missing(err) {
				return err
			}
		}
		if c.RecordID == "" {
			if it.ID != "" {
				e.add(Quote{Item: it, Bears: true})
			}
			continue
		}
		r, ok, err := e.record(tx, c.RecordID)
		if err != nil {
			return err
		}
		if ok {
			q := Quote{Record: r, Item: it, Offset: min(c.Offset, len(r.Content)), Length: c.Length, Bears: true}
			e.add(q)
		}
	}
	if len(e.out.Quotes) > 0 {
		return nil
	}
	var items []memory.Item
	for _, u := range p.Used {
		if !u.Chosen {
			continue
		}
		it, err := tx.Item(e.a.id, u.ItemID)
		if missing(err) {
			continue
		}
		if err != nil {
			return err
		}
		items = append(items, it)
	}
	return e.ofItems(tx, saidIn(items, e.r.Fetch(last).Content), ArchiveQuery{})
}

// An answer that has half the words of one item did not use items of which it has less
// than a quarter.
const (
	saysIt     = 0.5
	saysNot    = 0.25
	answerRead = 16 << 10 // bytes
)

// saidIn returns the items that an answer repeats, or all if it repeats none, as in
// another language.
func saidIn(items []memory.Item, answer string) []memory.Item {
	answer = answer[:min(len(answer), answerRead)]
	shares, best := make([]float64, len(items)), 0.0
	for i, it := range items {
		shares[i] = retrieve.Share(retrieve.Analyse(it.Content, ""), answer).Keyword
		best = max(best, shares[i])
	}
	if best < saysIt {
		return items
	}
	var out []memory.Item
	for i, it := range items {
		if shares[i] >= saysNot {
			out = append(out, it)
		}
	}
	return out
}

// titles reads the titles of the quoted sessions.
func (e *evidenceSearch) titles(tx *store.Tx) error {
	for i := range e.out.Quotes {
		q := &e.out.Quotes[i]
		if q.Record.ID == "" || q.Title != "" {
			continue
		}
		s, err := tx.Session(e.a.id, q.Record.SessionID)
		if err != nil && !missing(err) {
			return err
		}
		q.Title = s.Title
	}
	return nil
}
