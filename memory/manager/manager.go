package manager

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"memoria/index"
	"memoria/kv"
	"memoria/memory"
	"memoria/memory/guard"
	"memoria/memory/indexer"
	"memoria/memory/instruct"
	"memoria/memory/journal"
	"memoria/memory/policy"
	"memoria/memory/recall"
	"memoria/memory/store"
)

// Errors that a caller may branch on.
var (
	// ErrNotFound: there is nothing under this id.
	ErrNotFound = store.ErrNotFound
	// ErrAmbiguous: the beginning of an id fits several.
	ErrAmbiguous = errors.New("several ids begin like this")
	// ErrGone: the deletion was carried out and cannot be taken back.
	ErrGone = errors.New("it is deleted for good")
	// ErrChanged: a memory is not any more what the user was shown.
	ErrChanged = errors.New("it is not what was shown any more")
	// ErrOrphaned: a message cannot come back, because its session was deleted too.
	ErrOrphaned = store.ErrOrphaned
	// ErrFinal: a change cannot be taken back any more; the message says why.
	ErrFinal = errors.New("it cannot be taken back")
	// ErrInvalid: what was given cannot be stored; the message says why.
	ErrInvalid = memory.ErrInvalid
)

// TakeBackTime is how long a deletion can be taken back (D2).
const TakeBackTime = 10 * time.Second

// Options says where memory lies and what it may use.
type Options struct {
	// Dir is the data folder; it is made when missing, for its owner alone (D4).
	Dir    string
	Config Config
	Now    func() time.Time
	// Logger also gets, until Close, what libraries write through the global log
	// of the standard library; so it must not write there. nil logs nothing.
	Logger *slog.Logger
	// IDs makes new ids; nil means a fresh source.
	IDs *memory.IDs
	// LockTimeout is how long to wait for another process; 0 means the default.
	LockTimeout time.Duration
	// ReadOnly opens a memory that is there and leaves its files as they are: nothing is
	// migrated, and every write is refused with [ErrUnwritable].
	ReadOnly bool
	// NoSync is for a memory that is thrown away: nothing waits for the disk.
	NoSync bool
	// Migrating is called before a store of an older layout is copied and rewritten, which
	// may take seconds; nil: nobody is told.
	Migrating func()
	// Version is the program's, which a store names to programs too old to read it.
	Version string
	// Decider makes the five decisions of policy (P1); nil means the rules with
	// Config. Whether something is admitted at all is decided by the rules always.
	Decider policy.Decider
	// Backup says which automatic backups are kept; the zero value makes none.
	Backup BackupConfig
	// Journal says how journals are kept; the zero value keeps none. WatchFiles has the
	// system tell of edited files.
	Journal    journal.Config
	WatchFiles bool
	// Agents are those that the configuration names, by id; nobody writes to it.
	Agents map[string]Given
	// Embedder makes vectors of items and messages; nil means that there are none,
	// and that nothing is asked of anybody for them.
	Embedder indexer.Embedder
	// Vectors says how they take part in retrieval; it counts with an Embedder alone.
	Vectors recall.VectorConfig
}

// Manager is the memory of one data folder.
type Manager struct {
	store      *store.Store
	recall     *recall.Reader
	dir        string
	readOnly   bool // see Options
	now        func() time.Time
	log        *slog.Logger
	ids        *memory.IDs
	decider    policy.Decider                 // nil: the policy
	force      atomic.Pointer[settings]       // see [Manager.SetConfig]
	journals   atomic.Pointer[journal.Config] // see [Manager.SetJournalConfig]
	watchFiles bool

	given map[string]Given

	mu       sync.Mutex
	agents   map[string]*agent
	watchers map[chan struct{}]bool
	purge    *time.Timer
	wiping   wiping
	closed   bool
	tasks    sync.WaitGroup // what Close waits for

	restoreLog func() // gives the global log back

	life    context.Context // until Close begins
	end     context.CancelFunc
	damage  string // what cannot be read of the store, in words; empty when nothing; guarded by mu
	storage storage
	keeper  keeper
}

// agent is an agent that is in use.
type agent struct {
	id string
	// write is held from the beginning of a transaction until the hot set has
	// taken over what it wrote, so that both see the same order of writes (I4).
	write   sync.Mutex
	lonely  bool             // it is no group; guarded by write
	journal *journal.Journal // nil until it is needed; mu of the manager guards it
	unkept  atomic.Bool      // sessions may wait to be erased (A1)
	left    bool             // it was deleted; written under write and mu of the manager

	guessing sync.Mutex
	guessed  understood // the last message that was looked at; guarded by guessing
}

