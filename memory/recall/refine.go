package recall

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
// relevance of each.
func best(found retrieve.Found, n int) []retrieve.Candidate {
	top := slices.Clone(found.Candidates)
	slices.SortFunc(top, func(a, b retrieve.Candidate) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(b.Head.ID, a.Head.ID))
	})
	return top[:min(n, len(top))]
}

// contents reads what items say; those that are gone or unreadable are missing.
func (r *Reader) contents(ctx context.Context, a *agent, ids []string) (map[string]string, error) {
	out := make(map[string]string, len(ids))
	err := r.view(ctx, func(tx *store.Tx) error {
		for _, id := range ids {
			it, err := tx.Item(a.id, id)
			if errors.Is(err, store.ErrNotFound) || store.Unreadable(err) {
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
func (r *Reader) expand(ctx context.Context, a *agent, q retrieve.Query, found *retrieve.Found) ([]string, error) {
	e := retrieve.Expand(q)
	related, err := r.searchExpansion(ctx, a, e)
	if err != nil || len(related.Hits) == 0 {
		return e.Words, err
	}
	have := make(map[string]bool, len(found.Candidates))
	for _, c := range found.Candidates {
		have[c.Head.ID] = true
	}
	var missing []string
	for _, h := range related.Hits {
		found.Distinctive = found.Distinctive || h.Marked
		if !have[h.ID] {
			missing = append(missing, h.ID)
		}
	}
	for _, head := range r.heads(a, missing) {
		if head.ID != "" {
			found.Candidates = append(found.Candidates, retrieve.Candidate{Head: head})
		}
	}
	measure, byRelated := max(found.IDF, rarest(related)), byID(related.Hits)
	for i := range found.Candidates {
		c := &found.Candidates[i]
		h := byRelated[c.Head.ID]
		c.Relevance = retrieve.Expanded(c.Relevance, retrieve.BM25{Score: h.Words + h.Grams, IDF: measure})
		c.Distinctive, c.Own = c.Distinctive || h.Marked, c.Own || h.Marked
	}
	return e.Words, nil
}

func byID(hits []index.Hit) map[string]index.Hit {
	out := make(map[string]index.Hit, len(hits))
	for _, h := range hits {
		out[h.ID] = h
	}
	return out
}

// searchExpansion looks for the words of an expansion. When the index falls out of use the
// message's own words must do.
func (r *Reader) searchExpansion(ctx context.Context, a *agent, x retrieve.Expansion) (index.Result, error) {
	if x.Empty() {
		return index.Result{}, nil
	}
	words := make([]index.Term, 0, len(x.Terms))
	for _, w := range x.Terms {
		words = append(words, index.Term{Text: w, Boost: 1, Mark: slices.Contains(x.Distinctive, w)})
	}
	res, err := a.items.Search(ctx, index.Query{Words: words, Grams: x.Grams, Limit: candidates})
	if ctx.Err() != nil {
		return index.Result{}, context.Cause(ctx)
	}
	if err != nil {
		r.log.Warn("the index did not answer an expansion", "agent", a.id)
		return index.Result{}, nil
	}
	return res, nil
}

// rerank looks into the best candidates for the message's words standing together
// (R10).
func (r *Reader) rerank(ctx context.Context, a *agent, q retrieve.Query, found *retrieve.Found) error {
	top := best(*found, refined)
	ids := make([]string, len(top))
	for i, c := range top {
		ids[i] = c.Head.ID
	}
	said, err := r.contents(ctx, a, ids)
	if err != nil {
		return err
	}
	for i := range found.Candidates {
		c := &found.Candidates[i]
		if text, ok := said[c.Head.ID]; ok && c.Relevance > 0 {
			c.Relevance = retrieve.Rerank(c.Relevance, retrieve.Closeness(q, text))
		}
	}
	return nil
}

// diversify chooses anew among what may be sent (R10). Items are alike by their
// vectors where both have one, else by their words.
func (r *Reader) diversify(
	ctx context.Context, a *agent, text string, ranked []retrieve.Ranked, cfg retrieve.Config,
) ([]retrieve.Ranked, error) {
	var ids []string
	for _, c := range ranked[:min(len(ranked), candidates)] {
		ids = append(ids, c.ID)
	}
	said, err := r.contents(ctx, a, ids)
	if err != nil {
		return nil, err
	}
	v, gauge := r.openVectors(a), retrieve.Gauge{}
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
