package lookup

import (
	"context"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/ledger"
	"memoria/memory/store"
)

// ChangeFilter selects changes. The first non-empty one of ItemID, TurnID and Generation
// applies; all empty means no restriction.
type ChangeFilter struct {
	ItemID, TurnID, Generation string
	// Origin restricts to one process; empty means all.
	Origin memory.Origin
	// Since and Until bound the time: Since inclusive, Until exclusive, zero open.
	Since, Until time.Time
	// Before continues a page: ChangePage.Next of the previous one.
	Before string
	Limit  int // 0 means all
}

// ChangePage is a page of the ledger, newest first.
type ChangePage struct {
	// Changes contain the items' current states and whether they are undone.
	Changes []memory.Change `json:"changes"`
	// Next continues the list; empty at the end.
	Next string `json:"next,omitempty"`
}

// Changes lists what processes did to the items (P9).
func (r *Reader) Changes(ctx context.Context, agentID string, f ChangeFilter) (ChangePage, error) {
	page := ChangePage{Changes: []memory.Change{}}
	err := r.read(ctx, agentID, "listing changes", func(tx *store.Tx) error {
		l := NewLedger(tx, agentID)
		err := f.each(tx, agentID, func(c memory.Change) (more bool, err error) {
			if ctx.Err() != nil {
				return false, context.Cause(ctx)
			}
			if f.Limit > 0 && len(page.Changes) == f.Limit {
				page.Next = page.Changes[f.Limit-1].ID
				return false, nil
			}
			page.Changes = append(page.Changes, c)
			return true, nil
		})
		if err != nil {
			return err
		}
		return l.Annotate(page.Changes)
	})
	return page, err
}

// each calls fn with matching changes, newest first, until it returns false.
func (f ChangeFilter) each(tx *store.Tx, agent string, fn func(memory.Change) (bool, error)) error {
	if f.ItemID == "" && f.TurnID == "" && f.Generation == "" {
		for c, err := range tx.ChangesBefore(agent, f.Before) {
			if err != nil {
				return err
			}
			// Ids grow with time, so all later entries are older than Since too.
			if !f.Since.IsZero() && c.ID < memory.IDAt(f.Since) {
				return nil
			}
			if !f.matches(c) {
				continue
			}
			if more, err := fn(c); !more || err != nil {
				return err
			}
		}
		return nil
	}
	var list []memory.Change
	var err error
	switch {
	case f.ItemID != "":
		var id string
		if id, err = ItemID(tx, agent, f.ItemID); err == nil {
			list, err = tx.Changes(agent, id)
		}
	case f.TurnID != "":
		list, err = tx.TurnChanges(agent, f.TurnID)
	default:
		list, err = tx.GroupChanges(agent, f.Generation)
	}
	if err != nil {
		return err
	}
	for _, c := range slices.Backward(list) {
		if f.Before != "" && c.ID >= f.Before || !f.matches(c) {
			continue
		}
		if more, err := fn(c); !more || err != nil {
			return err
		}
	}
	return nil
}

func (f ChangeFilter) matches(c memory.Change) bool {
	return (f.Origin == "" || c.Origin == f.Origin) &&
		(f.Since.IsZero() || !c.Time.Before(f.Since)) && (f.Until.IsZero() || c.Time.Before(f.Until))
}

// Change returns one change with its item. id may be an unambiguous beginning or end.
func (r *Reader) Change(ctx context.Context, agentID, id string) (memory.Change, error) {
	one := make([]memory.Change, 1)
	err := r.read(ctx, agentID, "change "+id, func(tx *store.Tx) (err error) {
		l := NewLedger(tx, agentID)
		if one[0], err = l.Change(id); err != nil {
			return err
		}
		return l.Annotate(one)
	})
	return one[0], err
}

// History returns the changes of an item, oldest first (D3).
func (r *Reader) History(ctx context.Context, agentID, id string) ([]memory.Change, error) {
	var out []memory.Change
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		out, err = tx.Changes(agentID, id)
		undone := ledger.UndoneIn(out)
		for i := range out {
			out[i].Undone = undone[out[i].ID]
		}
		return err
	})
	return out, err
}

// TurnChanges returns the changes of a turn, oldest first, with the items' current states
// (D3).
func (r *Reader) TurnChanges(ctx context.Context, agentID, turn string) ([]memory.Change, error) {
	var out []memory.Change
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		if out, err = tx.TurnChanges(agentID, turn); err != nil {
			return err
		}
		return NewLedger(tx, agentID).Annotate(out)
	})
	return out, err
}

// ChangesOfTurns is [Reader.TurnChanges] for many turns, by turn. Turns without changes
// are left out.
func (r *Reader) ChangesOfTurns(ctx context.Context, agentID string, turns []string) (map[string][]memory.Change, error) {
	out := map[string][]memory.Change{}
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		l := NewLedger(tx, agentID)
		for _, turn := range turns {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			did, err := tx.TurnChanges(agentID, turn)
			if err == nil {
				err = l.Annotate(did)
			}
			if err != nil {
				return err
			}
			if len(did) > 0 {
				out[turn] = did
			}
		}
		return nil
	})
	return out, err
}
