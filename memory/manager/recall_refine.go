package manager

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"memoria/index"
	"memoria/index/vector"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

// refined is how many of the best candidates are read for re-ranking.
const refined = 50

// best returns the ids of the n candidates that match best by their words, and the
// keyword score of each.
func best(found retrieve.Found, n int) []retrieve.Candidate {
	top := slices.Clone(found.Candidates)
	slices.SortFunc(top, func(a, b retrieve.Candidate) int {
		return cmp.Or(cmp.Compare(b.Keyword, a.Keyword), cmp.Compare(b.Head.ID, a.Head.ID))
	})
	return top[:min(n, len(top))]
}

// contents reads what items say; those that are gone or unreadable are missing.
func (m *Manager) contents(a *agent, ids []string) (map[string]string, error) {
	out := make(map[string]string, len(ids))
	err := m.store.View(func(tx *store.Tx) error {
		for _, id := range ids {
			it, err := tx.Item(a.id, id)
			if errors.Is(err, ErrNotFound) || store.Unreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			out[id] = saidBy(it)
		}
		return nil
	})
	return out, err
}

// expand looks for what is meant along with the message (R10), and returns the words
// it looked for.
func (m *Manager) expand(ctx context.Context, a *agent, q retrieve.Query, found *retrieve.Found) ([]string, error) {
	var answers []string
	for _, c := range best(*found, 3) {
		if c.Own && retrieve.Answers(c.Keyword) {
			answers = append(answers, c.Head.ID)
		}
	}
	said, err := m.contents(a, answers)
	if err != nil {
		return nil, err
	}
	texts := make([]string, 0, len(answers))
	for _, id := range answers {
		texts = append(texts, said[id])
	}
	e := retrieve.Expand(q, texts)
	if e.Empty() {
		return nil, nil
	}
	words := make([]index.Term, 0, len(e.Terms))
	for _, w := range e.Terms {
		words = append(words, index.Term{Text: w, Boost: 1, Mark: slices.Contains(e.Distinctive, w)})
	}
	res, err := a.recall.Search(ctx, index.Query{Words: words, Grams: e.Grams, Limit: candidates})
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, nil // the index fell out of use: the message's own words must do
	}
	place := map[string]int{}
	for i, c := range found.Candidates {
		place[c.Head.ID] = i
	}
	measure := rarest(res) // one of the words is enough, as it is of answers
	for _, h := range res.Hits {
		i, ok := place[h.ID]
		if !ok {
			head, there := m.head(a, h.ID)
			if !there {
				continue
			}
			i = len(found.Candidates)
			found.Candidates = append(found.Candidates, retrieve.Candidate{Head: head})
		}
		c := &found.Candidates[i]
		c.Keyword = retrieve.Expanded(c.Keyword, retrieve.BM25{Score: h.Words + h.Grams, IDF: measure})
		c.Distinctive, c.Own = c.Distinctive || h.Marked, c.Own || h.Marked
		found.Distinctive = found.Distinctive || h.Marked
	}
	return e.Words, nil
}

// rerank looks into the best candidates for the message's words standing together
// (R10).
func (m *Manager) rerank(a *agent, q retrieve.Query, found *retrieve.Found) error {
	top := best(*found, refined)
	ids := make([]string, len(top))
	for i, c := range top {
		ids[i] = c.Head.ID
	}
	said, err := m.contents(a, ids)
	if err != nil {
		return err
	}
	for i := range found.Candidates {
		c := &found.Candidates[i]
		if text, ok := said[c.Head.ID]; ok && c.Keyword > 0 {
			c.Keyword = retrieve.Rerank(c.Keyword, retrieve.Closeness(q, text))
		}
	}
	return nil
}

// diversify chooses anew among what may be sent (R10). Items are alike by their
// vectors where both have one, else by their words.
func (m *Manager) diversify(a *agent, text string, ranked []retrieve.Ranked, cfg retrieve.Config) ([]retrieve.Ranked, error) {
	var ids []string
	for _, r := range ranked[:min(len(ranked), candidates)] {
		ids = append(ids, r.ID)
	}
	said, err := m.contents(a, ids)
	if err != nil {
		return nil, err
	}
	v, gauge := m.openVectors(a), retrieve.Gauge{}
	if v != nil {
		if scale, ok := v.Scale(); ok {
			gauge = scale.For(text)
		}
	}
	return retrieve.Diversify(ranked, cfg, func(x, y string) float64 {
		if gauge.Usable() {
			p, ok := v.Vector(x)
			q, also := v.Vector(y)
			if ok && also {
				return gauge.Meaning(float64(vector.Dot(p, q)), retrieve.Background{})
			}
		}
		return retrieve.Alike(said[x], said[y])
	}), nil
}
