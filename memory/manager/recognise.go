package manager

import (
	"cmp"
	"context"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/retrieve"
	"memoria/memory/store"
)

const (
	// recognised is how many items that share words with a proposal are read to see
	// whether one says the same.
	recognised = 20
	// indexWait is how long the index may take to hold what was written before; a
	// slower one is asked all the same.
	indexWait = 2 * time.Second
)

// recognise gives a model's proposals that say what an item says already, in
// nearly the same words, that item's key and words, so that they confirm it and
// make no second one (P4). It only looks: what is found is planned against again
// when it is written.
func (m *Manager) recognise(a *agent, proposed []learn.Proposal) {
	if !slices.ContainsFunc(proposed, inferred) {
		return
	}
	ctx, stop := context.WithTimeout(m.life, indexWait)
	defer stop()
	_ = a.recall.Settle(ctx) // without it the last writes may be missing
	for i, p := range proposed {
		if !inferred(p) {
			continue
		}
		if it, ok := m.saying(a, p.Content); ok {
			proposed[i].Type, proposed[i].Key, proposed[i].Content, proposed[i].Value = it.Type, it.Key, it.Content, it.Value
		}
	}
}

func inferred(p learn.Proposal) bool { return p.Trust < memory.TrustUser }

// saying returns an item that says the same.
func (m *Manager) saying(a *agent, content string) (memory.Item, bool) {
	q := retrieve.Analyse(content, "")
	if q.Empty() {
		return memory.Item{}, false
	}
	found, _, err := m.candidates(m.life, a, q)
	if err != nil {
		return memory.Item{}, false
	}
	near := found.Candidates
	slices.SortStableFunc(near, func(x, y retrieve.Candidate) int { return cmp.Compare(y.Keyword, x.Keyword) })
	var out memory.Item
	err = m.store.View(func(tx *store.Tx) error {
		for _, c := range near[:min(len(near), recognised)] {
			it, err := tx.Item(a.id, c.Head.ID)
			if err == nil && it.State != memory.StateInactive && learn.Same(content, it.Content) {
				out = it
				return nil
			}
		}
		return nil
	})
	return out, err == nil && out.ID != ""
}
