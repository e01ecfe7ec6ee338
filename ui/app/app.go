package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/memory/manager/write"
	"memoria/memory/vault"
)

// App is an open memory with the configuration, the agent, the prompts and the log.
type App struct {
	Setup
	Memory  *manager.Manager
	Joined  bool          // another run of the process opened the memory
	Group   *memory.Group // when the conversation is with a group
	Members []chat.Agent  // of Group
	Prompts *chat.Prompts
	Logger  *slog.Logger

	options  *Options
	settings *Settings     // nil until there is a session
	hushed   bool          // see hush
	own      *write.Config // of a run that is configured otherwise than the memory; nil: none
	closers  []func() error
}

// Open reads the configuration and opens the log, the prompts and the memory, in this
// order, and finds the agent. o must not be changed before Close.
func Open(ctx context.Context, o *Options) (_ *App, err error) {
	s, err := o.Setup()
	if err != nil {
		return nil, err
	}
	if err := o.checkName(s); err != nil {
		return nil, err
	}
	if o.Shared == nil {
		o.Shared = &Shared{}
	}
	a := &App{Setup: s, options: o}
	defer func() {
		if err != nil {
			_ = a.Close()
		}
	}()
	logger, closeLog := openLog(s.LogPath, o.Debug)
	a.closers = append(a.closers, closeLog)
	a.hush(o.Temporary)
	a.closers = append(a.closers, func() error {
		a.hush(false)
		return nil
	})
	a.Logger = slog.New(&quietHandler{Handler: logger.Handler(), quiet: &o.Shared.quiet})
	if a.Prompts, err = chat.LoadPrompts(filepath.Join(filepath.Dir(s.Path), "prompts")); err != nil {
		o.Notify("memoria: %s", err) // the built-in text is used
	}
	options := manager.Options{
		Dir: s.DataDir, Version: o.Version, Config: s.Config.Memory, Now: o.Now, Logger: a.Logger, NoSync: o.Demo,
		Backup: s.Config.Backup, Agents: s.givenAgents(), Journal: s.Config.Journal, WatchFiles: true,
		Migrating: func() {
			o.Notify("memoria: the memory is brought to the layout of this version; a copy of it as it is goes to the backups first")
		},
		Vectors: s.Config.Embedding.VectorConfig,
	}
	if o.Demo {
		options.Backup = vault.Config{}
	}
	if err := a.openMemory(ctx, options); err != nil {
		return nil, err
	}
	if o.Began != nil {
		o.Began()
	}
	if err := a.chooseAgent(ctx); err != nil {
		return nil, err
	}
	return a, a.Memory.Recall().Load(a.Agent.ID)
}

// Peek opens an existing memory for reading, for shell completion. It creates and logs
// nothing, and waits no longer than wait for another process. ok is false when there is
// no memory or it cannot be opened.
func (o *Options) Peek(ctx context.Context, wait time.Duration) (_ *App, ok bool) {
	s, err := o.Setup()
	if err != nil || o.Demo || !hasMemory(s.DataDir) {
		return nil, false
	}
	if o.Shared != nil {
		if m := o.Shared.use(s.DataDir); m != nil {
			return &App{Setup: s, Memory: m, options: o}, true
		}
	}
	m, err := manager.Open(ctx, manager.Options{
		Dir: s.DataDir, Version: o.Version, Config: s.Config.Memory, Now: o.Now, Logger: slog.New(slog.DiscardHandler), LockTimeout: wait,
		Agents: s.givenAgents(), ReadOnly: true,
	})
	if err != nil {
		return nil, false
	}
	return &App{Setup: s, Memory: m, options: o, closers: []func() error{m.Close}}, true
}

// hasMemory reports whether a data folder has a memory.
func hasMemory(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "memoria.db"))
	return !errors.Is(err, os.ErrNotExist)
}

// Close closes everything, the last opened first.
func (a *App) Close() error {
	var errs []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		errs = append(errs, a.closers[i]())
	}
	return errors.Join(errs...)
}

const (
	// backupTime bounds how long Close makes the backup that is due (K3).
	backupTime = 1500 * time.Millisecond
	// journalTime bounds how long Close copies messages into the journal.
	journalTime = time.Second
	// eraseTime bounds how long Close removes deleted data from files. The rest is left to
	// the next start.
	eraseTime = 2 * time.Second
)

// backUp makes the backup that is due, or says that one is. Its failure is reported and
// is not an error of the run.
func (a *App) backUp(ctx context.Context) error {
	if ctx.Err() != nil || a.options.Temporary {
		return nil
	}
	a.Memory.Journals().SettleJournals(ctx, journalTime)
	limited, cancel := context.WithTimeout(ctx, eraseTime)
	if err := a.Memory.Trash().Erase(limited); err != nil && limited.Err() == nil {
		a.Logger.Warn("deleted data is not yet removed from all files", "error", err)
	}
	cancel()
	due, err := a.Memory.Vault().BackupIfDue(ctx, backupTime)
	switch {
	case err != nil:
		a.Logger.Warn("the backup that is due was not made", "error", err)
		a.options.Notify("memoria: the backup that is due could not be made: %v", err)
	case due && ctx.Err() == nil:
		a.options.Notify("memoria: a backup is due; to make it: memoria backup now")
	}
	return nil
}
