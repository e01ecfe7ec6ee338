package manager

import (
	"context"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/store"
)

const (
	// recognised is how many items that share words with a proposal are read to see
	// whether one says the same.
	recognised = 20
	// corrected is how many items that share words with a value declared wrong are
	// looked at, the nearest first.
	corrected = 100
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
	m.settle(a, indexWait)
	for i, p := range proposed {
		if !inferred(p) {
			continue
		}
		if it, ok := m.saying(a, p.Content); ok {
			proposed[i].Type, proposed[i].Key, proposed[i].Content, proposed[i].Value = it.Type, it.Key, it.Content, it.Value
		}
	}
}

// settle waits a moment until the index holds what was written before. Without it
// the last writes may be missing.
func (m *Manager) settle(a *agent, wait time.Duration) {
	ctx, stop := context.WithTimeout(m.life, wait)
	defer stop()
	_ = m.recall.SettleItems(ctx, a.id)
}

// findWrong notes with each proposal that corrects a value which of the items that
// were shown last may hold that value (U3). It only looks, as recognise does.
func (m *Manager) findWrong(ctx context.Context, a *agent, found []proposal, wait time.Duration) {
	settled := false
	for i, p := range found {
		if p.Corrects == "" {
			continue
		}
		if !settled {
			m.settle(a, wait)
			settled = true
		}
		shown, err := m.shownBefore(ctx, a, p.from, false)
		if err != nil {
			continue
		}
		for _, c := range m.recall.Similar(m.life, a.id, p.Corrects, corrected) {
			if slices.Contains(idsOf(shown), c.Head.ID) {
				found[i].wrong = append(found[i].wrong, c.Head.ID)
			}
		}
	}
}

func inferred(p learn.Proposal) bool { return p.Trust < memory.TrustUser && p.Op != learn.End }

// saying returns an item that says the same.
func (m *Manager) saying(a *agent, content string) (memory.Item, bool) {
	near := m.recall.Similar(m.life, a.id, content, recognised)
	if len(near) == 0 {
		return memory.Item{}, false
	}
	var out memory.Item
	err := m.view(m.life, func(tx *store.Tx) error {
		for _, c := range near {
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
