package manager

import "time"

// Surplus returns the backups that are not kept.
func (c BackupConfig) Surplus(all []Backup) []Backup { return c.surplus(all) }

// BackupPath returns the path of a backup of that time and kind.
func BackupPath(dir string, at time.Time, kind string) string {
	return backupPath(dir, at, kind, false)
}
