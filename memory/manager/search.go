package manager

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"memoria/index/text"
	"memoria/memory"
	"memoria/memory/retrieve"
)

// MemoryQuery asks for everything that is remembered about something: items and
// messages (I2).
type MemoryQuery struct {
	Keyword string // may be empty, when there is a time
	// From and To bound it in time, as in an [ArchiveQuery]. The time of an item is
	// when it was learned or last confirmed.
	From, To time.Time
	// Items and Messages are the most that are wanted of each.
	Items, Messages int
	// Known reports whether a message need not be found; nil: none is known.
	Known func(recordID string) bool
}

// MemoryFound is what was found, the best first.
type MemoryFound struct {
	Items    []retrieve.Scored
	Messages []ArchiveHit
	// Total is how many were found, with those that were not wanted.
	Total int
	// Degraded says why the search was not at its best; empty when it was (R4).
	Degraded string
}

// inTime is how many items are looked through for those of a time.
const inTime = 200

// SearchMemories looks for items and messages of one agent. It marks nothing as
// accessed: that is for who shows them to a model (L4). What the program said
// itself and what tools answered is not found.
func (m *Manager) SearchMemories(ctx context.Context, agentID string, q MemoryQuery) (out MemoryFound, err error) {
	if strings.TrimSpace(q.Keyword) != "" {
		if err := m.searchItems(ctx, agentID, q, &out); err != nil {
			return MemoryFound{}, fmt.Errorf("searching the memory: %w", err)
		}
	}
	page, err := m.SearchArchive(ctx, agentID, ArchiveQuery{
		Text: q.Keyword, From: q.From, To: q.To, Limit: q.Messages + archiveLimit, // some are known
	})
	if err != nil {
		return MemoryFound{}, fmt.Errorf("searching the memory: %w", err)
	}
	out.Degraded += page.Degraded
	total := page.Total
	for _, h := range page.Hits {
		spoken := h.Record.Role == memory.RoleUser || h.Record.Role == memory.RoleAssistant
		if !spoken || h.Record.Withheld() || strings.TrimSpace(h.Record.Content) == "" || q.Known != nil && q.Known(h.Record.ID) {
			total--
		} else if len(out.Messages) < q.Messages {
			out.Messages = append(out.Messages, h)
		}
	}
	out.Total += max(total, len(out.Messages))
	return out, nil
}

func (m *Manager) searchItems(ctx context.Context, agentID string, q MemoryQuery, out *MemoryFound) error {
	limit, bounded := q.Items, !q.From.IsZero() || !q.To.IsZero()
	if bounded {
		limit = inTime
	}
	res, err := m.Retrieve(ctx, agentID, Query{Text: q.Keyword, Limit: limit})
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

// maxTimeRange bounds what is read as a time, in bytes.
const maxTimeRange = 200

// ParseTimeRange reads a time as a person or a model writes it: what [text.Dates]
// understands ("last March", 上周三), also without its small words ("March", "2025"),
// two of them with two dots between ("2026-01..2026-02", one side may be missing),
// and moments of RFC 3339. ok is false when none is named.
func ParseTimeRange(s string, now time.Time, loc *time.Location) (from, to time.Time, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxTimeRange {
		return from, to, false
	}
	if left, right, two := cutRange(s); two {
		return joinTimes(left, right, now, loc)
	}
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at, at.Add(time.Second), true
	}
	for _, lead := range []string{"", "in ", "on "} {
		if _, from, to, ok = text.Dates(lead+s, now, loc); ok {
			return from, to, true
		}
	}
	return from, to, false
}

// JoinTimes reads the time from one that is written like a time range to another;
// one of them may be empty. ok is false when one is not understood, or the second
// ends before the first begins.
func JoinTimes(from, to string, now time.Time, loc *time.Location) (_, _ time.Time, ok bool) {
	return joinTimes(strings.TrimSpace(from), strings.TrimSpace(to), now, loc)
}

func joinTimes(left, right string, now time.Time, loc *time.Location) (from, to time.Time, ok bool) {
	if left == "" && right == "" {
		return from, to, false
	}
	if left != "" {
		if from, _, ok = ParseTimeRange(left, now, loc); !ok {
			return time.Time{}, time.Time{}, false
		}
	}
	if right != "" {
		if _, to, ok = ParseTimeRange(right, now, loc); !ok {
			return time.Time{}, time.Time{}, false
		}
	}
	return from, to, from.IsZero() || to.IsZero() || from.Before(to)
}

// ranges are the signs between two times. A slash stands in dates too, and
// separates only what looks like two of them.
var ranges = regexp.MustCompile(`^(.*?)\s*(?:\.{2,3}|…|～|~|–|—|/)\s*(.*)$`)

var slashDates = regexp.MustCompile(`^\d{4}-\d{2}(-\d{2}\S*)?/\d{4}-\d{2}(-\d{2}\S*)?$`)

func cutRange(s string) (left, right string, ok bool) {
	if strings.Contains(s, "/") && !slashDates.MatchString(s) {
		s, restore := strings.ReplaceAll(s, "/", "\x00"), strings.NewReplacer("\x00", "/")
		m := ranges.FindStringSubmatch(s)
		if m == nil {
			return "", "", false
		}
		return restore.Replace(m[1]), restore.Replace(m[2]), true
	}
	m := ranges.FindStringSubmatch(s)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}
