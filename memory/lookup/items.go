package lookup

import (
	"context"
	"slices"
	"strings"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/policy"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// ItemFilter selects items.
type ItemFilter struct {
	// Text are words that must all occur in content, title, key or tags, ignoring case, or
	// name the type; empty means all.
	Text string
	// Type restricts to one type; empty means all.
	Type memory.Type
	// All includes inactive items.
	All    bool
	Limit  int // 0 means all
	Offset int
}

// ItemPage is a page of items.
type ItemPage struct {
	Items []memory.Item `json:"items"`
	Total int           `json:"total"` // of all matches
	// Unreadable counts the unreadable items that the list met.
	Unreadable int `json:"unreadable,omitempty"`
}

// Items lists items, newest first (L6).
func (r *Reader) Items(ctx context.Context, agentID string, f ItemFilter) (ItemPage, error) {
	page := ItemPage{Items: []memory.Item{}}
	want := strings.Fields(text.Fold(f.Text))
	// An unfiltered list reads only its page, so that its cost does not grow with the
	// number of items, or only with that of their heads.
	everything := f.Type == "" && len(want) == 0 && f.Limit > 0
	read := 0
	err := r.read(ctx, agentID, "listing items", func(tx *store.Tx) error {
		for it, err := range tx.Items(agentID) {
			if err != nil {
				return err
			}
			read++
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if !f.matches(it, want) {
				continue
			}
			page.Total++
			if page.Total > f.Offset && (f.Limit == 0 || len(page.Items) < f.Limit) {
				page.Items = append(page.Items, it)
			}
			if everything && len(page.Items) == f.Limit {
				if n, err := f.count(tx, agentID); err == nil {
					page.Total = n
					return nil
				}
				everything = false // damaged, so count one by one
			}
		}
		if n, err := tx.Count(agentID, counter.Items); err == nil {
			page.Unreadable = max(0, n-read)
		}
		return nil
	})
	return page, err
}

// count counts what a filter without a type and words matches.
func (f ItemFilter) count(tx *store.Tx, agent string) (n int, err error) {
	if f.All {
		return tx.Count(agent, counter.Items)
	}
	for head, err := range tx.Heads(agent) {
		if err != nil {
			return 0, err
		}
		if head.State != memory.StateInactive {
			n++
		}
	}
	return n, nil
}

func (f ItemFilter) matches(it memory.Item, want []string) bool {
	if !f.All && it.State == memory.StateInactive || f.Type != "" && it.Type != f.Type {
		return false
	}
	if len(want) == 0 {
		return true
	}
	fields := append([]string{it.Content, it.Title}, it.Tags...)
	if !strings.HasPrefix(it.Key, "note/") { // the key of an item without a slot has only digits
		fields = append(fields, it.Key)
	}
	said := text.Fold(strings.Join(fields, "\n"))
	for _, w := range want {
		if w != string(it.Type) && !strings.Contains(said, w) {
			return false
		}
	}
	return true
}

// Item returns one item. id may be an unambiguous beginning or end.
func (r *Reader) Item(ctx context.Context, agentID, id string) (memory.Item, error) {
	var it memory.Item
	err := r.read(ctx, agentID, "memory "+id, func(tx *store.Tx) (err error) {
		it, err = FindItem(tx, agentID, id)
		return err
	})
	return it, err
}

// ItemVersion returns a version of an item. The error is ErrNotFound if it is not kept.
func (r *Reader) ItemVersion(ctx context.Context, agentID, id string, version int) (memory.Item, error) {
	var it memory.Item
	err := r.read(ctx, agentID, "", func(tx *store.Tx) (err error) {
		it, err = tx.ItemVersion(agentID, id, version)
		return err
	})
	return it, err
}

// LearnedFrom returns the items with evidence in a message, newest first: those learned
// from it, and those it confirmed (D3).
func (r *Reader) LearnedFrom(ctx context.Context, agentID, recordID string) ([]memory.Item, error) {
	var out []memory.Item
	err := r.read(ctx, agentID, "looking for what was learned from a message", func(tx *store.Tx) (err error) {
		out, err = tx.ItemsFromRecords(agentID, []string{recordID})
		return err
	})
	return out, err
}

// ItemsOnlyFrom returns the ids of the items whose only evidence is one message.
func (r *Reader) ItemsOnlyFrom(ctx context.Context, agentID, recordID string) (ids []string, err error) {
	items, err := r.LearnedFrom(ctx, agentID, recordID)
	for _, it := range items {
		if !slices.ContainsFunc(it.Evidence, func(ev memory.Evidence) bool { return ev.RecordID != recordID }) {
			ids = append(ids, it.ID)
		}
	}
	return ids, err
}

// LearnedIn is [Reader.LearnedFrom] for every message of a session, by record.
func (r *Reader) LearnedIn(ctx context.Context, agentID, sessionID string) (map[string][]memory.Item, error) {
	var items []memory.Item
	err := r.read(ctx, agentID, "looking for what was learned in a session", func(tx *store.Tx) (err error) {
		items, err = tx.ItemsFromSession(agentID, sessionID)
		return err
	})
	if err != nil {
		return nil, err
	}
	out := map[string][]memory.Item{}
	for _, it := range items {
		seen := map[string]bool{}
		for _, ev := range it.Evidence {
			if ev.SessionID == sessionID && !seen[ev.RecordID] {
				seen[ev.RecordID] = true
				out[ev.RecordID] = append(out[ev.RecordID], it)
			}
		}
	}
	return out, nil
}

// Remembered returns the items of an agent that are not inactive, newest first.
func (r *Reader) Remembered(ctx context.Context, agentID string) (out []memory.Item, err error) {
	return r.where(ctx, agentID, func(s memory.State) bool { return s != memory.StateInactive })
}

// Ended returns the inactive items of an agent, newest first.
func (r *Reader) Ended(ctx context.Context, agentID string) (out []memory.Item, err error) {
	return r.where(ctx, agentID, func(s memory.State) bool { return s == memory.StateInactive })
}

func (r *Reader) where(ctx context.Context, agentID string, is func(memory.State) bool) (out []memory.Item, err error) {
	err = r.read(ctx, agentID, "", func(tx *store.Tx) error {
		for it, err := range tx.Items(agentID) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if is(it.State) {
				out = append(out, it)
			}
		}
		return nil
	})
	return out, err
}

// SlotHolders returns the ids of the items in a slot, under its key in either language
// (P4).
func SlotHolders(tx *store.Tx, agent, key string) (ids []string, err error) {
	for _, k := range policy.SlotKeys(key) {
		more, err := tx.KeyHolders(agent, k)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	return ids, nil
}
