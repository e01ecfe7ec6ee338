package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/retrieve"
)

// MemoryQuery describes a search for items and messages (I2).
type MemoryQuery struct {
	Keyword string // may be empty if there is a time
	// From and To limit it in time, as in an [ArchiveQuery]. The time of an item is
	// when it was learned or last confirmed.
	From, To time.Time
	// Items and Messages are the maximum numbers of each.
	Items, Messages int
	// Known reports whether a message is known already and left out; nil means none is.
	Known func(recordID string) bool
}

// MemoryFound is the result of a search, best first.
type MemoryFound struct {
	Items    []retrieve.Scored
	Messages []ArchiveHit
	// Total counts all that were found, beyond the maximum numbers too.
	Total int
	// Degraded says why the result may be incomplete; empty if it is complete (R4).
	Degraded string
}

// inTime is the number of items that are searched for those of a time.
const inTime = 200

// SearchMemories finds items and messages of one agent. It marks nothing as accessed;
// that is up to the caller who shows them to a model (L4). It does not find the
// program's own words and tool results.
func (r *Reader) SearchMemories(ctx context.Context, agentID string, q MemoryQuery) (out MemoryFound, err error) {
	if strings.TrimSpace(q.Keyword) != "" {
		if err := r.searchItems(ctx, agentID, q, &out); err != nil {
			return MemoryFound{}, fmt.Errorf("searching the memory: %w", err)
		}
	}
	page, err := r.SearchArchive(ctx, agentID, ArchiveQuery{
		Text: q.Keyword, From: q.From, To: q.To, Limit: q.Messages + archiveLimit, // some are known
	})
	if err != nil {
		return MemoryFound{}, fmt.Errorf("searching the memory: %w", err)
	}
	held, err := HeldSources(ctx, r, agentID)
	if err != nil {
		return MemoryFound{}, fmt.Errorf("searching the memory: %w", err)
	}
	out.Degraded += page.Degraded
	total := page.Total
	for _, h := range page.Hits {
		spoken := h.Record.Role == memory.RoleUser || h.Record.Role == memory.RoleAssistant
		withheld := h.Record.Withheld() || held[h.Record.ID] || hasSecret(h.Record)
		if !spoken || withheld || strings.TrimSpace(h.Record.Content) == "" || q.Known != nil && q.Known(h.Record.ID) {
			total--
		} else if len(out.Messages) < q.Messages {
			out.Messages = append(out.Messages, h)
		}
	}
	out.Total += max(total, len(out.Messages))
	return out, nil
}

func (r *Reader) searchItems(ctx context.Context, agentID string, q MemoryQuery, out *MemoryFound) error {
	limit, bounded := q.Items, !q.From.IsZero() || !q.To.IsZero()
	if bounded {
		limit = inTime
	}
	res, err := r.Retrieve(ctx, agentID, Query{Text: q.Keyword, Limit: limit})
	if err != nil {
		return err
	}
	if bounded {
		res.Chosen = slices.DeleteFunc(res.Chosen, func(s retrieve.Scored) bool {
			return !q.holds(s.Item.CreatedAt) && !q.holds(s.Item.LastConfirmedAt)
		})
	}
	out.Degraded, out.Total = res.Degraded, len(res.Chosen)
	out.Items = res.Chosen[:min(len(res.Chosen), q.Items)]
	return nil
}

func (q MemoryQuery) holds(at time.Time) bool {
	return !at.IsZero() && !at.Before(q.From) && (q.To.IsZero() || at.Before(q.To))
}
