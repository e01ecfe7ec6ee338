package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/store"
)

// Deletion is what a delete can be taken back by.
type Deletion struct {
	ID    string    `json:"id"`
	Items int       `json:"items"`
	Until time.Time `json:"until"` // the end of the take-back
}

// DeleteItems takes items out of every view at once. Until Deletion.Until they
// can be taken back; then they are destroyed (L6, D2). When one of the ids is
// unknown, nothing is deleted.
func (m *Manager) DeleteItems(_ context.Context, agentID string, ids ...string) (Deletion, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Deletion{}, err
	}
	return m.delete(a, func(t *tx) ([]string, error) {
		full := make([]string, 0, len(ids))
		seen := map[string]bool{}
		for _, id := range ids {
			it, err := find(t.Tx, a.id, id)
			if err != nil {
				return nil, fmt.Errorf("memory %s: %w", id, err)
			}
			if !seen[it.ID] {
				seen[it.ID] = true
				full = append(full, it.ID)
			}
		}
		return full, nil
	})
}

// ClearItems deletes all items of an agent and leaves working memory (L6).
func (m *Manager) ClearItems(_ context.Context, agentID string) (Deletion, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return Deletion{}, err
	}
	return m.delete(a, func(t *tx) ([]string, error) {
		var ids []string
		for it, err := range t.Items(a.id) {
			if err != nil {
				return nil, err
			}
			ids = append(ids, it.ID)
		}
		return ids, nil
	})
}

func (m *Manager) delete(a *agent, which func(*tx) ([]string, error)) (Deletion, error) {
	var d Deletion
	err := m.update(a, func(t *tx) error {
		ids, err := which(t)
		if err != nil {
			return err
		}
		d = Deletion{ID: t.newID(), Items: len(ids), Until: t.Now().Add(TakeBackTime)}
		for _, id := range ids {
			if err := t.TrashItem(a.id, id, d.ID); err != nil {
				return err
			}
			t.touched = append(t.touched, headChange{id: id, deleted: true})
		}
		return nil
	})
	if err != nil {
		return Deletion{}, fmt.Errorf("deleting: %w", err)
	}
	m.schedulePurge(0)
	return d, nil
}

// TakeBack undoes a deletion and returns how many items came back. It returns
// ErrGone when it is too late.
func (m *Manager) TakeBack(_ context.Context, agentID, deletionID string) (int, error) {
	a, err := m.agent(agentID)
	if err != nil {
		return 0, err
	}
	n := 0
	err = m.update(a, func(t *tx) error {
		// What is due is gone, though its timer may be late.
		if _, err := t.PurgeTrash(t.Now().Add(-TakeBackTime)); err != nil {
			return err
		}
		back, err := t.RestoreTrash(a.id, deletionID, t.newID())
		if errors.Is(err, ErrNotFound) {
			return ErrGone
		}
		n = len(back)
		if err != nil {
			return err
		}
		for _, it := range back {
			t.touched = append(t.touched, headChange{id: it.ID, head: store.HeadOf(it)})
			if it.State != memory.StateActive {
				continue
			}
			// What was said again meanwhile stays; the old item joins its history.
			if rival, err := t.rival(it); err != nil {
				return err
			} else if rival.ID != "" {
				if err := t.end(it.ID, rival.ID, memory.OriginUser, ""); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("taking back a deletion: %w", err)
	}
	return n, nil
}

// Purge destroys everything that was deleted, without waiting for the end of
// the take-back.
func (m *Manager) Purge(context.Context) error { return m.purgeBefore(time.Time{}) }

// purgeBefore destroys what was deleted before the given time; zero is all.
func (m *Manager) purgeBefore(before time.Time) error {
	oldest := time.Time{}
	err := m.store.View(func(tx *store.Tx) (err error) {
		oldest, err = tx.OldestTrash()
		return err
	})
	if err != nil || oldest.IsZero() || !before.IsZero() && !oldest.Before(before) {
		return err
	}
	return m.store.Update(func(tx *store.Tx) error {
		if before.IsZero() {
			before = tx.Now().Add(time.Nanosecond)
		}
		_, err := tx.PurgeTrash(before)
		return err
	})
}

// schedulePurge sets the timer for the oldest deletion that is not final, but
// not to less than atLeast.
func (m *Manager) schedulePurge(atLeast time.Duration) {
	var oldest time.Time
	err := m.store.View(func(tx *store.Tx) (err error) {
		oldest, err = tx.OldestTrash()
		return err
	})
	if err != nil || oldest.IsZero() {
		return
	}
	wait := max(oldest.Add(TakeBackTime).Sub(m.now()), 0) + time.Millisecond
	m.purgeAfter(max(wait, atLeast))
}

func (m *Manager) purgeAfter(wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	if m.purge != nil {
		m.purge.Stop()
	}
	m.purge = time.AfterFunc(wait, m.purgeDue)
}

// purgeDue finishes the deletions whose time has come, and sees to the others.
// What fails, such as on a full disk, is tried again.
func (m *Manager) purgeDue() {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return
	}
	m.tasks.Add(1)
	m.mu.Unlock()
	defer m.tasks.Done()
	pause := time.Duration(0)
	err := guard.Do(m.log, "finishing deletions", func() error {
		return m.purgeBefore(m.now().Add(-TakeBackTime))
	})
	if err != nil {
		m.log.Warn("deletion was not finished", "error", err)
		pause = TakeBackTime
	}
	err = guard.Do(m.log, "planning deletions", func() error { m.schedulePurge(pause); return nil })
	if err != nil {
		m.purgeAfter(TakeBackTime)
	}
}

// forgottenText stands where deleted words stood (C5).
func forgottenText(at time.Time) string {
	return "[forgotten " + at.Format(time.DateOnly) + "]"
}
