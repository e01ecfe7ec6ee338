package manager

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"memoria/kv"
	"memoria/memory/indexer"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// Health is how an agent's memory is doing, now and over time.
type Health struct {
	Status
	Days    []Day     `json:"days"` // oldest first, without gaps
	Derived []Derived `json:"derived"`
	vault.Space
}

// Day is what happened on one calendar day.
type Day struct {
	Date      time.Time `json:"date"` // its midnight
	Messages  int       `json:"messages"`
	Learned   int       `json:"learned"`   // items made
	Forgotten int       `json:"forgotten"` // items deleted
}

// Derived is something that is made of the store and can be made again.
type Derived struct {
	Name  string `json:"name"`
	State string `json:"state"` // that of an index, or [StateNotOpened]
	// Reason says why it is not ready; may be empty.
	Reason string `json:"reason,omitempty"`
	Done   int    `json:"done,omitempty"` // of Total, while it is made
	Total  int    `json:"total,omitempty"`
	Behind int    `json:"behind"` // entries of the change feed not yet looked at; items without their vector
	Bytes  int64  `json:"bytes"`  // on disk
	// Count and Model are those of vectors: how many there are, and made by what.
	// Endpoint is where memories and messages go for them.
	Count    int    `json:"count,omitempty"`
	Model    string `json:"model,omitempty"`
	Endpoint string `json:"endpoint,omitempty"`
}

// The names of what is derived, and a state of its own.
const (
	DerivedItems   = "items index"
	DerivedArchive = "archive index"
	DerivedHeads   = "item heads in memory"

	// StateNotOpened: nobody searched the archive since the start.
	StateNotOpened = "not opened yet"
	stateReady     = string(indexer.StateReady)
	stateLoading   = "loading"
)

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
	if h.Derived, err = m.IndexStatus(ctx, agentID); err != nil {
		return Health{}, err
	}
	h.Derived = append(h.Derived, a.hot.derived(h.Items))
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

// derived tells how many of the agent's heads lie in memory.
func (h *hot) derived(items int) Derived {
	h.mu.RLock()
	defer h.mu.RUnlock()
	d := Derived{Name: DerivedHeads, State: stateLoading, Total: items}
	if h.ready {
		d.State, d.Done = stateReady, len(h.heads)
	}
	return d
}

// IndexStatus tells how the agent's indexes are doing. It opens none.
func (m *Manager) IndexStatus(ctx context.Context, agentID string) ([]Derived, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	archive := a.archive
	m.mu.Unlock()
	items, err := m.indexStatus(ctx, a, DerivedItems, indexer.Recall, a.recall)
	if err != nil {
		return nil, err
	}
	records, err := m.indexStatus(ctx, a, DerivedArchive, indexer.Archive, archive)
	if err != nil {
		return nil, err
	}
	vectors, ok, err := m.vectorStatus(ctx, a)
	if err != nil || !ok {
		return []Derived{items, records}, err
	}
	return []Derived{items, records, vectors}, nil
}

func (m *Manager) indexStatus(ctx context.Context, a *agent, name string, kind indexer.Kind, f *indexer.Follower) (Derived, error) {
	d := Derived{Name: name, State: StateNotOpened}
	if err := context.Cause(ctx); err != nil {
		return d, err
	}
	if f != nil {
		st := f.Status()
		d.State, d.Reason, d.Done, d.Total, d.Behind = string(st.State), st.Reason, st.Done, st.Total, int(st.Behind)
	}
	var err error
	d.Bytes, err = kv.FolderSize(filepath.Join(m.vault.Dir(), vault.IndexFolder, a.id, string(kind)))
	return d, err
}

// CompactIndex makes the agent's indexes anew in fresh files, so that what was
// forgotten is gone from them to the last byte, and waits until they are ready.
// It returns their size on disk before and after. An index of the archive that
// was never made is not made for this. When ctx ends, the work goes on in the
// background.
func (m *Manager) CompactIndex(ctx context.Context, agentID string) (before, after int64, err error) {
	a, err := m.agent(agentID)
	if err != nil {
		return 0, 0, err
	}
	status, err := m.IndexStatus(ctx, agentID)
	if err != nil {
		return 0, 0, err
	}
	a.recall.Rebuild()
	if v := m.openVectors(a); v != nil {
		v.Compact()
	}
	for _, d := range status {
		before += d.Bytes
		if d.Name == DerivedArchive && (d.Bytes > 0 || d.State != StateNotOpened) {
			if f := m.archive(a); f != nil {
				f.Rebuild()
			}
		}
	}
	if err := errors.Join(m.Settle(ctx, agentID), m.compactJournal(ctx, agentID)); err != nil {
		return before, 0, fmt.Errorf("compacting the index: %w", err)
	}
	if status, err = m.IndexStatus(ctx, agentID); err != nil {
		return before, 0, err
	}
	for _, d := range status {
		after += d.Bytes
	}
	return before, after, nil
}
