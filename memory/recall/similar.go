package recall

import (
	"cmp"
	"context"
	"slices"

	"memoria/memory/retrieve"
)

// Similar returns at most n items that share words with a content, those that share
// most first; none if it has no keywords or nothing can be searched.
func (r *Reader) Similar(ctx context.Context, agentID, content string, n int) []retrieve.Candidate {
	q := retrieve.Analyse(content, "")
	a, err := r.agent(agentID)
	if err != nil || q.Empty() {
		return nil
	}
	found, _, err := r.candidates(ctx, a, q)
	if err != nil {
		return nil
	}
	near := found.Candidates
	slices.SortStableFunc(near, func(x, y retrieve.Candidate) int { return cmp.Compare(y.Relevance, x.Relevance) })
	return near[:min(len(near), n)]
}
