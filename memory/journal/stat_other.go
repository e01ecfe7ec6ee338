//go:build !linux

package journal

import (
	"io/fs"
	"time"
)

// changedAt returns the modification time of a file.
func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }
