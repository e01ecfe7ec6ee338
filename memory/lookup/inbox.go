package lookup

import (
	"context"
	"errors"
	"time"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// HeldItem is an item that waits for the user's approval.
type HeldItem struct {
	memory.Item
	// Reason says why it is held.
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
	// Replaces is the item that acceptance would end; nil if none.
	Replaces *memory.Item `json:"replaces,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (h HeldItem) MarshalJSON() ([]byte, error) {
	return h.JSONWith(struct {
		Reason   string       `json:"reason"`
		Since    time.Time    `json:"since"`
		Replaces *memory.Item `json:"replaces,omitempty"`
	}{h.Reason, h.Since, h.Replaces})
}

// InboxPage is a page of the inbox.
type InboxPage struct {
	Items []HeldItem `json:"items"`
	Total int        `json:"total"`
}

// Inbox lists the held items, newest first (P5, P10). limit 0 means all.
func (r *Reader) Inbox(ctx context.Context, agentID string, limit, offset int) (InboxPage, error) {
	page := InboxPage{Items: []HeldItem{}}
	err := r.read(ctx, agentID, "listing the inbox", func(tx *store.Tx) (err error) {
		if page.Total, err = tx.Count(agentID, counter.Held); err != nil {
			return err
		}
		held, err := tx.HeldItems(agentID, limit, offset)
		for _, it := range held {
			if err == nil {
				err = context.Cause(ctx)
			}
			if err == nil {
				var h HeldItem
				h, err = heldItem(tx, agentID, it)
				page.Items = append(page.Items, h)
			}
		}
		return err
	})
	return page, err
}

func heldItem(tx *store.Tx, agent string, it memory.Item) (HeldItem, error) {
	h := HeldItem{Item: it, Since: it.CreatedAt}
	history, err := tx.Changes(agent, it.ID)
	if err != nil {
		return h, err
	}
	for _, c := range history {
		if c.Action == memory.ActionHeld {
			h.Reason, h.Since = c.Reason, c.Time
		}
	}
	rivals, err := RivalsOf(tx, agent, it)
	if len(rivals) > 0 {
		h.Replaces = &rivals[0]
	}
	return h, err
}

// RivalsOf returns the active items that a held one would end.
func RivalsOf(tx *store.Tx, agent string, it memory.Item) (out []memory.Item, err error) {
	other, err := RivalOf(tx, agent, it)
	if err != nil {
		return nil, err
	}
	if other.ID != "" {
		out = append(out, other)
	}
	named := it.Metadata.WouldReplace
	if named == "" || named == other.ID {
		return out, nil
	}
	switch other, err = tx.Item(agent, named); {
	case errors.Is(err, ErrNotFound), store.Unreadable(err):
		return out, nil
	case err == nil && other.State == memory.StateActive:
		out = append(out, other)
	}
	return out, err
}

// RivalOf returns another active item in the same slot, if any.
func RivalOf(tx *store.Tx, agent string, it memory.Item) (memory.Item, error) {
	if it.Key == "" {
		return memory.Item{}, nil
	}
	ids, err := SlotHolders(tx, agent, it.Key)
	for _, id := range ids {
		if id == it.ID {
			continue
		}
		other, err := tx.Item(agent, id)
		if store.Unreadable(err) {
			continue
		}
		if err != nil || other.State == memory.StateActive {
			return other, err
		}
	}
	return memory.Item{}, err
}
