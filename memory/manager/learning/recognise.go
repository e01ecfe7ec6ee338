package learning

import (
	"context"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/learn"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

const (
	// recognised bounds the items sharing words with a proposal that are compared with
	// it.
	recognised = 20
	// corrected bounds the items sharing words with a wrong value that are examined, best
	// first.
	corrected = 100
	// indexWait is how long to wait for the index to hold earlier writes; after that it
	// is searched as it is.
	indexWait = 2 * time.Second
)

// recognise finds proposals of a model that repeat an item in nearly the same words, and
// gives them that item's key and words, so that they confirm it instead of adding a
// second one (P4). It writes nothing: the result is planned again in the write.
func (w *Writer) recognise(a *write.Agent, proposed []learn.Proposal) {
	if !slices.ContainsFunc(proposed, inferred) {
		return
	}
	settle(w.Core, a, indexWait)
	for i, p := range proposed {
		if !inferred(p) {
			continue
		}
		if it, ok := w.sameWording(a, p.Content); ok {
			proposed[i].Type, proposed[i].Key, proposed[i].Content, proposed[i].Value = it.Type, it.Key, it.Content, it.Value
		}
	}
}

// settle waits up to wait for the index to hold earlier writes. If it reports false, the last ones
// may be missing.
func settle(c *write.Core, a *write.Agent, wait time.Duration) bool {
	ctx, stop := context.WithTimeout(c.Life, wait)
	defer stop()
	return c.Recall().SettleItems(ctx, a.ID) == nil
}

// findWrong sets, for each proposal that corrects a value, the recently shown items that
// may hold the value (U3). Like recognise, it writes nothing.
func (w *Writer) findWrong(ctx context.Context, a *write.Agent, found []Proposal, wait time.Duration) {
	settled := false
	for i, p := range found {
		if p.Corrects == "" {
			continue
		}
		if !settled {
			settle(w.Core, a, wait)
			settled = true
		}
		shown, err := w.shownBefore(ctx, a, p.From, false)
		if err != nil {
			continue
		}
		for _, c := range w.Recall().Similar(w.Life, a.ID, p.Corrects, corrected) {
			named := p.Rule == "correction-day" || slices.Contains(IDsOf(shown), c.Head.ID) // a plan with this day
			if named && !slices.Contains(p.wrong, c.Head.ID) {
				found[i].wrong = append(found[i].wrong, c.Head.ID)
			}
		}
	}
}

func inferred(p learn.Proposal) bool { return p.Trust < memory.TrustUser && p.Op != learn.End }

// sameWording returns an item that says the same.
func (w *Writer) sameWording(a *write.Agent, content string) (memory.Item, bool) {
	near := w.Recall().Similar(w.Life, a.ID, content, recognised)
	if len(near) == 0 {
		return memory.Item{}, false
	}
	var out memory.Item
	err := w.View(w.Life, func(tx *store.Tx) error {
		for _, c := range near {
			it, err := tx.Item(a.ID, c.Head.ID)
			if err == nil && it.State != memory.StateInactive && learn.Same(content, it.Content) {
				out = it
				return nil
			}
		}
		return nil
	})
	return out, err == nil && out.ID != ""
}
