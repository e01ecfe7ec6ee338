package vault

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

// Config is the [backup] table of the configuration: how many automatic backups are kept.
// If both are 0, none are made.
type Config struct {
	Daily  int `toml:"daily"`  // the newest of each of the last days that have one
	Weekly int `toml:"weekly"` // the newest of each of the last weeks that have one
}

// DefaultConfig keeps 3 daily and 4 weekly backups.
func DefaultConfig() Config { return Config{Daily: 3, Weekly: 4} }

// Settings declares the bounds of [Config].
func Settings() []bounds.Setting {
	return []bounds.Setting{bounds.Between("daily", 0, 365), bounds.Between("weekly", 0, 365)}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c Config) Validate() error { return bounds.Check(c, Settings()) }

func (c Config) off() bool { return c.Daily == 0 && c.Weekly == 0 }

// Backup is a compact copy of the store in one file, which was checked when it was made.
// The files of long messages are not in it; their records hold a checksum.
type Backup struct {
	Path  string    `json:"path"`
	Time  time.Time `json:"time"` // of its begin
	Bytes int64     `json:"bytes"`
	Kind  string    `json:"kind"`
	// Partial says that the backup holds records that could not be read in the store
	// either, as they were.
	Partial bool `json:"partial,omitempty"`
}

// The kinds of backups. Only automatic ones expire.
const (
	BackupAuto      = "auto"      // made in the background
	BackupManual    = "manual"    // made because the user asked for it
	BackupMigration = "migration" // made before a change of the store's layout
)

const (
	backupFolder = "backups"

	backupStart = "memoria-"
	backupTime  = "20060102T150405.000Z"
	backupEnd   = ".db"
	// backupPartial follows the kind in the name of a partial backup.
	backupPartial = "-partial"
	// unchecked ends the name of a backup until it is finished and checked.
	unchecked = ".unchecked"
)

func backupDir(dir string) string { return filepath.Join(dir, backupFolder) }

func backupPath(dir string, at time.Time, kind string, partial bool) string {
	if partial {
		kind += backupPartial
	}
	return filepath.Join(backupDir(dir), backupStart+at.UTC().Format(backupTime)+"-"+kind+backupEnd)
}

// Backups lists the backups of a data folder, newest first. The store need not be open or
// whole. Files with other names are skipped.
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

// Backup makes and checks a backup now: compact, without deleted data, readable by its
// owner alone (D4). Reads and writes go on meanwhile. If records cannot be read, the
// backup is [Backup.Partial]. If it fails or ctx ends, no file is left. progress counts
// bytes of the store and may be nil.
func (v *Vault) Backup(ctx context.Context, progress func(done, total int64)) (Backup, error) {
	return v.backup(ctx, BackupManual, progress)
}

func (v *Vault) backup(ctx context.Context, kind string, progress func(done, total int64)) (b Backup, err error) {
	v.keeper.making.Lock()
	defer v.keeper.making.Unlock()
	at := v.now().UTC().Truncate(time.Millisecond)
	if err := os.MkdirAll(backupDir(v.dir), 0o700); err != nil {
		return b, fmt.Errorf("making a backup: %w", kv.Refusal(err))
	}
	temp := backupPath(v.dir, at, kind, false) + unchecked
	partial, err := v.checkedCopy(ctx, temp, progress)
	if err != nil {
		return b, err
	}
	path := backupPath(v.dir, at, kind, partial)
	stat, err := os.Stat(temp)
	if err == nil {
		err = publish(temp, path)
	}
	if err != nil {
		_ = os.Remove(temp)
		return b, fmt.Errorf("keeping a backup: %w", kv.Refusal(err))
	}
	return Backup{Path: path, Time: at, Bytes: stat.Size(), Kind: kind, Partial: partial}, nil
}

// checkedCopy makes a compact copy of the store and checks it. After an error there is none.
func (v *Vault) checkedCopy(ctx context.Context, path string, progress func(done, total int64)) (partial bool, err error) {
	if err := v.store.DB().Backup(ctx, path, progress); err != nil {
		return false, fmt.Errorf("making a backup: %w", kv.Refusal(err))
	}
	partial, err = v.verifyCopy(ctx, path, func() error {
		err := judge(v.store.DB().Check(ctx, nil))
		if errors.Is(err, ErrUnreadable) {
			v.noteDamage(err)
		}
		return err
	})
	if err != nil {
		_ = os.Remove(path)
		return false, fmt.Errorf("checking a backup: %w", err)
	}
	return partial, nil
}

// verifyCopy checks a copy. If records of the copy cannot be read, it checks the source
// too: only if the source has unreadable records is the copy a good, partial one.
func (v *Vault) verifyCopy(ctx context.Context, path string, source func() error) (partial bool, err error) {
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

// publish durably gives a finished backup its name.
func publish(temp, path string) error {
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return SyncDirs(filepath.Dir(path), filepath.Dir(path))
}

// surplus returns the automatic backups that have expired: each that is neither the newest
// of one of the last days nor the newest of one of the last weeks that have any. all is
// sorted, newest first. Whole and partial backups are counted separately, so that those of
// a damaged store never replace the last whole ones.
func (c Config) surplus(all []Backup) []Backup {
	apart := map[bool][]Backup{}
	for _, b := range all {
		if b.Kind == BackupAuto {
			apart[b.Partial] = append(apart[b.Partial], b)
		}
	}
	return append(c.tooMany(apart[false]), c.tooMany(apart[true])...)
}

func (c Config) tooMany(all []Backup) (out []Backup) {
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
