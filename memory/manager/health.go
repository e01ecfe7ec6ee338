package manager

import (
	"context"
	"fmt"
	"time"

	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// Health is how an agent's memory is doing, now and over time.
type Health struct {
	Status
	Days    []Day            `json:"days"` // oldest first, without gaps
	Derived []recall.Derived `json:"derived"`
	vault.Space
}

// Day is what happened on one calendar day.
type Day struct {
	Date      time.Time `json:"date"` // its midnight
	Messages  int       `json:"messages"`
	Learned   int       `json:"learned"`   // items made
	Forgotten int       `json:"forgotten"` // items deleted
}

// maxDays is the longest time that Health counts: ten years.
const maxDays = 3660

// Health counts what an agent has, what happened on each of the last days (today
// included) and what is derived. Days are those of the location of Options.Now.
// It reads keys, not records, and opens nothing.
func (m *Manager) Health(ctx context.Context, agentID string, days int) (Health, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Health{}, err
	}
	var h Health
	if h.Status, err = m.Status(ctx, agentID); err != nil {
		return Health{}, err
	}
	if h.Days, err = m.days(ctx, a, min(max(days, 0), maxDays)); err != nil {
		return Health{}, fmt.Errorf("counting days: %w", err)
	}
	if h.Derived, err = m.recall.IndexStatus(ctx, agentID); err != nil {
		return Health{}, err
	}
	heads, err := m.recall.HeadStatus(agentID, h.Items)
	if err != nil {
		return Health{}, err
	}
	h.Derived = append(h.Derived, heads)
	if h.Space, err = m.vault.Space(); err != nil {
		return Health{}, err
	}
	return h, nil
}

// days counts the last n calendar days.
func (m *Manager) days(ctx context.Context, a *agent, n int) ([]Day, error) {
	now := m.now()
	year, month, day := now.Date()
	bounds := make([]time.Time, n+1)
	for i := range bounds { // by the calendar, because not every day has 24 hours
		bounds[i] = time.Date(year, month, day+1-n+i, 0, 0, 0, 0, now.Location())
	}
	out := make([]Day, n)
	err := m.view(ctx, func(tx *store.Tx) error {
		tallies, err := tx.Tallies(a.id, bounds)
		for i, t := range tallies {
			out[i] = Day{Date: bounds[i], Messages: t.Messages, Learned: t.Learned, Forgotten: t.Forgotten}
		}
		return err
	})
	return out, err
}

// CompactIndex makes the agent's indexes anew in fresh files, so that what was
// forgotten is gone from them to the last byte, and waits until they are ready.
// It returns their size on disk before and after. An index of the archive that
// was never made is not made for this. When ctx ends, the work goes on in the
// background.
func (m *Manager) CompactIndex(ctx context.Context, agentID string) (before, after int64, err error) {
	before, after, err = m.recall.Compact(ctx, agentID)
	if err == nil {
		err = m.compactJournal(ctx, agentID)
	}
	if err != nil {
		return before, 0, fmt.Errorf("compacting the index: %w", err)
	}
	return before, after, nil
}
