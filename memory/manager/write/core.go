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

	announced atomic.Pointer[Announced]

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
	NoHearers bool // not a group; guarded by Writes
	Guessing  sync.Mutex
	Guessed   Guess       // the last examined message; guarded by Guessing
	Unkept    atomic.Bool // sessions may be pending erasure (A1)
	Deleted   bool        // written under Writes and the lock of the core
}

// Options configures [Open].
type Options struct {
	Vault    vault.Options // without Changed
	Config   Config
	Decider  policy.Decider
	Agents   map[string]lookup.Given
	Embedder indexer.Embedder
	Vectors  recall.VectorConfig
}

// Open opens the data folder and its readers. The errors are those of [vault.Open].
func Open(ctx context.Context, o Options) (c *Core, err error) {
	c = &Core{
		Now: o.Vault.Now, Log: o.Vault.Logger, IDs: o.Vault.IDs, decider: o.Decider,
		agents: map[string]*Agent{}, watchers: map[chan struct{}]bool{},
	}
	c.put(o.Config)
	o.Vault.Changed = c.Changed
	if c.vault, err = vault.Open(ctx, o.Vault); err != nil {
		return nil, err
	}
	c.Life, c.end = context.WithCancel(context.Background())
	c.Store = c.vault.Store()
	c.recall = recall.Open(recall.Options{
		Store: c.Store, Dir: o.Vault.Dir, IndexDir: filepath.Join(o.Vault.Dir, vault.IndexFolder), Now: c.Now, Logger: c.Log,
		Config: func() recall.Config { return c.Config().Recall }, Notify: c.Changed, ReadOnly: o.Vault.ReadOnly,
		Names: lookup.NamesOf(o.Agents), Embedder: o.Embedder, Vectors: o.Vectors,
		Embeds: func(it memory.Item) bool { return c.Decide().ShouldEmbed(it).Yes },
	})
	c.lookup = lookup.New(lookup.Options{Vault: c.vault, Recall: c.recall, Now: c.Now, Agents: o.Agents})
	return c, nil
}

// Stop refuses further writes of agents and ends background work; false if it is stopped
// already.
func (c *Core) Stop() bool {
	if !c.WhileOpen(func() { c.closed, c.agents = true, nil }) {
		return false
	}
	c.end()
	c.vault.Stop()
	return true
}

// WhileOpen calls fn, unless the memory is being closed; then it returns false. It holds
// the lock that closing takes.
func (c *Core) WhileOpen(fn func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		fn()
		return true
	}
	return false
}

// Unload ends the use of an agent: its pending writes are refused.
func (c *Core) Unload(id string) {
	c.mu.Lock()
	a := c.agents[id]
	delete(c.agents, id)
	c.mu.Unlock()
	if a == nil {
		return
	}
	a.Writes.Lock()
	defer a.Writes.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	a.Deleted = true
}

// ChangeUnloaded is update for an agent that is not loaded, without informing anyone.
func (c *Core) ChangeUnloaded(ctx context.Context, id string, fn func(*Tx) error) error {
	return c.Change(ctx, func(stx *store.Tx) error {
		t := &Tx{Tx: stx, Core: c, Owner: &Agent{ID: id}}
		if err := fn(t); err != nil {
			return err
		}
		return c.Follow(t)
	})
}

// Vault returns the data folder: its files, backups and the health of its disk.
func (c *Core) Vault() *vault.Vault { return c.vault }

// Begin adds a background task that Close waits for; false when the memory is
// being closed. The caller calls c.tasks.Done.
func (c *Core) Begin() bool { return c.WhileOpen(func() { c.Tasks.Add(1) }) }

// Recall returns the reader of the memory, for a turn and for a person.
func (c *Core) Recall() *recall.Reader { return c.recall }

// Lookup returns the reader of what is stored.
func (c *Core) Lookup() *lookup.Reader { return c.lookup }

// Agent returns an agent, and starts loading it on first use. The errors are those of
// [recall.Reader.Load].
func (c *Core) Agent(id string) (*Agent, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, recall.ErrClosed
	}
	if a := c.agents[id]; a != nil {
		return a, nil
	}
	if err := c.recall.Load(id); err != nil {
		return nil, err
	}
	a := &Agent{ID: id}
	a.Unkept.Store(true) // possibly from an earlier run
	c.agents[id] = a
	return a, nil
}

// Watch returns a channel that receives after items, messages or the state of an index
// have changed since the last receive, and a function that stops it.
func (c *Core) Watch() (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	c.mu.Lock()
	c.watchers[ch] = true
	c.mu.Unlock()
	return ch, func() {
		c.mu.Lock()
		delete(c.watchers, ch)
		c.mu.Unlock()
	}
}

