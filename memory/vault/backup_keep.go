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
	// backupWait keeps the backups from competing with the start.
	backupWait = 2 * time.Second
	// backupAge is how old the newest backup is when the next is made, and
	// backupLook how often a program that runs for long looks.
	backupAge  = 24 * time.Hour
	backupLook = time.Hour
)

// keeper sees to the backups in the background.
type keeper struct {
	cfg    Config
	making sync.Mutex // one backup at a time
	// scrubbing is held while backups are looked through for what was deleted.
	scrubbing sync.Mutex

	mu     sync.Mutex // of what follows
	timer  *time.Timer
	failed error
	ended  bool
}

// PlanScrub has what was deleted from the store removed from the backups too, in a few
// seconds.
func (v *Vault) PlanScrub() { v.planBackups(backupWait) }

// planBackups has the backups seen to in the background after a while.
func (v *Vault) planBackups(after time.Duration) {
	if _, err := os.Stat(backupDir(v.dir)); v.keeper.cfg.off() && err != nil {
		return // there are none, and none are wanted
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

// seeToBackups takes what was forgotten out of the backups there are, makes one
// when it is time, and removes those that are not kept.
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

func (v *Vault) keepBackups(ctx context.Context) error {
	// What goes wrong with an old backup is no reason to be without a new one.
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

// backupDue reports whether there is something to back up and the newest backup
// is old. One from the future, made while the clock was ahead, does not count.
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

// BackupIfDue sees to the backups now, as a program that runs for long does by itself, when
// one is due (K3): a command is over before the background begins. It takes at most the
// time within; due says that there was no time for it, and nothing was left behind.
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

// removeHalves removes what a process left that died over a backup: there words lie that
// were deleted later. No other is at work: this one has the store open.
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

// backupTrouble is what last went wrong with the backups that are kept by
// themselves; nil when nothing did.
func (v *Vault) backupTrouble() error {
	v.keeper.mu.Lock()
	defer v.keeper.mu.Unlock()
	return v.keeper.failed
}
