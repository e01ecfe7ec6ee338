package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory/indexer"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

const (
	candidates   = 200 // taken from the index and re-ranked
	preferences  = 50  // brought in when the message voices a preference (R5)
	lookedInto   = 50  // of them, read for a single character
	shownNot     = 10  // candidates that were not chosen, with their reasons
	scanDegraded = "the index does not answer, so the items were read through"
	scanBuilding = "the index is being built, so the items were read through"
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
	// Without are the ids of items that are not to be recalled: what was learned from the
	// message itself ([Reader.ItemsOnlyFrom]).
	Without []string
}

// Retrieve chooses the items that would be sent with a message (R1). It marks
// nothing as accessed. Without a hit the result is empty and the error nil; a
// failing index is replaced by a scan, and Result.Degraded says so (R4).
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
	rq := retrieve.AnalyseAt(q.Text, topic, r.now())
	res := retrieve.Result{Keywords: slices.Concat(rq.Keywords, rq.Asked), Total: total}
	if rq.Empty() || total == 0 {
		return res, nil
	}
	cfg := r.config().Scoring
	if q.Limit > 0 {
		cfg.TopN = q.Limit
	}
	meaning := r.askMeaning(ctx, a, q)
	defer meaning.stop()
	ranked, err := r.ranked(ctx, a, rq, meaning, q, cfg, &res)
	if err == nil {
		err = r.fill(ctx, a, &res, ranked)
	}
	if err != nil {
		return retrieve.Result{}, fmt.Errorf("retrieving: %w", err)
	}
	res.Took = r.now().Sub(start)
	return res, nil
}

// ranked finds, scores and orders what a message may recall, and notes in res what
// was looked for and what was left out. asked is what q was made of.
func (r *Reader) ranked(
	ctx context.Context, a *agent, q retrieve.Query, meaning *askedMeaning, asked Query, cfg retrieve.Config, res *retrieve.Result,
) ([]retrieve.Ranked, error) {
	if q.TimeOnly {
		return retrieve.Rank(q, asked.leave(retrieve.Found{Candidates: a.hot.in(q.When)}), cfg, r.now()), nil
	}
	found, degraded, err := r.candidates(ctx, a, q)
	if err != nil {
		return nil, err
	}
	found = asked.leave(found)
	if cfg.ExpandQuery && degraded == "" {
		more, err := r.expand(ctx, a, q, &found)
		if err != nil {
			return nil, err
		}
		res.Keywords = slices.Concat(res.Keywords, more)
	}
	if cfg.Rerank {
		if err := r.rerank(ctx, a, q, &found); err != nil {
			return nil, err
		}
	}
	poor, note := r.addMeaning(a, meaning, asked.Text, &found)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	res.Degraded, res.Note = joined(degraded, poor), note
	ranked := retrieve.Rank(q, asked.leave(found), cfg, r.now())
	if cfg.Diversify > 0 {
		return r.diversify(ctx, a, asked.Text, ranked, cfg)
	}
	return ranked, nil
}

// leave takes out the candidates that are not to be recalled.
func (q Query) leave(found retrieve.Found) retrieve.Found {
	if len(q.Without) > 0 {
		found.Candidates = slices.DeleteFunc(slices.Clone(found.Candidates), func(c retrieve.Candidate) bool {
			return slices.Contains(q.Without, c.Head.ID)
		})
	}
	return found
}

func (r *Reader) topic(ctx context.Context, a *agent, session string) (topic string, total int, err error) {
	err = r.view(ctx, func(tx *store.Tx) error {
		if total, err = tx.Count(a.id, "items"); err != nil || session == "" {
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

// candidates asks the index, or reads through the store when it cannot answer.
func (r *Reader) candidates(ctx context.Context, a *agent, q retrieve.Query) (retrieve.Found, string, error) {
	found, err := r.indexed(ctx, a, q)
	if err == nil {
		return found, "", nil
	}
	if ctx.Err() != nil {
		return retrieve.Found{}, "", context.Cause(ctx)
	}
	degraded := scanDegraded
	if s := a.items.Status().State; s == indexer.StateBuilding || s == indexer.StateOpening {
		degraded = scanBuilding
	} else if !errors.Is(err, indexer.ErrNotReady) {
		r.log.Warn("index did not answer", "agent", a.id, "error", err)
	}
	found, err = r.scan(ctx, a, q)
	return found, degraded, err
}

// fill reads the contents of what is shown.
func (r *Reader) fill(ctx context.Context, a *agent, res *retrieve.Result, ranked []retrieve.Ranked) error {
	return r.view(ctx, func(tx *store.Tx) error {
		for _, c := range ranked {
			if !c.Chosen && len(res.NotChosen) == shownNot {
				break
			}
			it, err := tx.Item(a.id, c.ID)
			if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
				continue // deleted a moment ago, or damaged
			}
			if err != nil {
				return err
			}
			s := retrieve.Scored{Item: it, Score: c.Score, Parts: c.Parts, Contribution: c.Contribution, Why: c.Why}
			if c.Chosen {
				res.Chosen = append(res.Chosen, s)
			} else {
				res.NotChosen = append(res.NotChosen, s)
			}
		}
		return nil
	})
}