// Open opens the memory in o.Dir or makes it. When another process has it, the
// error is a *kv.LockedError that names the process; when the store is damaged or
// missing, a *LostError that names the backup to restore. A damaged store is
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
	if err := o.Backup.Validate(); err != nil {
		return nil, fmt.Errorf("backup settings: %w", err)
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
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the data folder: %w", kv.Refusal(err))
	}
	st, damage, err := openStore(ctx, o)
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	m := &Manager{
		life: life, end: end, damage: damage, keeper: keeper{cfg: o.Backup},
		store: st, dir: o.Dir, readOnly: o.ReadOnly, now: o.Now, log: o.Logger, ids: o.IDs, decider: o.Decider,
		given: o.Agents, agents: map[string]*agent{}, watchers: map[chan struct{}]bool{},
	}
	m.put(o.Config)
	m.recall = recall.Open(recall.Options{
		Store: st, Dir: o.Dir, Now: o.Now, Logger: o.Logger, Config: func() recall.Config { return m.cfg().Recall },
		Notify: m.changed, ReadOnly: o.ReadOnly, Names: namesOf(o.Agents), Embedder: o.Embedder, Vectors: o.Vectors,
		Embeds: func(it memory.Item) bool { return m.decide().ShouldEmbed(it).Yes },
	})
	m.watchFiles = o.WatchFiles
	m.journals.Store(&o.Journal)
	m.restoreLog = index.RedirectLog(o.Logger)
	if st.DB().ReadOnly() { // nothing is seen to
		_ = m.noteWrite(fmt.Errorf("%w: the data folder can only be read", ErrUnwritable))
		return m, nil
	}
	if err := m.purgeBefore(life, m.now().Add(-TakeBackTime)); err != nil {
		m.log.Warn("old deletions were not finished", "error", err)
	}
	m.schedulePurge(0)
	m.removeLeft()
	m.removeJournals()
	m.removeOrphans()
	if !st.DB().WasClean() {
		m.planWipe() // whoever died may have had it to do
	}
	if err := m.removeHalves(); err != nil {
		m.log.Warn("what is left of a backup cannot be removed", "error", err)
	}
	m.planBackups(backupWait)
	m.tasks.Go(m.forgetNowAndThen)
	return m, nil
}

// openStore opens the store and returns what of it cannot be read, in words.
func openStore(ctx context.Context, o Options) (st *store.Store, damage string, err error) {
	so := store.Options{
		Path: filepath.Join(o.Dir, storeName), Now: o.Now, Logger: o.Logger, LockTimeout: o.LockTimeout, NoSync: o.NoSync, ReadOnly: o.ReadOnly,
		Program: o.Version, MigrationCopy: func(uint64) string {
			if o.Migrating != nil {
				o.Migrating()
			}
			return backupPath(o.Dir, o.Now(), BackupMigration, false)
		},
	}
	if _, err = look(o.Dir); err == nil {
		st, err = store.Open(so)
	}
	if err != nil {
		return nil, "", lost(ctx, o.Dir, err)
	}
	if found := st.DB().Unreadable(); found != nil { // the others can be read, and no wrong one is shown
		err := judge(found)
		o.Logger.Error("records of the store cannot be read", "error", err)
		damage = err.Error()
	}
	return st, damage, nil
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
	m.endBackups()
	m.endStorage()
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
	m.wipeAtTheEnd()
	if err := m.store.Close(); err != nil {
		return fmt.Errorf("closing the memory store: %w", err)
	}
	return nil
}

// Unreadable is how many records of the store, of whatever kind and agent, could not be
// read when it was opened (K5).
func (m *Manager) Unreadable() int {
	if found := m.store.DB().Unreadable(); found != nil {
		return found.Total
	}
	return 0
}

// noteDamage remembers what of the store cannot be read.
func (m *Manager) noteDamage(err error) {
	m.mu.Lock()
	m.damage = err.Error()
	m.mu.Unlock()
	m.log.Error("records of the store cannot be read", "error", err)
}

// Dir is the data folder.
func (m *Manager) Dir() string { return m.dir }

// Recall reads the memory, for a turn and for a person.
func (m *Manager) Recall() *recall.Reader { return m.recall }

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
	a.unkept.Store(true) // an earlier run may have left some
	m.agents[id] = a
	return a, nil
}

// WarmRules reads the rules and their models, which the first message would otherwise
// wait for. It may take a second, and is called in the background.
func (m *Manager) WarmRules() {
	const plain = "I moved here last year." // teaches something, and is no instruction
	_ = guard.Do(m.log, "reading the rules", func() error {
		m.policy().Sentences(plain)
		instruct.Possible(plain, nil)
		return nil
	})
}

// Watch returns a channel that receives when items or the state of an index have
// changed since it last received, or messages went or came back, and a function
// that ends it.
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

// changed wakes all who watch. It is called from followers, so it must not wait
// for anything but m.mu.
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

// view runs a reading transaction of the store. When ctx is done it does not begin one
// and returns the cause; one that has begun is finished.
func (m *Manager) view(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return m.store.View(fn)
}

// change runs a durable transaction of the store. When ctx is done before its turn among
// the writes has come, it writes nothing and returns the cause; one that has begun is
// finished.
func (m *Manager) change(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return m.noteWrite(m.store.Update(func(tx *store.Tx) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return fn(tx)
	}))
}

// update is change for an agent. It then tells the hot set and the watchers which items
// the transaction touched.
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

// tx is a transaction of one agent, or of a group and those who hear it, that
// remembers what it changed.
type tx struct {
	*store.Tx
	m       *Manager
	a       *agent
	touched []recall.HeadChange
	// news are of items whose line the profile has to follow; profiled says that
	// there is another version of it; moved says that messages went or came back,
	// which what is shown may quote.
	news     []itemNews
	profiled bool
	moved    bool
	// Of a group: hearers are the transactions of all who heard something in it, of
	// which members listen still. Of one of these: group is that for which it is.
	hearers []*tx
	group   string
}

func (t *tx) newID() string { return t.m.ids.New(t.Now()) }

// put writes an item and its change, which gets an id where it has none yet. The
// profile follows at the end of the write.
func (t *tx) put(it memory.Item, c memory.Change) error {
	c.Time = t.Now()
	if c.ID == "" {
		c.ID = t.newID()
	}
	if err := t.PutItem(it, c.ID, c); err != nil {
		return err
	}
	t.touched = append(t.touched, recall.HeadChange{ID: it.ID, Head: store.HeadOf(it)})
	t.tellProfile(it.ID, c)
	return nil
}
