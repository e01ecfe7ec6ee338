package manager

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"memoria/memory/guard"
	"memoria/memory/store"
)

const (
	// backupWait keeps the backups from competing with the start.
	backupWait = 2 * time.Second
	// backupAge is how old the newest backup is when the next is made, and
	// backupLook how often a program that runs for long looks.
	backupAge  = 24 * time.Hour
	backupLook = time.Hour
)

// keeper sees to the backups in the background.
type keeper struct {
	cfg    BackupConfig
	making sync.Mutex // one backup at a time
	// scrubbing is held while backups are looked through for what was deleted.
	scrubbing sync.Mutex

	mu     sync.Mutex // of what follows
	timer  *time.Timer
	failed error
	ended  bool
}

// planBackups has the backups seen to in the background after a while.
func (m *Manager) planBackups(after time.Duration) {
	if _, err := os.Stat(backupDir(m.dir)); m.keeper.cfg.off() && err != nil {
		return // there are none, and none are wanted
	}
	m.keeper.mu.Lock()
	defer m.keeper.mu.Unlock()
	switch {
	case m.keeper.ended:
	case m.keeper.timer == nil:
		m.keeper.timer = time.AfterFunc(after, m.seeToBackups)
	default:
		m.keeper.timer.Reset(after)
	}
}

func (m *Manager) endBackups() {
	m.keeper.mu.Lock()
	defer m.keeper.mu.Unlock()
	m.keeper.ended = true
	if m.keeper.timer != nil {
		m.keeper.timer.Stop()
	}
}

// seeToBackups takes what was forgotten out of the backups there are, makes one
// when it is time, and removes those that are not kept.
func (m *Manager) seeToBackups() {
	if !m.begin() {
		return
	}
	defer m.tasks.Done()
	err := guard.Do(m.log, "keeping backups", func() error { return m.keepBackups(m.life) })
	if m.life.Err() != nil {
		return
	}
	m.keeper.mu.Lock()
	m.keeper.failed = err
	m.keeper.mu.Unlock()
	if err != nil {
		m.log.Warn("backups are not as they should be", "error", err)
	}
	m.planBackups(backupLook)
}

func (m *Manager) keepBackups(ctx context.Context) error {
	// What goes wrong with an old backup is no reason to be without a new one.
	fault := m.scrubBackups(ctx, nil)
	if m.keeper.cfg.off() || ctx.Err() != nil {
		return fault
	}
	due, err := m.backupDue()
	if err == nil && due {
		_, err = m.backup(ctx, BackupAuto, nil)
	}
	if err != nil {
		return errors.Join(fault, err)
	}
	all, err := m.Backups()
	fault = errors.Join(fault, err)
	for _, b := range m.keeper.cfg.surplus(all) {
		fault = errors.Join(fault, os.Remove(b.Path))
	}
	return fault
}

// backupDue reports whether there is something to back up and the newest backup
// is old. One from the future, made while the clock was ahead, does not count.
func (m *Manager) backupDue() (bool, error) {
	all, err := m.Backups()
	if err != nil {
		return false, err
	}
	now := m.now()
	for _, b := range all {
		if age := now.Sub(b.Time); age > -time.Hour && age < backupAge {
			return false, nil
		}
	}
	var agents []string
	err = m.store.View(func(tx *store.Tx) error {
		agents, err = tx.Agents()
		return err
	})
	return len(agents) > 0, err
}

// BackupIfDue sees to the backups now, as a program that runs for long does by itself, when
// one is due (K3): a command is over before the background begins. It takes at most the
// time within; due says that there was no time for it, and nothing was left behind.
func (m *Manager) BackupIfDue(ctx context.Context, within time.Duration) (due bool, err error) {
	if m.keeper.cfg.off() || m.store.DB().ReadOnly() || !m.begin() {
		return false, nil
	}
	defer m.tasks.Done()
	if due, err = m.backupDue(); err != nil || !due {
		return false, err
	}
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = guard.Do(m.log, "keeping backups", func() error { return m.keepBackups(limited) })
	if limited.Err() != nil {
		return true, nil
	}
	return false, err
}

// removeHalves removes what a process left that died over a backup: there words lie that
// were deleted later. No other is at work: this one has the store open.
func (m *Manager) removeHalves() error {
	m.keeper.making.Lock()
	defer m.keeper.making.Unlock()
	entries, err := os.ReadDir(backupDir(m.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if strings.Contains(name, unchecked) || strings.Contains(name, ".new-") || strings.HasPrefix(name, scrubStart) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(backupDir(m.dir), name)))
		}
	}
	return err
}

// BackupTrouble is what last went wrong with the backups that are kept by
// themselves; nil when nothing did.
func (m *Manager) BackupTrouble() error {
	m.keeper.mu.Lock()
	defer m.keeper.mu.Unlock()
	return m.keeper.failed
}
