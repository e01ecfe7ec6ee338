package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

const (
	candidates    = 200 // taken from the index and re-ranked
	preferences   = 50  // brought in when the message voices a preference (R5)
	lookedInto    = 50  // of them, read for a single character
	shownNot      = 10  // candidates that were not chosen, with their reasons
	scanDegraded  = "the index does not answer, so the items were read through"
	scanBuilding  = "the index is being built, so the items were read through"
	maxScanLength = 64 << 10
)

// Query says what to retrieve.
type Query struct {
	// Text is the message, or what has been typed of it.
	Text string
	// SessionID names the session whose topic counts (R6); may be empty.
	SessionID string
	// Limit is the number of items to choose; 0 means the configured one.
	Limit int
	// Typing says that the message is still being written and may never be sent: no
	// other computer is told of it.
	Typing bool
}

// Retrieve chooses the items that would be sent with a message (R1). It marks
// nothing as accessed. Without a hit the result is empty and the error nil; a
// failing index is replaced by a scan, and Result.Degraded says so (R4).
func (m *Manager) Retrieve(ctx context.Context, agentID string, q Query) (retrieve.Result, error) {
	start := m.now()
	a, err := m.agent(agentID)
	if err != nil {
		return retrieve.Result{}, err
	}
	topic, total, err := m.topic(a, q.SessionID)
	if err != nil {
		return retrieve.Result{}, fmt.Errorf("retrieving: %w", err)
	}
	rq := retrieve.Analyse(q.Text, topic)
	res := retrieve.Result{Keywords: slices.Concat(rq.Keywords, rq.Asked), Total: total}
	if rq.Empty() || total == 0 {
		return res, nil
	}
	cfg := m.cfg().Scoring
	if q.Limit > 0 {
		cfg.TopN = q.Limit
	}
	meaning := m.askMeaning(ctx, a, q)
	defer meaning.stop()
	ranked, err := m.ranked(ctx, a, rq, meaning, q.Text, cfg, &res)
	if err == nil {
		err = m.fill(a, &res, ranked)
	}
	if err != nil {
		return retrieve.Result{}, fmt.Errorf("retrieving: %w", err)
	}
	res.Took = m.now().Sub(start)
	return res, nil
}

// ranked finds, scores and orders what a message may recall, and notes in res what
// was looked for and what was left out.
func (m *Manager) ranked(ctx context.Context, a *agent, q retrieve.Query, meaning *askedMeaning, text string, cfg retrieve.Config, res *retrieve.Result) ([]retrieve.Ranked, error) {
	found, degraded, err := m.candidates(ctx, a, q)
	if err != nil {
		return nil, err
	}
	if cfg.ExpandQuery && degraded == "" {
		more, err := m.expand(ctx, a, q, &found)
		if err != nil {
			return nil, err
		}
		res.Keywords = slices.Concat(res.Keywords, more)
	}
	if cfg.Rerank {
		if err := m.rerank(a, q, &found); err != nil {
			return nil, err
		}
	}
	poor, note := m.addMeaning(a, meaning, text, &found)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	res.Degraded, res.Note = joined(degraded, poor), note
	ranked := retrieve.Rank(q, found, cfg, m.now())
	if cfg.Diversify > 0 {
		return m.diversify(a, text, ranked, cfg)
	}
	return ranked, nil
}

func (m *Manager) topic(a *agent, session string) (topic string, total int, err error) {
	err = m.store.View(func(tx *store.Tx) error {
		if total, err = tx.Count(a.id, "items"); err != nil || session == "" {
			return err
		}
		w, err := tx.Working(a.id, session)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		topic = w.CurrentTopic
		return err
	})
	return topic, total, err
}

// candidates asks the index, or reads through the store when it cannot answer.
func (m *Manager) candidates(ctx context.Context, a *agent, q retrieve.Query) (retrieve.Found, string, error) {
	found, err := m.indexed(ctx, a, q)
	if err == nil {
		return found, "", nil
	}
	if ctx.Err() != nil {
		return retrieve.Found{}, "", context.Cause(ctx)
	}
	degraded := scanDegraded
	if s := a.recall.Status().State; s == indexer.StateBuilding || s == indexer.StateOpening {
		degraded = scanBuilding
	} else if !errors.Is(err, indexer.ErrNotReady) {
		m.log.Warn("index did not answer", "agent", a.id, "error", err)
	}
	found, err = m.scan(ctx, a, q)
	return found, degraded, err
}

