package manager

import (
	"context"
	"errors"
	"time"

	"memoria/memory/guard"
)

// What was deleted for good still lies in pages of the store's file that are not in use,
// until those are written over. So they are filled with zeros (D2), some time after a
// deletion and when the memory is closed.
const (
	wipeWait  = 5 * time.Second
	wipeClose = 500 * time.Millisecond // at most, when a program ends
)

// wiping sees to pages that hold what was deleted. mu of the manager guards it.
type wiping struct {
	due   bool
	timer *time.Timer
}

// planWipe has the pages that are not in use wiped after a while.
func (m *Manager) planWipe() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wiping.due = true
	switch {
	case m.closed:
	case m.wiping.timer == nil:
		m.wiping.timer = time.AfterFunc(wipeWait, m.wipeDue)
	default:
		m.wiping.timer.Reset(wipeWait)
	}
}

// Unwiped reports whether words of what was deleted may still lie in the store's file.
func (m *Manager) Unwiped() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.wiping.due
}

func (m *Manager) wipeDue() {
	if !m.begin() {
		return
	}
	defer m.tasks.Done()
	if !m.wipe(m.life) && m.life.Err() == nil {
		m.planWipe()
	}
}

// wipe reports whether nothing is due any more.
func (m *Manager) wipe(ctx context.Context) bool {
	m.mu.Lock()
	due := m.wiping.due
	m.wiping.due = false // what is deleted from now on makes it due again
	m.mu.Unlock()
	if !due {
		return true
	}
	done := false
	err := guard.Do(m.log, "wiping", func() (err error) {
		done, err = m.store.DB().Wipe(ctx)
		return err
	})
	if err != nil && !errors.Is(err, ctx.Err()) {
		m.log.Warn("pages that are not in use were not wiped", "error", err)
	}
	if !done {
		m.mu.Lock()
		m.wiping.due = true
		m.mu.Unlock()
	}
	return done
}

// wipeAtTheEnd is for the time when nobody else uses the store any more.
func (m *Manager) wipeAtTheEnd() {
	m.mu.Lock()
	if m.wiping.timer != nil {
		m.wiping.timer.Stop()
	}
	m.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), wipeClose)
	defer cancel()
	m.wipe(ctx)
}
