package journals

import (
	"sync/atomic"

	"memoria/memory/journal"
	"memoria/memory/manager/write"
)

// Writer has the journals of the agents. It is safe for concurrent use.
type Writer struct {
	*write.Core
	config atomic.Pointer[journal.Config] // see [Writer.SetJournalConfig]
	watch  bool                           // enables notification of edited files
	opened map[string]*journal.Journal    // by agent; guarded by the core's lock
}

// New returns the journals of a data folder. cfg is the first configuration.
func New(c *write.Core, cfg journal.Config, watch bool) *Writer {
	w := &Writer{Core: c, watch: watch, opened: map[string]*journal.Journal{}}
	w.config.Store(&cfg)
	return w
}

// CloseAll closes the open journals. The core must have been stopped before.
func (w *Writer) CloseAll() {
	for _, j := range w.opened {
		_ = j.Close()
	}
}
