package manager

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memoria/kv"
	"memoria/memory/bounds"
)

// BackupConfig is the [backup] table of the configuration: how many automatic
// backups are kept. With 0 and 0 none are made.
type BackupConfig struct {
	Daily  int `toml:"daily"`  // of the last days that have one
	Weekly int `toml:"weekly"` // of the last weeks that have one
}

// DefaultBackup keeps 3 daily and 4 weekly backups.
func DefaultBackup() BackupConfig { return BackupConfig{Daily: 3, Weekly: 4} }

// BackupSettings declares the bounds of [BackupConfig].
func BackupSettings() []bounds.Setting {
	return []bounds.Setting{bounds.Between("daily", 0, 365), bounds.Between("weekly", 0, 365)}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c BackupConfig) Validate() error { return bounds.Check(c, BackupSettings()) }

func (c BackupConfig) off() bool { return c.Daily == 0 && c.Weekly == 0 }

// Backup is a compact copy of the store in one file, checked when it was made.
// The files of long messages are not in it.
type Backup struct {
	Path  string    `json:"path"`
	Time  time.Time `json:"time"` // when it was begun
	Bytes int64     `json:"bytes"`
	Kind  string    `json:"kind"`
	// Partial says that the store had records that could not be read when the
	// backup was made: they are in it as they were.
	Partial bool `json:"partial,omitempty"`
}

// The kinds of backups. Only automatic ones are removed again.
const (
	BackupAuto      = "auto"      // made in the background
	BackupManual    = "manual"    // made because the user asked for it
	BackupMigration = "migration" // made before the layout of the store was changed
)

const (
	storeName    = "memoria.db"
	backupFolder = "backups"

	backupStart = "memoria-"
	backupTime  = "20060102T150405.000Z"
	backupEnd   = ".db"
	// backupPartial ends the kind in the name of a backup that is [Backup.Partial].
	backupPartial = "-partial"
	// unchecked ends the name of a backup until it is whole.
	unchecked = ".unchecked"
)

func backupDir(dir string) string { return filepath.Join(dir, backupFolder) }

func backupPath(dir string, at time.Time, kind string, partial bool) string {
	if partial {
		kind += backupPartial
	}
	return filepath.Join(backupDir(dir), backupStart+at.UTC().Format(backupTime)+"-"+kind+backupEnd)
}

// Backups lists the backups of a data folder, newest first, whether the store
// can be opened or not. Files with other names are passed over.
func Backups(dir string) ([]Backup, error) {
	entries, err := os.ReadDir(backupDir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing backups: %w", err)
	}
	var out []Backup
	for _, e := range entries {
		name, whole := strings.CutSuffix(e.Name(), backupEnd)
		name, ours := strings.CutPrefix(name, backupStart)
		if !whole || !ours || len(name) < len(backupTime)+2 {
			continue
		}
		at, err := time.Parse(backupTime, name[:len(backupTime)])
		info, ierr := e.Info()
		if err != nil || ierr != nil || !info.Mode().IsRegular() || name[len(backupTime)] != '-' {
			continue
		}
		kind, partial := strings.CutSuffix(name[len(backupTime)+1:], backupPartial)
		out = append(out, Backup{
			Path: filepath.Join(backupDir(dir), e.Name()), Time: at, Bytes: info.Size(), Kind: kind, Partial: partial,
		})
	}
	slices.SortFunc(out, func(a, b Backup) int { return b.Time.Compare(a.Time) })
	return out, nil
}

// Backups lists the backups of the memory, newest first.
func (m *Manager) Backups() ([]Backup, error) { return Backups(m.dir) }

// Backup makes a backup now and checks it: compact, without what was deleted,
// for its owner alone (D4). Others read and write meanwhile. Records that cannot
// be read are no reason to have none: see [Backup.Partial]. When it fails or ctx
// ends, nothing is left behind. progress counts bytes of the store and may be nil.
func (m *Manager) Backup(ctx context.Context, progress func(done, total int64)) (Backup, error) {
	return m.backup(ctx, BackupManual, progress)
}

func (m *Manager) backup(ctx context.Context, kind string, progress func(done, total int64)) (b Backup, err error) {
	m.keeper.making.Lock()
	defer m.keeper.making.Unlock()
	at := m.now().UTC().Truncate(time.Millisecond)
	if err := os.MkdirAll(backupDir(m.dir), 0o700); err != nil {
		return b, fmt.Errorf("making a backup: %w", kv.Refusal(err))
	}
	temp := backupPath(m.dir, at, kind, false) + unchecked
	if err := m.store.DB().Backup(ctx, temp, progress); err != nil {
		return b, fmt.Errorf("making a backup: %w", kv.Refusal(err))
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp)
		}
	}()
	partial, err := m.verifyCopy(ctx, temp, func() error {
		err := judge(m.store.DB().Check(ctx, nil))
		if errors.Is(err, ErrUnreadable) {
			m.noteDamage(err)
		}
		return err
	})
	if err != nil {
		return b, fmt.Errorf("checking a backup: %w", err)
	}
	path := backupPath(m.dir, at, kind, partial)
	stat, err := os.Stat(temp)
	if err == nil {
		err = publish(temp, path)
	}
	if err != nil {
		return b, fmt.Errorf("keeping a backup: %w", kv.Refusal(err))
	}
	return Backup{Path: path, Time: at, Bytes: stat.Size(), Kind: kind, Partial: partial}, nil
}

// verifyCopy checks a copy. Records that cannot be read are its source's as well,
// or the copy is a bad one: source checks that.
func (m *Manager) verifyCopy(ctx context.Context, path string, source func() error) (partial bool, err error) {
	err = Verify(ctx, path)
	if !errors.Is(err, ErrUnreadable) {
		return false, err
	}
	switch serr := source(); {
	case errors.Is(serr, ErrUnreadable):
		return true, nil
	case serr != nil:
		return false, serr
	}
	return false, fmt.Errorf("the copy is not like what it was made of: %w", err)
}

// publish gives a finished backup its name, durably.
func publish(temp, path string) error {
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncDirs(filepath.Dir(path), filepath.Dir(path))
}

// surplus returns the automatic backups that the configuration does not keep:
// neither the newest of one of the last days nor of one of the last weeks that
// have any. all is sorted, newest first. Whole and partial ones are counted
// apart, so that those of a damaged store never push out the last whole ones.
func (c BackupConfig) surplus(all []Backup) []Backup {
	apart := map[bool][]Backup{}
	for _, b := range all {
		if b.Kind == BackupAuto {
			apart[b.Partial] = append(apart[b.Partial], b)
		}
	}
	return append(c.tooMany(apart[false]), c.tooMany(apart[true])...)
}

func (c BackupConfig) tooMany(all []Backup) (out []Backup) {
	days, weeks := map[string]bool{}, map[string]bool{}
	newest := func(seen map[string]bool, key string, most int) bool {
		if seen[key] || len(seen) >= most {
			return false
		}
		seen[key] = true
		return true
	}
	for _, b := range all {
		year, week := b.Time.ISOWeek()
		daily := newest(days, b.Time.Format(time.DateOnly), c.Daily)
		weekly := newest(weeks, fmt.Sprint(year, "/", week), c.Weekly)
		if !daily && !weekly {
			out = append(out, b)
		}
	}
	return out
}
