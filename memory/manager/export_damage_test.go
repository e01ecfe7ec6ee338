package manager

import "time"

// Surplus returns the backups that are not kept.
func (c BackupConfig) Surplus(all []Backup) []Backup { return c.surplus(all) }

// BackupPath is where a backup of that time and kind lies.
func BackupPath(dir string, at time.Time, kind string) string {
	return backupPath(dir, at, kind, false)
}
