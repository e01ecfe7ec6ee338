package manager

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"time"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/instruct"
	"memoria/memory/lookup"
	"memoria/memory/policy"
	"memoria/memory/recall"
	"memoria/memory/store"
	"memoria/memory/vault"
)

// Core is what all writers share: the data folder, its readers, the settings in force and
// the agents in use.
type Core struct {
	vault  *vault.Vault
	store  *store.Store // of the vault
	recall *recall.Reader
	lookup *lookup.Reader
	now    func() time.Time
	log    *slog.Logger
	ids    *memory.IDs

	decider policy.Decider           // nil means the policy
	live    atomic.Pointer[settings] // see [Core.SetConfig]

	// follow ends each write: it updates the profile for the touched items.
	follow func(*tx) error
	// planPurge is called after a deletion.
	planPurge func()
	// eraseUnkept erases the ended sessions that are not kept (A1).
	eraseUnkept func(context.Context, *agent) error

	mu       sync.Mutex
	agents   map[string]*agent
	watchers map[chan struct{}]bool
	closed   bool
	tasks    sync.WaitGroup // Close waits for them

	life context.Context // until Close begins
	end  context.CancelFunc
}

// agent is the in-memory state of one agent.
type agent struct {
	id string
	// write is held from the beginning of a transaction until the hot set has applied it,
	// so that both see the same order of writes (I4).
	write     sync.Mutex
	noHearers bool // not a group; guarded by write
	guessing  sync.Mutex
	guessed   guessedInstruction // the last examined message; guarded by guessing
	unkept    atomic.Bool        // sessions may be pending erasure (A1)
	deleted   bool               // written under write and mu of the core
}

// coreOptions configures [openCore].
type coreOptions struct {
	vault    vault.Options // without Changed
	config   Config
	decider  policy.Decider
	agents   map[string]lookup.Given
	embedder indexer.Embedder
	vectors  recall.VectorConfig
}

// openCore opens the data folder and its readers. The errors are those of [vault.Open].
func openCore(ctx context.Context, o coreOptions) (m *Core, err error) {
	m = &Core{
		now: o.vault.Now, log: o.vault.Logger, ids: o.vault.IDs, decider: o.decider,
		agents: map[string]*agent{}, watchers: map[chan struct{}]bool{},
	}
	m.put(o.config)
	o.vault.Changed = m.changed
	if m.vault, err = vault.Open(ctx, o.vault); err != nil {
		return nil, err
	}
	m.life, m.end = context.WithCancel(context.Background())
	m.store = m.vault.Store()
	m.recall = recall.Open(recall.Options{
		Store: m.store, Dir: o.vault.Dir, IndexDir: filepath.Join(o.vault.Dir, vault.IndexFolder), Now: m.now, Logger: m.log,
		Config: func() recall.Config { return m.cfg().Recall }, Notify: m.changed, ReadOnly: o.vault.ReadOnly,
		Names: lookup.NamesOf(o.agents), Embedder: o.embedder, Vectors: o.vectors,
		Embeds: func(it memory.Item) bool { return m.decide().ShouldEmbed(it).Yes },
	})
	m.lookup = lookup.New(lookup.Options{Vault: m.vault, Recall: m.recall, Now: m.now, Agents: o.agents})
	return m, nil
}

// stop refuses further writes of agents and ends background work; false if it is stopped
// already.
func (m *Core) stop() bool {
	if !m.whileOpen(func() { m.closed, m.agents = true, nil }) {
		return false
	}
	m.end()
	m.vault.Stop()
	return true
}

// whileOpen calls fn, unless the memory is being closed; then it returns false. It holds
// the lock that closing takes.
func (m *Core) whileOpen(fn func()) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		fn()
		return true
	}
	return false
}

// unload ends the use of an agent: its pending writes are refused.
func (m *Core) unload(id string) {
	m.mu.Lock()
	a := m.agents[id]
	delete(m.agents, id)
	m.mu.Unlock()
	if a == nil {
		return
	}
	a.write.Lock()
	defer a.write.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	a.deleted = true
}

// changeUnloaded is update for an agent that is not loaded, without informing anyone.
func (m *Core) changeUnloaded(ctx context.Context, id string, fn func(*tx) error) error {
	return m.change(ctx, func(stx *store.Tx) error {
		t := &tx{Tx: stx, core: m, a: &agent{id: id}}
		if err := fn(t); err != nil {
			return err
		}
		return m.follow(t)
	})
}

// Vault returns the data folder: its files, backups and the health of its disk.
func (m *Core) Vault() *vault.Vault { return m.vault }

// begin adds a background task that Close waits for; false when the memory is
// being closed. The caller calls m.tasks.Done.
func (m *Core) begin() bool { return m.whileOpen(func() { m.tasks.Add(1) }) }