// indexed finds candidates with the index: the message's words and the topic's
// are asked for apart, because only the message's make the measure against
// which a match is full (R3a, R6).
func (m *Manager) indexed(ctx context.Context, a *agent, q retrieve.Query) (retrieve.Found, error) {
	said, err := a.recall.Search(ctx, withTranslations(q, index.Query{
		Words: append(terms(q, q.Terms, q.Distinctive), prefixes(q)...), Grams: q.Grams, Limit: candidates,
	}))
	if err != nil {
		return retrieve.Found{}, err
	}
	if err := m.markSingles(a, q, said.Hits); err != nil {
		return retrieve.Found{}, err
	}
	if err := m.markPhrases(a, q, said); err != nil {
		return retrieve.Found{}, err
	}
	under, err := answers(ctx, a, q)
	if err != nil {
		return retrieve.Found{}, err
	}
	var about index.Result
	if len(q.TopicTerms)+len(q.TopicGrams) > 0 {
		about, err = a.recall.Search(ctx, index.Query{
			Words: terms(q, q.TopicTerms, q.TopicDistinctive), Grams: q.TopicGrams, Limit: candidates,
		})
		if err != nil {
			return retrieve.Found{}, err
		}
	}
	// What was found, in an order that is the same every time.
	type match struct {
		id                 string
		said, under, about float64
		distinctive, own   bool
	}
	matches := make([]match, 0, len(said.Hits)+len(under.Hits)+len(about.Hits))
	place := make(map[string]int, cap(matches))
	at := func(id string) *match {
		i, ok := place[id]
		if !ok {
			i = len(matches)
			place[id] = i
			matches = append(matches, match{id: id})
		}
		return &matches[i]
	}
	for _, h := range said.Hits {
		f := at(h.ID)
		f.said, f.distinctive, f.own = h.Words+h.Grams, h.Marked, h.Marked
	}
	for _, h := range under.Hits {
		f := at(h.ID)
		f.under, f.distinctive, f.own = h.Words+h.Grams, true, true
	}
	for _, h := range about.Hits {
		f := at(h.ID)
		f.about, f.distinctive = h.Words+h.Grams, f.distinctive || h.Marked
	}
	if q.Preference {
		for _, id := range a.hot.preferences(preferences) {
			at(id)
		}
	}
	saidIDF := messageIDF(q, said)
	aboutIDF := about.WordsIDF + about.GramsIDF
	underIDF := rarest(under)
	out := retrieve.Found{
		IDF:        saidIDF,
		Candidates: make([]retrieve.Candidate, 0, len(matches)),
		Distinctive: holds(said.Words, q.Distinctive) || holds(said.Words, q.Prefixes) || len(under.Hits) > 0 ||
			q.TopicAlone && holds(about.Words, q.TopicDistinctive),
	}
	for _, f := range matches {
		out.Distinctive = out.Distinctive || f.own
		c := retrieve.Candidate{Distinctive: f.distinctive, Own: f.own}
		own := retrieve.BM25{Score: f.said, IDF: saidIDF}.Or(retrieve.BM25{Score: f.under, IDF: underIDF})
		alone, _ := retrieve.Relevance(own, retrieve.BM25{})
		c.Keyword, c.OnTopic = retrieve.Relevance(own, retrieve.BM25{Score: f.about, IDF: aboutIDF})
		c.Topic = c.Keyword - alone
		var ok bool
		if c.Head, ok = m.head(a, f.id); ok {
			out.Candidates = append(out.Candidates, c)
		}
	}
	return out, nil
}

// answers looks for the words under which the answer to a question is stored.
func answers(ctx context.Context, a *agent, q retrieve.Query) (index.Result, error) {
	if len(q.AskedWords)+len(q.AskedGrams) == 0 {
		return index.Result{}, nil
	}
	return a.recall.Search(ctx, index.Query{Words: terms(q, q.AskedWords, nil), Grams: q.AskedGrams, Limit: candidates})
}

// rarest is the highest idf of the words that the memory holds: an answer needs
// one of them, not all.
func rarest(found index.Result) (idf float64) {
	for _, stats := range [][]index.TermStat{found.Words, found.Grams} {
		for _, s := range stats {
			if s.DocFrequency > 0 {
				idf = max(idf, s.Boost*s.IDF)
			}
		}
	}
	return idf
}

