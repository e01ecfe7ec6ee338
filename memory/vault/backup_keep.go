package vault

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
	// backupWait is the delay after the start, which backups must not slow down.
	backupWait = 2 * time.Second
	// backupAge is the age of the newest backup at which another is due, and backupLook the
	// interval of looking.
	backupAge  = 24 * time.Hour
	backupLook = time.Hour
)

// keeper holds the state of the automatic backups.
type keeper struct {
	cfg    Config
	making sync.Mutex // one backup at a time
	// scrubbing is held while deleted data is removed from the backups.
	scrubbing sync.Mutex

	mu     sync.Mutex // of what follows
	timer  *time.Timer
	failed error
	ended  bool
}

// planBackups schedules the next run of keepBackups.
func (v *Vault) planBackups(after time.Duration) {
	if _, err := os.Stat(backupDir(v.dir)); v.keeper.cfg.off() && err != nil {
		return // there are none, and none are configured
	}
	v.keeper.mu.Lock()
	defer v.keeper.mu.Unlock()
	switch {
	case v.keeper.ended:
	case v.keeper.timer == nil:
		v.keeper.timer = time.AfterFunc(after, v.seeToBackups)
	default:
		v.keeper.timer.Reset(after)
	}
}

func (v *Vault) endBackups() {
	v.keeper.mu.Lock()
	defer v.keeper.mu.Unlock()
	v.keeper.ended = true
	if v.keeper.timer != nil {
		v.keeper.timer.Stop()
	}
}

// seeToBackups runs keepBackups in the background and schedules the next run.
func (v *Vault) seeToBackups() {
	if !v.begin() {
		return
	}
	defer v.tasks.Done()
	err := guard.Do(v.log, "keeping backups", func() error { return v.keepBackups(v.life) })
	if v.life.Err() != nil {
		return
	}
	v.keeper.mu.Lock()
	v.keeper.failed = err
	v.keeper.mu.Unlock()
	if err != nil {
		v.log.Warn("backups are not as they should be", "error", err)
	}
	v.planBackups(backupLook)
}

// keepBackups removes deleted data from the backups, makes one if it is due, and removes
// those that have expired.
func (v *Vault) keepBackups(ctx context.Context) error {
	// A fault of an old backup does not prevent a new one.
	fault := v.scrubBackups(ctx, nil)
	if v.keeper.cfg.off() || ctx.Err() != nil {
		return fault
	}
	due, err := v.backupDue()
	if err == nil && due {
		_, err = v.backup(ctx, BackupAuto, nil)
	}
	if err != nil {
		return errors.Join(fault, err)
	}
	all, err := Backups(v.dir)
	fault = errors.Join(fault, err)
	for _, b := range v.keeper.cfg.surplus(all) {
		fault = errors.Join(fault, os.Remove(b.Path))
	}
	return fault
}

// backupDue reports whether the store has data and the newest backup is older than
// backupAge. A backup from the future, made while the clock was ahead, does not count.
func (v *Vault) backupDue() (bool, error) {
	all, err := Backups(v.dir)
	if err != nil {
		return false, err
	}
	now := v.now()
	for _, b := range all {
		if age := now.Sub(b.Time); age > -time.Hour && age < backupAge {
			return false, nil
		}
	}
	var agents []string
	err = v.store.View(func(tx *store.Tx) error {
		agents, err = tx.Agents()
		return err
	})
	return len(agents) > 0, err
}

// BackupIfDue makes an automatic backup now if one is due (K3). A command calls it, because
// it ends before the background work begins. It takes at most the time within. due
// reports that a backup is still due because the time was too short; no file is left then.
func (v *Vault) BackupIfDue(ctx context.Context, within time.Duration) (due bool, err error) {
	if v.keeper.cfg.off() || v.store.DB().ReadOnly() || !v.begin() {
		return false, nil
	}
	defer v.tasks.Done()
	if due, err = v.backupDue(); err != nil || !due {
		return false, err
	}
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = guard.Do(v.log, "keeping backups", func() error { return v.keepBackups(limited) })
	if limited.Err() != nil {
		return true, nil
	}
	return false, err
}

// removeHalves removes the unfinished backups of a process that died. They may hold data
// that was deleted later. No other process makes any, because this one has the store open.
func (v *Vault) removeHalves() error {
	v.keeper.making.Lock()
	defer v.keeper.making.Unlock()
	entries, err := os.ReadDir(backupDir(v.dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if strings.Contains(name, unchecked) || strings.Contains(name, ".new-") || strings.HasPrefix(name, scrubStart) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(backupDir(v.dir), name)))
		}
	}
	return err
}

// backupTrouble returns the error of the last run of keepBackups.
func (v *Vault) backupTrouble() error {
	v.keeper.mu.Lock()
	defer v.keeper.mu.Unlock()
	return v.keeper.failed
}
