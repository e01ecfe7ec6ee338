package trash

import (
	"sync"
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

	erasing    sync.Mutex  // held while files are erased
	eraseTimer *time.Timer // of the next erasing; guarded by the core's lock
}

// New returns a writer for a data folder. Deletions planned by the core are scheduled.
func New(c *write.Core, f *files.Files, j *journals.Writer) *Writer {
	w := &Writer{Core: c, files: f, journals: j}
	c.PlanPurge = func() { w.schedule(0) }
	return w
}

// Resume continues what an earlier process left: overdue deletions, and deleted data in files.
func (w *Writer) Resume() error {
	err := w.PurgeExpired(w.Life)
	w.PlanPurge()
	if w.Vault().Erasing().Pending() {
		w.planErase(eraseWait)
	}
	return err
}

// StopTimers cancels what is scheduled. The core must have been stopped before.
func (w *Writer) StopTimers() {
	for _, t := range []*time.Timer{w.timer, w.eraseTimer} {
		if t != nil {
			t.Stop()
		}
	}
}
