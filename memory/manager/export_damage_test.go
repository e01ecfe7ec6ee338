package manager

import (
	"context"
	"log/slog"
	"time"
)

// Surplus returns the backups that are not kept.
func (c BackupConfig) Surplus(all []Backup) []Backup { return c.surplus(all) }

// InChildFor is InChild with a time limit of its own.
func InChildFor(limit time.Duration, program string, args ...string) Verifier {
	return func(ctx context.Context, path string) error {
		return runVerifier(ctx, slog.New(slog.DiscardHandler), limit, append([]string{program}, append(args, path)...))
	}
}

// BackupPath is where a backup of that time and kind lies.
func BackupPath(dir string, at time.Time, kind string) string {
	return backupPath(dir, at, kind, false)
}
