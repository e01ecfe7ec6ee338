package journal

import (
	"io/fs"
	"syscall"
	"time"
)

// changedAt returns the time of a file's last change, including its metadata. Unlike the
// modification time, programs cannot set it back.
func changedAt(info fs.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return info.ModTime()
}
