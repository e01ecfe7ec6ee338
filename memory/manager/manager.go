package manager

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"memoria/index"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/indexer"
	"memoria/memory/instruct"
	"memoria/memory/journal"
	"memoria/memory/lookup"
	"memoria/memory/policy"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// Errors for callers to branch on.
var (
	// ErrGone reports that a deletion is final and cannot be undone.
	ErrGone = errors.New("it is deleted for good")
	// ErrChanged reports that an item differs from the version shown to the user.
	ErrChanged = errors.New("it has changed since it was shown")
	// ErrOrphaned reports that a message cannot be restored because its session was
	// deleted too.
	ErrOrphaned = store.ErrOrphaned
	// ErrFinal reports that a change cannot be undone; the message says why.
	ErrFinal = errors.New("it cannot be undone")
)

// DeletionUndoTime is how long a deletion can be undone (D2).
const DeletionUndoTime = 10 * time.Second

// Options configures [Open].
type Options struct {
	// Dir is the data folder. It is created if missing, accessible only to its owner
	// (D4).
	Dir    string
	Config Config
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
	vault      *vault.Vault
	store      *store.Store // of the vault
	recall     *recall.Reader
	lookup     *lookup.Reader
	readOnly   bool // see Options
	now        func() time.Time
	log        *slog.Logger
	ids        *memory.IDs
	decider    policy.Decider                 // nil means the policy
	live       atomic.Pointer[settings]       // see [Manager.SetConfig]
	journals   atomic.Pointer[journal.Config] // see [Manager.SetJournalConfig]
	watchFiles bool

	given map[string]lookup.Given

	mu       sync.Mutex
	agents   map[string]*agent
	watchers map[chan struct{}]bool
	purge    *time.Timer
	closed   bool
	tasks    sync.WaitGroup // Close waits for them

	restoreLog func() // restores the global log

	life context.Context // until Close begins
	end  context.CancelFunc
}

// agent is the in-memory state of one agent.
type agent struct {
	id string
	// write is held from the beginning of a transaction until the hot set has applied it,
	// so that both see the same order of writes (I4).
	write     sync.Mutex
	noHearers bool             // not a group; guarded by write
	journal   *journal.Journal // nil until needed; guarded by mu of the manager
	unkept    atomic.Bool      // sessions may be pending erasure (A1)
	deleted   bool             // written under write and mu of the manager

	guessing sync.Mutex
	guessed  guessedInstruction // the last examined message; guarded by guessing
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
	life, end := context.WithCancel(context.Background())
	m := &Manager{
		life: life, end: end, readOnly: o.ReadOnly, now: o.Now, log: o.Logger, ids: o.IDs, decider: o.Decider,
		given: o.Agents, agents: map[string]*agent{}, watchers: map[chan struct{}]bool{},
	}
	var err error
	m.vault, err = vault.Open(ctx, vault.Options{
		Dir: o.Dir, Config: o.Backup, Now: o.Now, Logger: o.Logger, IDs: o.IDs, LockTimeout: o.LockTimeout, ReadOnly: o.ReadOnly,
		NoSync: o.NoSync, Migrating: o.Migrating, Version: o.Version, UndoTime: DeletionUndoTime, Changed: m.changed,
	})
	if err != nil {
		end()
		return nil, err
	}
	m.store = m.vault.Store()
	m.put(o.Config)
	m.recall = recall.Open(recall.Options{
		Store: m.store, Dir: o.Dir, IndexDir: filepath.Join(o.Dir, vault.IndexFolder), Now: o.Now, Logger: o.Logger,
		Config: func() recall.Config { return m.cfg().Recall }, Notify: m.changed, ReadOnly: o.ReadOnly,
		Names: lookup.NamesOf(o.Agents), Embedder: o.Embedder, Vectors: o.Vectors,
		Embeds: func(it memory.Item) bool { return m.decide().ShouldEmbed(it).Yes },
	})
	m.lookup = lookup.New(lookup.Options{Vault: m.vault, Recall: m.recall, Now: o.Now, Agents: o.Agents})
	m.watchFiles = o.WatchFiles
	m.journals.Store(&o.Journal)
	m.restoreLog = index.RedirectLog(o.Logger)
	if m.store.DB().ReadOnly() { // nothing is seen to
		return m, nil
	}
	if err := m.purgeBefore(life, m.now().Add(-DeletionUndoTime)); err != nil {
		m.log.Warn("old deletions were not finished", "error", err)
	}
	m.schedulePurge(0)
	m.removeLeft()
	m.removeJournals()
	m.removeOrphans()
	m.tasks.Go(m.forgetPeriodically)
	return m, nil
}

