package lookup

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// Served reports whether other programs may see an item: it can be recalled, or it is
// inactive. Held and muted items are for the user alone, as is an active one whose validity
// has ended or not begun.
func Served(it memory.Item, now time.Time) bool {
	return it.State == memory.StateInactive || it.Recallable(now)
}

// ServedFilter selects items for other programs.
type ServedFilter struct {
	Type   memory.Type  // empty means all
	State  memory.State // active or inactive; empty means both
	Limit  int          // 0 means all
	Offset int
}

// ServedItems lists the items that other programs may see, newest first.
func (r *Reader) ServedItems(ctx context.Context, agentID string, f ServedFilter) (ItemPage, error) {
	page := ItemPage{Items: []memory.Item{}}
	err := r.read(ctx, agentID, "listing items", func(tx *store.Tx) error {
		all, err := r.served.of(tx, agentID)
		if err != nil {
			return err
		}
		for i := len(all) - 1; i >= 0; i-- {
			h := &all[i]
			if f.Type != "" && h.kind != f.Type || f.State != "" && h.state != f.State || !h.holds(tx.Now()) {
				continue
			}
			page.Total++
			if page.Total <= f.Offset || f.Limit > 0 && len(page.Items) == f.Limit {
				continue
			}
			it, err := tx.Item(agentID, h.id)
			if Lacking(err) {
				page.Unreadable++
				continue
			}
			if err == nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				return err
			}
			page.Items = append(page.Items, it)
		}
		return nil
	})
	return page, err
}

// ServedItem returns an item that other programs may see, or ErrNotFound. id must be
// complete, so that nothing is learned about other ids.
func (r *Reader) ServedItem(ctx context.Context, agentID, id string) (memory.Item, error) {
	var it memory.Item
	err := r.read(ctx, agentID, "memory "+id, func(tx *store.Tx) (err error) {
		it, err = tx.Item(agentID, id)
		if err == nil && !Served(it, tx.Now()) {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return memory.Item{}, err
	}
	return it, nil
}

// servedCache keeps what the agent that was listed last may show, until an item changes, so
// that a page of a long list costs no scan.
type servedCache struct{ last atomic.Pointer[servedList] }

type servedList struct {
	agent string
	seq   uint64 // end of the change feed
	items int
	all   []servedHead // oldest first
}

// servedHead is an item that is not held or muted.
type servedHead struct {
	id    string
	kind  memory.Type
	state memory.State
	// validity has the bounds of an active item; nil if it stays valid.
	validity *[2]time.Time
}

// holds reports whether the item is served at a time.
func (h *servedHead) holds(now time.Time) bool {
	return h.validity == nil || memory.Head{State: h.state, ValidFrom: h.validity[0], ValidTo: h.validity[1]}.Recallable(now)
}

// of returns the items of an agent as a transaction sees them. The caller must not change
// them.
func (c *servedCache) of(tx *store.Tx, agent string) ([]servedHead, error) {
	_, seq, err := tx.KV().FeedBounds()
	if err != nil {
		return nil, fmt.Errorf("reading the end of the feed: %w", err)
	}
	n, err := tx.Count(agent, counter.Items)
	if err != nil && !Lacking(err) {
		return nil, err
	}
	if kept := c.last.Load(); kept != nil && kept.agent == agent && kept.seq == seq && kept.items == n {
		return kept.all, nil
	}
	next := servedList{agent: agent, seq: seq, items: n, all: make([]servedHead, 0, max(n, 0))}
	for h, err := range tx.Heads(agent) {
		if err != nil {
			return nil, err
		}
		if h.State == memory.StateHeld || h.State == memory.StateMuted {
			continue
		}
		s := servedHead{id: h.ID, kind: h.Type, state: h.State}
		if h.State == memory.StateActive && (h.ValidFrom.After(tx.Now()) || !h.ValidTo.IsZero()) {
			s.validity = &[2]time.Time{h.ValidFrom, h.ValidTo}
		}
		next.all = append(next.all, s)
	}
	c.last.Store(&next)
	return next.all, nil
}
