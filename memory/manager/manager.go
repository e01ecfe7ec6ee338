package manager

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/indexer"
	"memoria/memory/instruct"
	"memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/manager/agents"
	"memoria/memory/manager/files"
	"memoria/memory/manager/imported"
	"memoria/memory/manager/importer"
	"memoria/memory/manager/journals"
	"memoria/memory/manager/learning"
	"memoria/memory/manager/profiles"
	"memoria/memory/manager/trash"
	"memoria/memory/manager/write"
	"memoria/memory/policy"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// Errors for callers to branch on.
var (
	// ErrOrphaned reports that a message cannot be restored because its session was
	// deleted too.
	ErrOrphaned = store.ErrOrphaned
)

// Options configures [Open].
type Options struct {
	// Dir is the data folder. It is created if missing, accessible only to its owner
	// (D4).
	Dir    string
	Config write.Config
	Now    func() time.Time
	// Logger receives log records, and until Close also those that libraries write
	// through the standard library's global log. It must not write there itself. nil
	// discards them.
	Logger *slog.Logger
	// IDs creates ids; nil means a new source.
	IDs *memory.IDs
	// LockTimeout is how long to wait for another process; 0 means the default.
	LockTimeout time.Duration
	// ReadOnly opens an existing memory without changing its files: nothing is migrated,
	// and every write fails with [vault.ErrUnwritable].
	ReadOnly bool
	// NoSync does not wait for the disk; for disposable memories.
	NoSync bool
	// Migrating is called before an older store is copied and migrated, which may take
	// seconds; it may be nil.
	Migrating func()
	// Version is the program's version, stored for programs too old to read the store.
	Version string
	// Decider makes the five decisions of policy (P1); nil means the rules with Config.
	// Admission is always decided by the rules.
	Decider policy.Decider
	// Backup configures automatic backups; the zero value disables them.
	Backup vault.Config
	// Journal configures journals; the zero value disables them. WatchFiles enables
	// notification of edited files.
	Journal    journal.Config
	WatchFiles bool
	// Agents are the configured agents by id. The configuration is never written.
	Agents map[string]lookup.Given
	// Embedder creates vectors of items and messages; nil disables them, with no
	// requests.
	Embedder indexer.Embedder
	// Vectors configures their use in retrieval; it needs an Embedder.
	Vectors recall.VectorConfig
}

// Manager is the memory of one data folder.
type Manager struct {
	*write.Core
	agents   *agents.Writer
	files    *files.Files
	importer *importer.Writer
	journals *journals.Writer
	learning *learning.Writer
	profiles *profiles.Writer
	trash    *trash.Writer
	// Held are the turns of the open conversations.
	Held HeldTurns

	restoreLog func() // restores the global log
}

// Open opens the memory in o.Dir or makes it. When another process has it, the
// error is a [*vault.LockedError] that names the process; when the store is damaged or
// missing, a [*vault.LostError] that names the backup to restore. A damaged store is
// never overwritten.
func Open(ctx context.Context, o Options) (*Manager, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.IDs == nil {
		o.IDs = memory.NewIDs(nil)
	}
	if err := o.Config.Validate(); err != nil {
		return nil, fmt.Errorf("memory settings: %w", err)
	}
	if o.Journal.Enabled {
		if err := o.Journal.Validate(); err != nil {
			return nil, fmt.Errorf("journal settings: %w", err)
		}
	}
	if o.Embedder != nil {
		if err := o.Vectors.Validate(); err != nil {
			return nil, fmt.Errorf("embedding settings: %w", err)
		}
	}
	core, err := write.Open(ctx, write.Options{
		Vault: vault.Options{
			Dir: o.Dir, Config: o.Backup, Now: o.Now, Logger: o.Logger, IDs: o.IDs, LockTimeout: o.LockTimeout, ReadOnly: o.ReadOnly,
			NoSync: o.NoSync, Migrating: o.Migrating, Version: o.Version, UndoTime: write.DeletionUndoTime,
		},
		Config: o.Config, Decider: o.Decider, Agents: o.Agents, Embedder: o.Embedder, Vectors: o.Vectors,
	})
	if err != nil {
		return nil, err
	}
	m := &Manager{
		Core: core, agents: agents.New(core, o.Agents), files: files.New(core), learning: learning.New(core), profiles: profiles.New(core),
		journals: journals.New(core, o.Journal, o.WatchFiles && !o.ReadOnly),
	}
	m.trash = trash.New(core, m.files, m.journals)
	m.importer = importer.New(core, m.files)
	m.Follow, m.Core.EraseUnkept = profiles.Follow, m.eraseUnkept
	m.restoreLog = index.RedirectLog(o.Logger)
	if m.Store.DB().ReadOnly() {
		return m, nil
	}
	if err := m.trash.Resume(); err != nil {
		m.Log.Warn("old deletions were not finished", "error", err)
	}
	m.files.RemoveLeft()
	m.journals.RemoveGone()
	m.files.RemoveOrphans()
	m.Tasks.Go(m.learning.ForgetPeriodically)
	return m, nil
}

// Close flushes what is derived and closes the files.
func (m *Manager) Close() error {
	if !m.Stop() {
		return nil
	}
	m.trash.StopTimers()
	defer m.restoreLog()
	m.journals.CloseAll()
	for _, id := range m.Recall().Close() {
		m.files.DropEmpty(id)
	}
	m.Tasks.Wait()
	if err := indexer.Trim(m.Store, journal.MarkPrefix); err != nil {
		m.Log.Warn("change feed was not trimmed", "error", err)
	}
	return m.Vault().Close()
}

// Learning returns the writer of items.
func (m *Manager) Learning() *learning.Writer { return m.learning }

// Imported returns the writer of what imported sessions teach.
func (m *Manager) Imported() *imported.Writer { return imported.New(m.learning) }

// Importer returns the writer of conversations from other programs.
func (m *Manager) Importer() *importer.Writer { return m.importer }

// Profiles returns the writer of profiles.
func (m *Manager) Profiles() *profiles.Writer { return m.profiles }

// Trash returns the writer that destroys deleted data.
func (m *Manager) Trash() *trash.Writer { return m.trash }

// Agents returns the writer of agents' descriptions.
func (m *Manager) Agents() *agents.Writer { return m.agents }

// Journals returns the journals of the agents.
func (m *Manager) Journals() *journals.Writer { return m.journals }

// CompactIndex rebuilds the indexes of an agent in new files, so that no byte of deleted
// content is left in them, and waits until they are ready. It returns their size on disk
// before and after. An archive index that does not exist is not built. When ctx ends, the
// work continues in the background.
func (m *Manager) CompactIndex(ctx context.Context, agentID string) (before, after int64, err error) {
	before, after, err = m.Recall().Compact(ctx, agentID)
	if err == nil {
		err = m.journals.Compact(ctx, agentID)
	}
	if err != nil {
		return before, 0, fmt.Errorf("compacting the index: %w", err)
	}
	return before, after, nil
}

// WarmRules loads the rules and their models, which the first message would otherwise
// wait for. It may take a second; call it in the background.
func (m *Manager) WarmRules() {
	const plain = "I moved here last year." // teaches something and is not an instruction
	_ = guard.Do(m.Log, "reading the rules", func() error {
		m.Policy().Sentences(plain)
		instruct.Possible(plain, nil)
		return nil
	})
}

// ErrGone reports that a deletion is final and cannot be undone.
var ErrGone = errors.New("it is deleted for good")
