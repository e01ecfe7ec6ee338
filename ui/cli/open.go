package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
)

// open is an open memory with what belongs to it.
type open struct {
	settings
	manager *manager.Manager
	group   *memory.Group // that settings.agent is; nil when it is an agent
	members []chat.Agent  // of the group
	prompts *chat.Prompts
	logger  *slog.Logger
	quiet   *atomic.Bool // nothing is logged
	closers []func() error
}

// Close closes everything, the last opened first.
func (o *open) Close() error {
	var errs []error
	for i := len(o.closers) - 1; i >= 0; i-- {
		errs = append(errs, o.closers[i]())
	}
	return errors.Join(errs...)
}

// open reads the configuration and opens the memory.
func (p *Program) open(ctx context.Context) (_ *open, err error) {
	s, err := p.settings()
	if err != nil {
		return nil, err
	}
	if err := p.mayName(s); err != nil {
		return nil, err
	}
	o := &open{settings: s, quiet: &atomic.Bool{}}
	defer func() {
		if err != nil {
			_ = o.Close()
		}
	}()
	logger, closeLog := p.openLog(s.log)
	o.quiet.Store(p.temporary)
	logger = slog.New(&quietHandler{Handler: logger.Handler(), quiet: o.quiet})
	o.logger = logger
	o.closers = append(o.closers, closeLog)
	if o.prompts, err = chat.LoadPrompts(filepath.Join(filepath.Dir(s.config), "prompts")); err != nil {
		p.say("memoria: %s", err) // the built-in text stands in
	}
	options := manager.Options{
		Dir: s.data, Version: p.Version, Config: s.cfg.Memory, Now: p.Now, Logger: logger, NoSync: p.demo.on,
		Backup: s.cfg.Backup, Agents: given(s), Journal: s.cfg.Journal, WatchFiles: true,
	}
	options.Migrating = func() {
		p.say("memoria: the memory is brought to the layout of this version; a copy of it as it is goes to the backups first")
	}
	options.Vectors = s.cfg.Embedding.VectorConfig
	if options.Embedder, err = p.embedder(o); err != nil {
		return nil, err
	}
	if p.demo.on {
		options.Backup = manager.BackupConfig{}
	}
	o.manager, err = manager.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	o.closers = append(o.closers, o.manager.Close, func() error { return p.backUp(ctx, o) })
	if err := p.chooseAgent(ctx, o); err != nil {
		return nil, err
	}
	return o, o.manager.Recall().Load(o.agent.ID)
}

// commandBackup is how long a command makes the backup that is due, after its answer (K3).
const commandBackup = 1500 * time.Millisecond

// commandJournal is how long a command copies messages into the journal, after its answer.
const commandJournal = time.Second

// backUp makes the backup that is due, or says that one is. The command has done its work:
// its exit code is its own.
func (p *Program) backUp(ctx context.Context, o *open) error {
	if ctx.Err() != nil || p.temporary {
		return nil
	}
	o.manager.SettleJournals(ctx, commandJournal)
	due, err := o.manager.BackupIfDue(ctx, commandBackup)
	switch {
	case err != nil:
		o.logger.Warn("the backup that is due was not made", "error", err)
		p.say("memoria: the backup that is due could not be made: %v", err)
	case due && ctx.Err() == nil:
		p.say("memoria: a backup is due; to make it: memoria backup now")
	}
	return nil
}

// tellDamage says that records cannot be read, and so may be missing in what follows (K5).
func (p *Program) tellDamage(o *open) {
	if n := o.manager.Unreadable(); n > 0 {
		p.say("memoria: %s cannot be read and may be missing here: memoria doctor", many(n, "record", "records"))
	}
}

// with opens the memory for one command. Before it begins, what an earlier
// process left unfinished or to analyse is finished, so that it sees the memory as it should
// be; --no-memory leaves it for later.
func (p *Program) with(ctx context.Context, do func(*open) error) (err error) {
	o, err := p.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	if _, err := o.manager.Recover(ctx, o.agent.ID); err != nil {
		return err
	}
	p.tellDamage(o)
	if !p.noMemory {
		for _, id := range o.rememberers() {
			if err := o.manager.Learn(ctx, id, nil); err != nil && ctx.Err() == nil {
				p.say("memoria: a turn could not be analysed: %s", err)
			}
		}
	}
	return do(o)
}

// quietHandler writes nothing while a conversation is open of which nothing is kept
// (U5).
type quietHandler struct {
	slog.Handler
	quiet *atomic.Bool
}

func (h *quietHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return !h.quiet.Load() && h.Handler.Enabled(ctx, l)
}

func (h *quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithAttrs(attrs), quiet: h.quiet}
}

func (h *quietHandler) WithGroup(name string) slog.Handler {
	return &quietHandler{Handler: h.Handler.WithGroup(name), quiet: h.quiet}
}

// maxLog is the size at which the log is begun anew, in bytes; one older log is
// kept.
const maxLog = 4 << 20

// openLog opens the log file. A log that cannot be written is no reason not to
// run.
func (p *Program) openLog(path string) (*slog.Logger, func() error) {
	level := slog.LevelInfo
	if p.debug {
		level = slog.LevelDebug
	}
	nowhere := slog.New(slog.DiscardHandler)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nowhere, func() error { return nil }
	}
	if st, err := os.Stat(path); err == nil && st.Size() > maxLog {
		_ = os.Rename(path, path+".1")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nowhere, func() error { return nil }
	}
	return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: level})), f.Close
}