// Recall returns the reader of the memory, for a turn and for a person.
func (m *Core) Recall() *recall.Reader { return m.recall }

// Lookup returns the reader of what is stored.
func (m *Core) Lookup() *lookup.Reader { return m.lookup }

// agent returns an agent, and starts loading it on first use. The errors are those of
// [recall.Reader.Load].
func (m *Core) agent(id string) (*agent, error) {
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

// Watch returns a channel that receives after items, messages or the state of an index
// have changed since the last receive, and a function that stops it.
func (m *Core) Watch() (<-chan struct{}, func()) {
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
func (m *Core) changed() {
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
func (m *Core) view(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return m.store.View(fn)
}

// change runs a durable transaction of the store. If ctx is done before the write lock is
// free, it writes nothing and returns the cause. A started one is finished.
func (m *Core) change(ctx context.Context, fn func(*store.Tx) error) error {
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
func (m *Core) update(ctx context.Context, a *agent, fn func(*tx) error) error {
	touched, err := m.write(ctx, a, fn)
	if touched {
		m.changed()
	}
	return err
}

func (m *Core) write(ctx context.Context, a *agent, fn func(*tx) error) (touched bool, err error) {
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
		return t.eachOwner(m.follow)
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

// settings is a configuration with the values derived from it. It is immutable; a change
// replaces it.
type settings struct {
	cfg    Config
	policy *policy.Policy
	decide policy.Decider
}

// Config returns the current configuration.
func (m *Core) Config() Config { return m.cfg() }

// SetConfig replaces the configuration while the memory is in use (I5). Operations that
// begin after it returns use the new one. LoadOnStart and HotItems apply only at Open. It
// may be called at any time. An invalid configuration changes nothing.
func (m *Core) SetConfig(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("memory settings: %w", err)
	}
	was := m.cfg()
	cfg.LoadOnStart, cfg.HotItems = was.LoadOnStart, was.HotItems
	m.put(cfg)
	m.changed() // views may differ now
	return nil
}

// put makes a valid configuration current.
func (m *Core) put(cfg Config) {
	cfg.Triggers = slices.Clone(cfg.Triggers)
	p := policy.New(cfg.Rules)
	next := &settings{cfg: cfg, policy: p, decide: p}
	if m.decider != nil {
		next.decide = m.decider
	}
	m.live.Store(next)
}

func (m *Core) cfg() Config { return m.live.Load().cfg }

// Policy returns the current policy.
func (m *Core) Policy() *policy.Policy { return m.live.Load().policy }

func (m *Core) policy() *policy.Policy { return m.live.Load().policy }

// decide returns the current [policy.Decider], which may be a replacement of the policy.
func (m *Core) decide() policy.Decider { return m.live.Load().decide }

// lock takes the write lock of an agent, or those of a group and its hearers, and returns
// a transaction to begin.
func (m *Core) lock(ctx context.Context, a *agent) (_ *tx, unlock func(), err error) {
	if err := context.Cause(ctx); err != nil { // no need to wait for the lock
		return nil, nil, err
	}
	a.write.Lock()
	held := []*agent{a}
	unlock = func() {
		for _, a := range slices.Backward(held) {
			a.write.Unlock()
		}
	}
	t := &tx{core: m, a: a}
	if a.deleted {
		unlock()
		return nil, nil, recall.ErrExcluded
	}
	if a.noHearers {
		return t, unlock, nil
	}
	ids, err := m.hearersOf(ctx, a)
	for _, id := range ids {
		var h *agent
		if err == nil {
			h, err = m.agent(id)
		}
		if err != nil {
			break
		}
		h.write.Lock()
		if held = append(held, h); h.deleted {
			err = recall.ErrExcluded
			break
		}
		t.hearers = append(t.hearers, &tx{core: m, a: h, group: a.id})
	}
	if err != nil {
		unlock()
		return nil, nil, fmt.Errorf("reading who is in a group: %w", err)
	}
	return t, unlock, nil
}

// hearersOf returns the agents that hear what is said under a's id, and caches that there
// are none. The caller holds a.write.
func (m *Core) hearersOf(ctx context.Context, a *agent) (ids []string, err error) {
	err = m.view(ctx, func(tx *store.Tx) error {
		ids, err = tx.Hearers(a.id)
		return err
	})
	if store.Unreadable(err) { // sessions stay readable, with unknown hearers
		err = nil
	}
	a.noHearers = err == nil && len(ids) == 0
	return ids, err
}

// guessedInstruction caches the instruction guessed for a message, if any.
type guessedInstruction struct {
	record string
	in     instruct.Instruction
	ok     bool
}