// Changed notifies all watchers. Followers call it, so it must wait for nothing but c.mu.
func (c *Core) Changed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for ch := range c.watchers {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

// Announced is a deletion that the user did not ask for.
type Announced struct {
	Agent string
	Deletion
}

// Announce lets the front ends tell the user of a deletion that another program asked for.
func (c *Core) Announce(agent string, d Deletion) {
	c.announced.Store(&Announced{Agent: agent, Deletion: d})
	c.Changed()
}

// LastAnnounced returns the last announced deletion; nil if there was none.
func (c *Core) LastAnnounced() *Announced { return c.announced.Load() }

// View runs a read transaction of the store. If ctx is done it starts none and returns
// the cause. A started one is finished.
func (c *Core) View(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return c.Store.View(fn)
}

// Change runs a durable transaction of the store. If ctx is done before the write lock is
// free, it writes nothing and returns the cause. A started one is finished.
func (c *Core) Change(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return c.vault.Update(func(tx *store.Tx) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Update is change for an agent. Afterwards it informs the hot set and the watchers about
// the touched items.
func (c *Core) Update(ctx context.Context, a *Agent, fn func(*Tx) error) error {
	touched, err := c.write(ctx, a, fn)
	if touched {
		c.Changed()
	}
	return err
}

func (c *Core) write(ctx context.Context, a *Agent, fn func(*Tx) error) (touched bool, err error) {
	t, unlock, err := c.Lock(ctx, a)
	if err != nil {
		return false, err
	}
	defer unlock()
	err = c.Change(ctx, func(stx *store.Tx) error {
		t.Begin(stx)
		if err := fn(t); err != nil {
			return err
		}
		return t.eachOwner(c.Follow)
	})
	if err != nil {
		return false, err
	}
	_ = t.eachOwner(func(t *Tx) error {
		if len(t.touched) > 0 || t.Profiled || t.Moved {
			touched = true
			c.recall.Touched(t.Owner.ID, t.touched)
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
func (c *Core) Config() Config { return c.live.Load().cfg }

// SetConfig replaces the configuration while the memory is in use (I5). Operations that
// begin after it returns use the new one. LoadOnStart and HotItems apply only at Open. It
// may be called at any time. An invalid configuration changes nothing.
func (c *Core) SetConfig(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("memory settings: %w", err)
	}
	was := c.Config()
	cfg.LoadOnStart, cfg.HotItems = was.LoadOnStart, was.HotItems
	c.put(cfg)
	c.Changed() // views may differ now
	return nil
}

// put makes a valid configuration current.
func (c *Core) put(cfg Config) {
	cfg.Triggers = slices.Clone(cfg.Triggers)
	p := policy.New(cfg.Rules)
	next := &settings{cfg: cfg, policy: p, decide: p}
	if c.decider != nil {
		next.decide = c.decider
	}
	c.live.Store(next)
}

// Policy returns the current policy.
func (c *Core) Policy() *policy.Policy { return c.live.Load().policy }

// Decide returns the current [policy.Decider], which may be a replacement of the policy.
func (c *Core) Decide() policy.Decider { return c.live.Load().decide }

// Lock takes the write lock of an agent, or those of a group and its hearers, and returns
// a transaction to begin.
func (c *Core) Lock(ctx context.Context, a *Agent) (_ *Tx, unlock func(), err error) {
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
	t := &Tx{Core: c, Owner: a}
	if a.Deleted {
		unlock()
		return nil, nil, recall.ErrExcluded
	}
	if a.NoHearers {
		return t, unlock, nil
	}
	ids, err := c.hearersOf(ctx, a)
	for _, id := range ids {
		var h *Agent
		if err == nil {
			h, err = c.Agent(id)
		}
		if err != nil {
			break
		}
		h.Writes.Lock()
		if held = append(held, h); h.Deleted {
			err = recall.ErrExcluded
			break
		}
		t.HearerTx = append(t.HearerTx, &Tx{Core: c, Owner: h, HeardIn: a.ID})
	}
	if err != nil {
		unlock()
		return nil, nil, fmt.Errorf("reading who is in a group: %w", err)
	}
	return t, unlock, nil
}

// hearersOf returns the agents that hear what is said under a's id, and caches that there
// are none. The caller holds a.write.
func (c *Core) hearersOf(ctx context.Context, a *Agent) (ids []string, err error) {
	err = c.View(ctx, func(tx *store.Tx) error {
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
func (c *Core) Keeps(s memory.Session) bool {
	cfg := c.Config()
	return cfg.Archival && (cfg.ArchivalDefault || s.Keep)
}