// markSingles marks the hits in which a word ends in one of the query's single
// characters. The index stores words and characters, but not which character
// ends a word, so the best of those that hold the character are read.
func (m *Manager) markSingles(a *agent, q retrieve.Query, hits []index.Hit) error {
	if len(q.Singles) == 0 {
		return nil
	}
	read := 0
	return m.store.View(func(tx *store.Tx) error {
		for i := range hits {
			h := &hits[i]
			if h.Marked || h.Grams == 0 {
				continue
			}
			if read++; read > lookedInto {
				return nil
			}
			it, err := tx.Item(a.id, h.ID)
			if errors.Is(err, ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			h.Marked = retrieve.EndsWord(saidBy(it), q.Singles)
		}
		return nil
	})
}

// saidBy is what an item says, as far as it is looked through.
func saidBy(it memory.Item) string {
	said := it.Content + "\n" + it.Title + "\n" + strings.Join(it.Tags, " ")
	return said[:min(len(said), maxScanLength)]
}

// idfOf adds up the idf of those terms that are among wanted.
func idfOf(stats []index.TermStat, wanted []string) (sum float64) {
	want := make(map[string]bool, len(wanted))
	for _, w := range wanted {
		want[w] = true
	}
	for _, s := range stats {
		if want[s.Text] {
			sum += s.IDF
		}
	}
	return sum
}

// holds reports whether a document holds one of the wanted terms.
func holds(stats []index.TermStat, wanted []string) bool {
	for _, s := range stats {
		if s.DocFrequency > 0 && slices.Contains(wanted, s.Text) {
			return true
		}
	}
	return false
}

// terms are words to ask for; the distinctive among them mark what holds them.
func terms(q retrieve.Query, words, distinctive []string) []index.Term {
	out := make([]index.Term, 0, len(words)+len(q.Prefixes))
	for _, w := range words {
		out = append(out, index.Term{Text: w, Boost: q.Boost(w), Mark: slices.Contains(distinctive, w)})
	}
	return out
}

// prefixes are the query's; each is distinctive.
func prefixes(q retrieve.Query) []index.Term {
	out := make([]index.Term, 0, len(q.Prefixes))
	for _, p := range q.Prefixes {
		out = append(out, index.Term{Text: p, Prefix: true, Boost: q.Boost(p), Mark: true})
	}
	return out
}

// head returns an item's head from memory, or from the store when it does not
// lie there.
func (m *Manager) head(a *agent, id string) (memory.Head, bool) {
	if head, ok := a.hot.get(id); ok {
		return head, true
	}
	var head memory.Head
	err := m.store.View(func(tx *store.Tx) error {
		it, err := tx.Item(a.id, id)
		head = store.HeadOf(it)
		return err
	})
	return head, err == nil
}

// scan reads through the items (R4).
func (m *Manager) scan(ctx context.Context, a *agent, q retrieve.Query) (retrieve.Found, error) {
	var out retrieve.Found
	err := m.store.View(func(tx *store.Tx) error {
		for it, err := range tx.Items(a.id) {
			if err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if !it.IsActive || it.State != memory.StateActive {
				continue
			}
			match := retrieve.ShareTranslated(q, saidBy(it))
			out.Distinctive = out.Distinctive || match.Own || q.TopicAlone && match.Distinctive
			if match.Keyword > 0 || match.OnTopic || q.Preference && it.Type == memory.TypePreference {
				out.Candidates = append(out.Candidates, retrieve.Candidate{
					Head: store.HeadOf(it), Keyword: match.Keyword, Topic: match.Topic, OnTopic: match.OnTopic,
					Distinctive: match.Distinctive, Own: match.Own,
				})
			}
		}
		return nil
	})
	return out, err
}

// fill reads the contents of what is shown.
func (m *Manager) fill(a *agent, res *retrieve.Result, ranked []retrieve.Ranked) error {
	return m.store.View(func(tx *store.Tx) error {
		for _, r := range ranked {
			if !r.Chosen && len(res.NotChosen) == shownNot {
				break
			}
			it, err := tx.Item(a.id, r.ID)
			if errors.Is(err, ErrNotFound) || store.Unreadable(err) {
				continue // deleted a moment ago, or damaged
			}
			if err != nil {
				return err
			}
			s := retrieve.Scored{Item: it, Score: r.Score, Parts: r.Parts, Contribution: r.Contribution, Why: r.Why}
			if r.Chosen {
				res.Chosen = append(res.Chosen, s)
			} else {
				res.NotChosen = append(res.NotChosen, s)
			}
		}
		return nil
	})
}

// TopN is the number of items that one turn recalls at most (R1).
func (m *Manager) TopN() int { return m.cfg().Scoring.TopN }

// AgenticSearch is whether the model may search the memory by itself, and how often
// in a turn (I2).
func (m *Manager) AgenticSearch() (on bool, limit int) {
	return m.cfg().AgenticSearch, m.cfg().SearchLimit
}
