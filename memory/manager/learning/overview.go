package learning

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"memoria/memory"
	"memoria/memory/instruct"
)

// Overview is what an agent remembers, by type (U1).
type Overview struct {
	// Groups are the non-empty types in the order of [memory.Types]. Within a group newer
	// items come first, and of one day the most certain ones.
	Groups []OverviewGroup `json:"groups"`
	// Shown counts the items of Groups, Total all remembered ones, Held those in the
	// inbox.
	Shown int `json:"shown"`
	Total int `json:"total"`
	Held  int `json:"held"`
}

// OverviewGroup holds the items of one type.
type OverviewGroup struct {
	Type  memory.Type   `json:"type"`
	Items []memory.Item `json:"items"`
}

// Overview returns what an agent remembers, filtered by the instruction. It marks nothing
// as accessed (L4).
func (w *Writer) Overview(ctx context.Context, agentID string, in instruct.Instruction) (Overview, error) {
	a, err := w.Agent(agentID)
	if err != nil {
		return Overview{}, err
	}
	out, now := Overview{}, w.Now()
	items, err := w.Lookup().Remembered(ctx, a.ID)
	if err != nil {
		return Overview{}, fmt.Errorf("making an overview: %w", err)
	}
	for _, it := range items {
		if it.State == memory.StateHeld {
			out.Held++
		} else if it.Recallable(now) {
			out.Total++
		}
	}
	byType := map[memory.Type][]memory.Item{}
	for _, it := range instruct.Match(in, items) {
		if it.Recallable(now) {
			byType[it.Type] = append(byType[it.Type], it)
			out.Shown++
		}
	}
	for _, typ := range memory.Types() {
		if group := byType[typ]; len(group) > 0 {
			slices.SortStableFunc(group, newestSurest)
			out.Groups = append(out.Groups, OverviewGroup{Type: typ, Items: group})
		}
	}
	return out, nil
}

// newestSurest compares items by the day they were learned or confirmed, newest first,
// then by confidence.
func newestSurest(a, b memory.Item) int {
	day := func(it memory.Item) int64 {
		at := it.CreatedAt
		if it.LastConfirmedAt.After(at) {
			at = it.LastConfirmedAt
		}
		return at.Truncate(24 * time.Hour).Unix()
	}
	return cmp.Or(cmp.Compare(day(b), day(a)), cmp.Compare(b.Confidence, a.Confidence), b.CreatedAt.Compare(a.CreatedAt))
}

// IDsOf returns the ids of items.
func IDsOf(items []memory.Item) (ids []string) {
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	return ids
}
