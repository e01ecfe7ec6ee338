package journal

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt is when a file, or anything about it, was changed last. Programs can set the time
// of the words back, but not this one.
func changedAt(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return info.ModTime()
}
