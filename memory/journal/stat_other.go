//go:build !linux

package journal

import (
	"io/fs"
	"time"
)

// changedAt is when the words of a file were changed last.
func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }
