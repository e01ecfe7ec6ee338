package app

import (
	"context"
	"log/slog"
	"os"
	"reflect"
	"sync"
	"sync/atomic"

	"memoria/chat"
	"memoria/memory/manager"
	"memoria/memory/recall"
	"memoria/ui/config"
)

// Shared lets several runs of one process use one memory. The run that opens the memory owns
// it: it closes it at its end, after the others have ended. A run shares neither its
// configuration of the model nor its keys, conversations and streams.
type Shared struct {
	// Opened is called when a run has opened the memory of a data folder. It returns what the
	// owner calls before it closes the memory; afterwards no other run may use it. notify is
	// [Options].Notify of the run.
	Opened func(dir string, log *slog.Logger, notify func(format string, args ...any)) (closing func())

	turns chat.Shared
	quiet atomic.Int32 // temporary conversations: no logger of the process writes

	mu     sync.Mutex
	memory *manager.Manager // nil: none is open
	config config.Config    // of the owner
}

// use returns the open memory of a data folder; nil if this run has to open it.
func (s *Shared) use(dir string) *manager.Manager {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory == nil {
		return nil
	}
	mine, err := os.Stat(dir)
	open, openErr := os.Stat(s.memory.Vault().Dir())
	if err != nil || openErr != nil || !os.SameFile(mine, open) {
		return nil
	}
	return s.memory
}

// own makes the memory that a run has opened that of the process.
func (s *Shared) own(a *App) {
	if a.options.Demo {
		return
	}
	s.mu.Lock()
	if s.memory != nil { // of another data folder
		s.mu.Unlock()
		return
	}
	s.memory, s.config = a.Memory, a.Config
	s.mu.Unlock()
	closing := func() {}
	if s.Opened != nil {
		closing = s.Opened(a.DataDir, a.Logger, a.options.Notify)
	}
	a.closers = append(a.closers, func() error {
		closing()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.memory = nil
		return nil
	})
}

// differs reports whether a run is configured to use the memory otherwise than its owner.
func (s *Shared) differs(c config.Config) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !reflect.DeepEqual(
		[]any{c.Journal, c.Backup, c.Embedding.VectorConfig, c.Embedding.EmbedConfig},
		[]any{s.config.Journal, s.config.Backup, s.config.Embedding.VectorConfig, s.config.Embedding.EmbedConfig})
}

// openMemory opens the memory, or uses that of the process.
func (a *App) openMemory(ctx context.Context, o manager.Options) (err error) {
	shared := a.options.Shared
	if a.Memory = shared.use(a.DataDir); a.Memory != nil {
		if shared.differs(a.Config) {
			a.options.Notify("memoria: another memoria has this memory open; its settings of [embedding], [journal] and [backup] " +
				"are in force")
		}
		a.Joined = true
		if own := a.Config.Memory; !reflect.DeepEqual(own, a.Memory.Config()) {
			a.own = &own
		}
		return nil
	}
	if o.Embedder, err = a.embedder(); err != nil {
		return err
	}
	if a.Memory, err = manager.Open(ctx, o); err != nil {
		return err
	}
	a.closers = append(a.closers, a.Memory.Close, func() error { return a.backUp(ctx) })
	shared.own(a)
	return nil
}

// Scoped returns a context in which this run's own settings of recall hold.
func (a *App) Scoped(ctx context.Context) context.Context {
	if a.own == nil {
		return ctx
	}
	return recall.WithConfig(ctx, a.own.Recall)
}

// hush silences the loggers of the process while this run has a temporary conversation (U5).
func (a *App) hush(on bool) {
	if a.hushed == on {
		return
	}
	a.hushed = on
	if on {
		a.options.Shared.quiet.Add(1)
	} else {
		a.options.Shared.quiet.Add(-1)
	}
}