// Close flushes what is derived and closes the files.
func (m *Manager) Close() error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil
	}
	m.closed = true
	agents := m.agents
	m.agents = nil
	if m.purge != nil {
		m.purge.Stop()
	}
	m.mu.Unlock()
	m.end()
	m.vault.Stop()
	defer m.restoreLog()
	for _, a := range agents {
		if a.journal != nil {
			_ = a.journal.Close()
		}
	}
	for _, id := range m.recall.Close() {
		m.dropEmpty(id)
	}
	m.tasks.Wait()
	if err := indexer.Trim(m.store, journal.MarkPrefix); err != nil {
		m.log.Warn("change feed was not trimmed", "error", err)
	}
	return m.vault.Close()
}

// Vault returns the data folder: its files, backups and the health of its disk.
func (m *Manager) Vault() *vault.Vault { return m.vault }

// begin adds a background task that Close waits for; false when the memory is
// being closed. The caller calls m.tasks.Done.
func (m *Manager) begin() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.tasks.Add(1)
	return true
}

// Recall returns the reader of the memory, for a turn and for a person.
func (m *Manager) Recall() *recall.Reader { return m.recall }

// Lookup returns the reader of what is stored.
func (m *Manager) Lookup() *lookup.Reader { return m.lookup }

// agent returns an agent, and starts loading it on first use. The errors are those of
// [recall.Reader.Load].
func (m *Manager) agent(id string) (*agent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, recall.ErrClosed
	}
	if a := m.agents[id]; a != nil {
		return a, nil
	}
	if err := m.recall.Load(id); err != nil {
		return nil, err
	}
	a := &agent{id: id}
	a.unkept.Store(true) // possibly from an earlier run
	m.agents[id] = a
	return a, nil
}

// WarmRules loads the rules and their models, which the first message would otherwise
// wait for. It may take a second; call it in the background.
func (m *Manager) WarmRules() {
	const plain = "I moved here last year." // teaches something and is not an instruction
	_ = guard.Do(m.log, "reading the rules", func() error {
		m.policy().Sentences(plain)
		instruct.Possible(plain, nil)
		return nil
	})
}

// Watch returns a channel that receives after items, messages or the state of an index
// have changed since the last receive, and a function that stops it.
func (m *Manager) Watch() (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	m.mu.Lock()
	m.watchers[ch] = true
	m.mu.Unlock()
	return ch, func() {
		m.mu.Lock()
		delete(m.watchers, ch)
		m.mu.Unlock()
	}
}

// changed notifies all watchers. Followers call it, so it must wait for nothing but m.mu.
func (m *Manager) changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for ch := range m.watchers {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

// view runs a read transaction of the store. If ctx is done it starts none and returns
// the cause. A started one is finished.
func (m *Manager) view(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return m.store.View(fn)
}

// change runs a durable transaction of the store. If ctx is done before the write lock is
// free, it writes nothing and returns the cause. A started one is finished.
func (m *Manager) change(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return m.vault.Update(func(tx *store.Tx) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// update is change for an agent. Afterwards it informs the hot set and the watchers about
// the touched items.
func (m *Manager) update(ctx context.Context, a *agent, fn func(*tx) error) error {
	touched, err := m.write(ctx, a, fn)
	if touched {
		m.changed()
	}
	return err
}

func (m *Manager) write(ctx context.Context, a *agent, fn func(*tx) error) (touched bool, err error) {
	t, unlock, err := m.lock(ctx, a)
	if err != nil {
		return false, err
	}
	defer unlock()
	err = m.change(ctx, func(stx *store.Tx) error {
		t.begin(stx)
		if err := fn(t); err != nil {
			return err
		}
		return t.eachOwner((*tx).followItems)
	})
	if err != nil {
		return false, err
	}
	_ = t.eachOwner(func(t *tx) error {
		if len(t.touched) > 0 || t.profiled || t.moved {
			touched = true
			m.recall.Touched(t.a.id, t.touched)
		}
		return nil
	})
	return touched, nil
}

// tx is a transaction of one agent, or of a group and its hearers, that records its
// changes.
type tx struct {
	*store.Tx
	m       *Manager
	a       *agent
	touched []recall.HeadChange
	// news are items whose profile line must be updated. profiled reports a new version
	// of the profile. moved reports removed or restored messages, which views may quote.
	news     []itemNews
	profiled bool
	moved    bool
	// hearers are set for a group: the transactions of all who heard something in it.
	// Only its members still listen. group is set for a hearer: the id of its group.
	hearers []*tx
	group   string
}

func (t *tx) newID() string { return t.m.ids.New(t.Now()) }

// put writes an item and its change, which gets an id if it has none. The profile is
// updated at the end of the write.
func (t *tx) put(it memory.Item, c memory.Change) error {
	c.Time = t.Now()
	if c.ID == "" {
		c.ID = t.newID()
	}
	if err := t.PutItem(it, c.ID, c); err != nil {
		return err
	}
	t.touched = append(t.touched, recall.HeadChange{ID: it.ID, Head: store.HeadOf(it)})
	t.noteProfileNews(it.ID, c)
	return nil
}
