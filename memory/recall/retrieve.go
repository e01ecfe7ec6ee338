package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

const (
	maxPreferences = 50 // preferences added to the candidates if the message voices one (R5)
	maxPlans       = 50 // plans added if the message asks for them, the next ones
	maxNotChosen   = 10 // candidates in Result.NotChosen
	scanDegraded   = "the index does not answer, so the items were read through"
	scanBuilding   = "the index is being built, so the items were read through"
)

// Query describes a retrieval.
type Query struct {
	// Text is the message, or the part typed so far.
	Text string
	// SessionID is the session whose topic is taken into account (R6); may be empty.
	SessionID string
	// Limit is the maximum number of items to choose; 0 means the configured one.
	Limit int
	// Typing reports that the message is still being typed and may never be sent, so its
	// text must not be sent to another computer.
	Typing bool
	// Without has the ids of items to exclude, such as those learned from the message
	// itself.
	Without []string
}

// Retrieve chooses the items to send with a message (R1). It marks nothing as accessed.
// Without a match the result is empty and the error nil. A failing index is replaced by a
// scan, and Result.Degraded says so (R4).
func (r *Reader) Retrieve(ctx context.Context, agentID string, q Query) (retrieve.Result, error) {
	start := r.now()
	a, err := r.agent(agentID)
	if err != nil {
		return retrieve.Result{}, err
	}
	topic, total, err := r.topic(ctx, a, q.SessionID)
	if err != nil {
		return retrieve.Result{}, fmt.Errorf("retrieving: %w", err)
	}
	var people []retrieve.Named
	if retrieve.Asks(q.Text) { // only a question is about them
		if people, err = peopleOf(ctx, r, a); err != nil {
			return retrieve.Result{}, fmt.Errorf("retrieving: %w", err)
		}
	}
	rq := retrieve.AnalyseAt(q.Text, topic, r.now())
	about := rq.Know(q.Text, people)
	res := retrieve.Result{Keywords: slices.Concat(rq.Keywords, rq.Asked), Total: total, People: about}
	if rq.Empty() || total == 0 {
		return res, nil
	}
	res.Respelt = rq.Respell(func(terms []string) map[string][]string { return nearIn(ctx, r, a, a.items, terms, 0) })
	for _, term := range slices.Sorted(maps.Keys(res.Respelt)) {
		res.Keywords = append(res.Keywords, res.Respelt[term]...)
	}
	cfg := configOf(ctx, r.config()).Scoring
	if q.Limit > 0 {
		cfg.TopN = q.Limit
	}
	g, err := r.gather(ctx, a, q, rq, cfg, &res)
	if err == nil {
		err = r.choose(ctx, a, rq, g, cfg, &res)
	}
	if err != nil {
		return retrieve.Result{}, fmt.Errorf("retrieving: %w", err)
	}
	res.Took = r.now().Sub(start)
	return res, nil
}

// nearIn returns the words of an index that are spelt almost like terms that at most rare documents
// have; none if it is not ready.
func nearIn(ctx context.Context, r *Reader, a *agent, f *indexer.Follower, terms []string, rare int) map[string][]string {
	near, err := f.Near(ctx, terms, rare)
	if err != nil && ctx.Err() == nil {
		r.log.Warn("index did not answer", "agent", a.id, "error", err)
	}
	return near
}

// topic returns the topic of a session, empty for no session, and the number of the agent's
// items.
func (r *Reader) topic(ctx context.Context, a *agent, session string) (topic string, total int, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		if total, err = tx.Count(a.id, counter.Items); err != nil || session == "" {
			return err
		}
		w, err := tx.Working(a.id, session)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		topic = w.CurrentTopic
		return err
	})
	return topic, total, err
}

// peopleOf returns the user's people and animals whose names the agent knows.
func peopleOf(ctx context.Context, r *Reader, a *agent) (out []retrieve.Named, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		items, err := tx.ItemsWithKey(a.id, "relation/", func(key string) bool { return strings.HasSuffix(key, "/name") })
		for _, it := range items {
			if n, ok := retrieve.NamedBy(it); ok && it.State == memory.StateActive {
				out = append(out, n)
			}
		}
		return err
	})
	return out, err
}

