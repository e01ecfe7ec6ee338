package write

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
	Store  *store.Store // of the vault
	recall *recall.Reader
	lookup *lookup.Reader
	Now    func() time.Time
	Log    *slog.Logger
	IDs    *memory.IDs

	decider policy.Decider           // nil means the policy
	live    atomic.Pointer[settings] // see [Core.SetConfig]

	// Follow ends each write: it updates the profile for the touched items.
	Follow func(*Tx) error
	// PlanPurge is called after a deletion.
	PlanPurge func()
	// EraseUnkept erases the ended sessions that are not kept (A1).
	EraseUnkept func(context.Context, *Agent) error

	mu       sync.Mutex
	agents   map[string]*Agent
	watchers map[chan struct{}]bool
	closed   bool
	Tasks    sync.WaitGroup // Close waits for them

	Life context.Context // until Close begins
	end  context.CancelFunc
}

// Agent is the in-memory state of one agent.
type Agent struct {
	ID string
	// Writes is held from the beginning of a transaction until the hot set has applied it,
	// so that both see the same order of writes (I4).
	Writes    sync.Mutex
	NoHearers bool // not a group; guarded by write
	Guessing  sync.Mutex
	Guessed   Guess       // the last examined message; guarded by guessing
	Unkept    atomic.Bool // sessions may be pending erasure (A1)
	Deleted   bool        // written under write and mu of the core
}

// Options configures [openCore].
type Options struct {
	Vault    vault.Options // without Changed
	Config   Config
	Decider  policy.Decider
	Agents   map[string]lookup.Given
	Embedder indexer.Embedder
	Vectors  recall.VectorConfig
}

// Open opens the data folder and its readers. The errors are those of [vault.Open].
func Open(ctx context.Context, o Options) (m *Core, err error) {
	m = &Core{
		Now: o.Vault.Now, Log: o.Vault.Logger, IDs: o.Vault.IDs, decider: o.Decider,
		agents: map[string]*Agent{}, watchers: map[chan struct{}]bool{},
	}
	m.put(o.Config)
	o.Vault.Changed = m.Changed
	if m.vault, err = vault.Open(ctx, o.Vault); err != nil {
		return nil, err
	}
	m.Life, m.end = context.WithCancel(context.Background())
	m.Store = m.vault.Store()
	m.recall = recall.Open(recall.Options{
		Store: m.Store, Dir: o.Vault.Dir, IndexDir: filepath.Join(o.Vault.Dir, vault.IndexFolder), Now: m.Now, Logger: m.Log,
		Config: func() recall.Config { return m.Config().Recall }, Notify: m.Changed, ReadOnly: o.Vault.ReadOnly,
		Names: lookup.NamesOf(o.Agents), Embedder: o.Embedder, Vectors: o.Vectors,
		Embeds: func(it memory.Item) bool { return m.Decide().ShouldEmbed(it).Yes },
	})
	m.lookup = lookup.New(lookup.Options{Vault: m.vault, Recall: m.recall, Now: m.Now, Agents: o.Agents})
	return m, nil
}

// Stop refuses further writes of agents and ends background work; false if it is stopped
// already.
func (m *Core) Stop() bool {
	if !m.WhileOpen(func() { m.closed, m.agents = true, nil }) {
		return false
	}
	m.end()
	m.vault.Stop()
	return true
}

// WhileOpen calls fn, unless the memory is being closed; then it returns false. It holds
// the lock that closing takes.
func (m *Core) WhileOpen(fn func()) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		fn()
		return true
	}
	return false
}

// Unload ends the use of an agent: its pending writes are refused.
func (m *Core) Unload(id string) {
	m.mu.Lock()
	a := m.agents[id]
	delete(m.agents, id)
	m.mu.Unlock()
	if a == nil {
		return
	}
	a.Writes.Lock()
	defer a.Writes.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	a.Deleted = true
}

// ChangeUnloaded is update for an agent that is not loaded, without informing anyone.
func (m *Core) ChangeUnloaded(ctx context.Context, id string, fn func(*Tx) error) error {
	return m.Change(ctx, func(stx *store.Tx) error {
		t := &Tx{Tx: stx, Core: m, Owner: &Agent{ID: id}}
		if err := fn(t); err != nil {
			return err
		}
		return m.Follow(t)
	})
}

// Vault returns the data folder: its files, backups and the health of its disk.
func (m *Core) Vault() *vault.Vault { return m.vault }

// Begin adds a background task that Close waits for; false when the memory is
// being closed. The caller calls m.tasks.Done.
func (m *Core) Begin() bool { return m.WhileOpen(func() { m.Tasks.Add(1) }) }

// Recall returns the reader of the memory, for a turn and for a person.
func (m *Core) Recall() *recall.Reader { return m.recall }

