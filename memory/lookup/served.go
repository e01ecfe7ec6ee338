package lookup

import (
	"context"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/store"
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

// ServedItems lists the items that other programs may see, newest first. It reads only the
// items of the page, so that its cost does not grow with their number.
func (r *Reader) ServedItems(ctx context.Context, agentID string, f ServedFilter) (ItemPage, error) {
	page := ItemPage{Items: []memory.Item{}}
	state, kind := standingOf(f.State), kindOf(f.Type)
	err := r.listing(ctx, agentID, func(tx *store.Tx, l *itemList) error {
		for i := len(l.items) - 1; i >= 0; i-- {
			e := &l.items[i]
			if f.State != "" && e.state != state || f.Type != "" && e.kind != kind || !e.served(tx.Now()) {
				continue
			}
			page.Total++
			if page.Total <= f.Offset || f.Limit > 0 && len(page.Items)+page.Unreadable == f.Limit {
				continue
			}
			it, err := tx.Item(agentID, e.id)
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

// ServedIDs returns the ids of all items that other programs may see, newest first.
func (r *Reader) ServedIDs(ctx context.Context, agentID string) ([]string, error) {
	ids := []string{}
	err := r.listing(ctx, agentID, func(tx *store.Tx, l *itemList) error {
		for _, e := range slices.Backward(l.items) {
			if e.served(tx.Now()) {
				ids = append(ids, e.id)
			}
		}
		return nil
	})
	return ids, err
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
