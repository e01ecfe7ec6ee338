package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// Bounds of a look into the archive for a turn (A3).
const (
	quoteLength  = 300 // characters of one quote
	quoteChinese = 120 // of one that is mostly Chinese, where a character is most of a token
	mostQuotes   = 8
	mostOfItem   = 3  // messages that one memory is proven by: the first and the last ones
	turnsBefore  = 3  // how many questions for proof in a row lead back to one answer
	hitsWeighed  = 40 // messages found by words, from which the quotes are chosen
	nearBestItem = 0.5
)

// EvidenceQuery says what a turn wants to see proven, or could not recall.
type EvidenceQuery struct {
	// Text is the message, Trigger why the archive is looked into; see
	// [retrieve.Trigger].
	Text, Trigger string
	// Recalled is what recall found for it, best first.
	Recalled []retrieve.Scored
	// Before are the session's messages before it, oldest first: a message may ask
	// about the answer before.
	Before []memory.Record
	// Except is the message itself, which proves nothing.
	Except string
}

// Evidence is what a look into the archive found.
type Evidence struct {
	Look   memory.Look
	Quotes []Quote // best first
	// Loose says that none of the quotes bears on the question: they only share words
	// with it, and must not be presented as what was said.
	Loose bool
	// Degraded says why not all of the archive was looked at; empty when it was.
	Degraded string
}

// FindEvidence looks into the archive for a turn (A2): the words that the recalled
// memories came from, and the messages that hold the message's own words, in the
// time that it names. A message that names nothing ("how do you know that?") asks
// for the sources of the answer before. The first look opens the archive's index.
// While that cannot answer, the newest messages alone are read: a turn waits for
// milliseconds only. For [retrieve.TriggerMentioned] nothing is returned, and the
// look has no trigger, unless the archive mentions what the message asks about.
func (r *Reader) FindEvidence(ctx context.Context, agentID string, q EvidenceQuery) (Evidence, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return Evidence{}, err
	}
	e := &evidenceSearch{r: r, a: a, q: q, wanted: retrieve.Wants(q.Text), out: Evidence{Look: memory.Look{Trigger: q.Trigger}}}
	if err := e.run(ctx); err != nil {
		return Evidence{}, fmt.Errorf("looking for evidence: %w", err)
	}
	return e.out, nil
}

// EvidenceOf returns the words that a memory rests on, or the memory itself where
// no message is left of them (D3).
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

// evidenceSearch is one look into the archive.
type evidenceSearch struct {
	r      *Reader
	a      *agent
	q      EvidenceQuery
	wanted retrieve.Wanted
	naming map[string]bool // by agent, whether the question names it
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
	if e.q.Trigger != retrieve.TriggerSparse && e.q.Trigger != retrieve.TriggerMentioned { // what it found says little there
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

// relevant are those of the recalled memories that the message is about: a weak
// match beside a good one is not what it asks for.
func (e *evidenceSearch) relevant(words retrieve.Query) (out []memory.Item) {
	best := 0.0
	for _, s := range e.q.Recalled {
		best = max(best, s.Parts.KeywordScore)
	}
	for _, s := range e.q.Recalled {
		if policy.AsSaid(s.Item.Key) { // the search for words finds the message, and judges what it proves
			continue
		}
		if s.Parts.KeywordScore >= nearBestItem*best && !onlyOfTopic(words, s) {
			out = append(out, s.Item)
		}
	}
	return out
}

// onlyOfTopic reports whether a memory was recalled for the session's topic alone: it
// proves nothing about what the message asks.
func onlyOfTopic(words retrieve.Query, s retrieve.Scored) bool {
	return s.Parts.TopicBoost > 1 && s.Parts.VectorScore == 0 && retrieve.ShareTranslated(words, retrieve.TextOf(s.Item)).Keyword == 0
}

// ofItems adds the words that memories came from. One of which no message is left
// stands for itself.
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

// firstAndLast are the first and the last ones of a memory's evidence.
func firstAndLast(all []memory.Evidence) []memory.Evidence {
	if len(all) <= mostOfItem {
		return all
	}
	return append(slices.Clone(all[:1]), all[len(all)-mostOfItem+1:]...)
}

// record reads a message that may be quoted.
func (e *evidenceSearch) record(tx *store.Tx, id string) (r memory.Record, ok bool, err error) {
	r, err = tx.Record(e.a.id, id)
	switch {
	case missing(err):
		return r, false, nil
	case err != nil:
		return r, false, err
	}
	return e.r.Fetch(r), r.ID != e.q.Except && !r.NotForMemory, nil
}

// add takes a quote in, unless its message is quoted already.
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

// before adds the sources of the answer before: what its turn cited, or else the
// words that its memories came from.
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
			break // that is the answer that was asked about
		}
	}
	e.out.Quotes = e.out.Quotes[:min(len(e.out.Quotes), mostQuotes)]
	return e.titles(tx)
}

// ofPackage adds the sources of a turn whose last message is given.
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

// Shares of a memory's words that an answer has to hold: when it holds this much
// of one, others of which it holds next to nothing were not what it used.
const (
	saysIt     = 0.5
	saysNot    = 0.25
	answerRead = 16 << 10
)

// saidIn are the memories that an answer says, or all where it says none, as when
// it is in another language.
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

// titles reads those of the sessions that are quoted.
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