// Lookup returns the reader of what is stored.
func (m *Core) Lookup() *lookup.Reader { return m.lookup }

// Agent returns an agent, and starts loading it on first use. The errors are those of
// [recall.Reader.Load].
func (m *Core) Agent(id string) (*Agent, error) {
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
	a := &Agent{ID: id}
	a.Unkept.Store(true) // possibly from an earlier run
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

// Changed notifies all watchers. Followers call it, so it must wait for nothing but m.mu.
func (m *Core) Changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for ch := range m.watchers {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

// View runs a read transaction of the store. If ctx is done it starts none and returns
// the cause. A started one is finished.
func (m *Core) View(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return m.Store.View(fn)
}

// Change runs a durable transaction of the store. If ctx is done before the write lock is
// free, it writes nothing and returns the cause. A started one is finished.
func (m *Core) Change(ctx context.Context, fn func(*store.Tx) error) error {
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

// Update is change for an agent. Afterwards it informs the hot set and the watchers about
// the touched items.
func (m *Core) Update(ctx context.Context, a *Agent, fn func(*Tx) error) error {
	touched, err := m.write(ctx, a, fn)
	if touched {
		m.Changed()
	}
	return err
}

func (m *Core) write(ctx context.Context, a *Agent, fn func(*Tx) error) (touched bool, err error) {
	t, unlock, err := m.Lock(ctx, a)
	if err != nil {
		return false, err
	}
	defer unlock()
	err = m.Change(ctx, func(stx *store.Tx) error {
		t.Begin(stx)
		if err := fn(t); err != nil {
			return err
		}
		return t.eachOwner(m.Follow)
	})
	if err != nil {
		return false, err
	}
	_ = t.eachOwner(func(t *Tx) error {
		if len(t.touched) > 0 || t.Profiled || t.Moved {
			touched = true
			m.recall.Touched(t.Owner.ID, t.touched)
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
func (m *Core) Config() Config { return m.live.Load().cfg }

// SetConfig replaces the configuration while the memory is in use (I5). Operations that
// begin after it returns use the new one. LoadOnStart and HotItems apply only at Open. It
// may be called at any time. An invalid configuration changes nothing.
func (m *Core) SetConfig(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("memory settings: %w", err)
	}
	was := m.Config()
	cfg.LoadOnStart, cfg.HotItems = was.LoadOnStart, was.HotItems
	m.put(cfg)
	m.Changed() // views may differ now
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

// Policy returns the current policy.
func (m *Core) Policy() *policy.Policy { return m.live.Load().policy }

// Decide returns the current [policy.Decider], which may be a replacement of the policy.
func (m *Core) Decide() policy.Decider { return m.live.Load().decide }

// Lock takes the write lock of an agent, or those of a group and its hearers, and returns
// a transaction to begin.
func (m *Core) Lock(ctx context.Context, a *Agent) (_ *Tx, unlock func(), err error) {
	if err := context.Cause(ctx); err != nil { // no need to wait for the lock
		return nil, nil, err
	}
	a.Writes.Lock()
	held := []*Agent{a}
	unlock = func() {
		for _, a := range slices.Backward(held) {
			a.Writes.Unlock()
		}
	}
	t := &Tx{Core: m, Owner: a}
	if a.Deleted {
		unlock()
		return nil, nil, recall.ErrExcluded
	}
	if a.NoHearers {
		return t, unlock, nil
	}
	ids, err := m.hearersOf(ctx, a)
	for _, id := range ids {
		var h *Agent
		if err == nil {
			h, err = m.Agent(id)
		}
		if err != nil {
			break
		}
		h.Writes.Lock()
		if held = append(held, h); h.Deleted {
			err = recall.ErrExcluded
			break
		}
		t.HearerTx = append(t.HearerTx, &Tx{Core: m, Owner: h, HeardIn: a.ID})
	}
	if err != nil {
		unlock()
		return nil, nil, fmt.Errorf("reading who is in a group: %w", err)
	}
	return t, unlock, nil
}

// hearersOf returns the agents that hear what is said under a's id, and caches that there
// are none. The caller holds a.write.
func (m *Core) hearersOf(ctx context.Context, a *Agent) (ids []string, err error) {
	err = m.View(ctx, func(tx *store.Tx) error {
		ids, err = tx.Hearers(a.ID)
		return err
	})
	if store.Unreadable(err) { // sessions stay readable, with unknown hearers
		err = nil
	}
	a.NoHearers = err == nil && len(ids) == 0
	return ids, err
}

// Guess caches the instruction guessed for a message, if any.
type Guess struct {
	Record string
	In     instruct.Instruction
	OK     bool
}

// Keeps reports whether the messages of a session are kept when it ends now.
func (m *Core) Keeps(s memory.Session) bool {
	cfg := m.Config()
	return cfg.Archival && (cfg.ArchivalDefault || s.Keep)
}