// gather collects candidates from the index, or from the store if the index fails, and from
// the vectors. It records the keywords in res, and why the index or the vectors were not
// used. A message that asks only about a time needs neither: the heads in memory suffice.
func (r *Reader) gather(
	ctx context.Context, a *agent, q Query, rq retrieve.Query, cfg retrieve.Config, res *retrieve.Result,
) (retrieve.Gathered, error) {
	if rq.TimeOnly {
		return retrieve.Gathered{Found: &retrieve.Found{Candidates: a.hot.in(rq.When)}, Without: q.Without}, nil
	}
	meaning := r.askMeaning(ctx, a, q)
	defer meaning.stop()
	searches := rq.Searches(cfg)
	g, degraded, err := r.match(ctx, a, rq, searches)
	if err != nil {
		return g, err
	}
	if degraded == "" {
		res.Keywords = slices.Concat(res.Keywords, searches.Synonyms)
	}
	g.Without = q.Without
	poor, note := r.awaitMeaning(meaning, q.Text, &g)
	res.Degraded, res.Note = joined(degraded, poor), note
	if cfg.Diversify > 0 {
		r.compareItems(a, q.Text, &g)
	}
	return g, nil
}

// match searches the index, or scans the store if the index fails. degraded then says why.
func (r *Reader) match(
	ctx context.Context, a *agent, q retrieve.Query, s retrieve.Searches,
) (g retrieve.Gathered, degraded string, err error) {
	if err = r.search(ctx, a, s, &g); err == nil && q.Preference {
		g.Preferences = a.hot.preferences(maxPreferences)
	}
	if err == nil && q.AsksPlans {
		g.Plans = a.hot.due(q, maxPlans)
	}
	if ctx.Err() != nil {
		return g, "", context.Cause(ctx)
	}
	if err == nil {
		return g, "", nil
	}
	degraded = scanDegraded
	if s := a.items.Status().State; s == indexer.StateBuilding || s == indexer.StateOpening {
		degraded = scanBuilding
	} else if !errors.Is(err, indexer.ErrNotReady) {
		r.log.Warn("index did not answer", "agent", a.id, "error", err)
	}
	found, err := r.scan(ctx, a, q)
	return retrieve.Gathered{Found: &found}, degraded, err
}

// choose selects items from g, and reads the chosen ones and the first of the others.
func (r *Reader) choose(
	ctx context.Context, a *agent, q retrieve.Query, g retrieve.Gathered, cfg retrieve.Config, res *retrieve.Result,
) error {
	return r.view(ctx, func(tx *store.Tx) error {
		items := &itemReader{tx: tx, a: a}
		g.Head, g.Text = items.head, items.text
		for _, c := range retrieve.Select(q, g, cfg, r.now()) {
			if !c.Chosen && len(res.NotChosen) == maxNotChosen {
				break
			}
			it, ok := items.item(c.ID)
			if !ok {
				continue
			}
			s := retrieve.Scored{Item: it, Score: c.Score, Parts: c.Parts, Contribution: c.Contribution, Why: c.Why}
			if c.Chosen {
				res.Chosen = append(res.Chosen, s)
			} else {
				res.NotChosen = append(res.NotChosen, s)
			}
		}
		return items.err
	})
}

// Similar returns at most n items that share words with content, most similar first. It
// returns none if content has no keywords, or on an error.
func (r *Reader) Similar(ctx context.Context, agentID, content string, n int) []retrieve.Candidate {
	q := retrieve.Analyse(content, "")
	a, err := r.agent(agentID)
	if err != nil || q.Empty() {
		return nil
	}
	g, _, err := r.match(ctx, a, q, q.Searches(retrieve.Config{}))
	if err != nil {
		return nil
	}
	var near []retrieve.Candidate
	err = r.view(ctx, func(tx *store.Tx) error {
		items := &itemReader{tx: tx, a: a}
		g.Head, g.Text = items.head, items.text
		near = g.Candidates(q).Candidates
		return items.err
	})
	if err != nil {
		return nil
	}
	slices.SortStableFunc(near, func(x, y retrieve.Candidate) int { return cmp.Compare(y.Relevance, x.Relevance) })
	return near[:min(len(near), n)]
}
