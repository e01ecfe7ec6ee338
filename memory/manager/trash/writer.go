package trash

import (
	"time"

	"memoria/memory/manager/files"
	"memoria/memory/manager/journals"
	"memoria/memory/manager/write"
)

// Writer destroys deleted data. It is safe for concurrent use.
type Writer struct {
	*write.Core
	files    *files.Files
	journals *journals.Writer
	timer    *time.Timer // of the next expired deletion; guarded by the core's lock
}

// New returns a writer for a data folder. Deletions planned by the core are scheduled.
func New(c *write.Core, f *files.Files, j *journals.Writer) *Writer {
	w := &Writer{Core: c, files: f, journals: j}
	c.PlanPurge = func() { w.schedule(0) }
	return w
}

// StopTimer cancels the scheduled purge. The core must have been stopped before.
func (w *Writer) StopTimer() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
