package recall

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
	"memoria/memory/vault"
)

var (
	// ErrClosed is returned by a closed [Reader].
	ErrClosed = errors.New("memory is closed")
	// ErrExcluded is returned for an agent that is being deleted or restored.
	ErrExcluded = fmt.Errorf("the agent was deleted: %w", store.ErrNotFound)
)

// Options configures a [Reader].
type Options struct {
	Store *store.Store
	// Dir is the data folder, to which the file names of long messages are relative.
	// IndexDir has a folder of indexes for each agent.
	Dir, IndexDir string

	Now    func() time.Time
	Logger *slog.Logger
	// Config returns the settings in force; a retrieval calls it once.
	Config func() Config
	// Notify is called when the state of an index has changed. It must not block.
	Notify func()
	// ReadOnly leaves the indexes as they are.
	ReadOnly bool
	// Names are the names of agents that the configuration sets, by id. They override
	// those in the store.
	Names map[string]string
	// Embedder makes the vectors of items and messages; nil disables vectors.
	Embedder indexer.Embedder
	Vectors  VectorConfig
	// Embeds reports whether an item may have a vector.
	Embeds func(memory.Item) bool
}

// Reader reads the memory of one data folder. It is safe for concurrent use.
type Reader struct {
	store  *store.Store
	dir    string
	now    func() time.Time
	log    *slog.Logger
	config func() Config
	o      Options
	gate   indexer.Gate // holds background requests for vectors

	mu       sync.Mutex
	agents   map[string]*agent
	excluded map[string]bool
	closed   bool
}

// agent is the derived data of one agent.
type agent struct {
	id      string
	hot     *hot
	items   *indexer.Follower
	records *indexer.Follower // nil until needed; guarded by Reader.mu
	vectors *indexer.Vectors  // nil until needed; guarded by Reader.mu
	gone    bool              // it was excluded; guarded by Reader.mu
}

// Open returns a reader of the store. It loads nothing yet.
func Open(o Options) *Reader {
	return &Reader{
		store: o.Store, dir: o.Dir, now: o.Now, log: o.Logger, config: o.Config, o: o,
		agents: map[string]*agent{}, excluded: map[string]bool{},
	}
}

// Close ends loading, indexing and embedding, and returns the agents that were loaded.
// The store must still be open.
func (r *Reader) Close() (loaded []string) {
	r.mu.Lock()
	agents := r.agents
	r.agents, r.closed = nil, true
	r.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(agents)) {
		agents[id].close()
		loaded = append(loaded, id)
	}
	return loaded
}

// close waits until nothing follows the agent any more. Nothing may be opened
// meanwhile.
func (a *agent) close() {
	a.hot.wait()
	_ = a.items.Close()
	if a.records != nil {
		_ = a.records.Close()
	}
	if a.vectors != nil {
		_ = a.vectors.Close()
	}
}

// Load starts loading an agent in the background, unless it is loaded. The error is
// [ErrExcluded] or [ErrClosed], or [memory.ErrInvalid] if the id is not one.
func (r *Reader) Load(agentID string) error {
	_, err := r.agent(agentID)
	return err
}

// Loaded returns the ids of the loaded agents, in order.
func (r *Reader) Loaded() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.agents))
}

// agent returns the derived data of an agent, and starts loading it on first use.
func (r *Reader) agent(id string) (*agent, error) {
	if !memory.ValidAgentID(id) {
		return nil, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, memory.ErrInvalid)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch a := r.agents[id]; {
	case r.closed:
		return nil, ErrClosed
	case a != nil:
		return a, nil
	case r.excluded[id]:
		return nil, ErrExcluded
	}
	a := &agent{id: id, hot: newHot(r.config()), items: r.follow(id, indexer.Recall)}
	r.agents[id] = a
	go a.hot.load(r.store, id, r.log)
	return a, nil
}

// Exclude unloads an agent and refuses to load it until readmit is called.
func (r *Reader) Exclude(agentID string) (readmit func(), err error) {
	r.mu.Lock()
	a := r.agents[agentID]
	switch {
	case r.closed:
		err = ErrClosed
	case r.excluded[agentID]:
		err = ErrExcluded
	default:
		r.excluded[agentID] = true
		delete(r.agents, agentID)
		if a != nil {
			a.gone = true
		}
	}
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if a != nil {
		a.close()
	}
	return func() {
		r.mu.Lock()
		delete(r.excluded, agentID)
		r.mu.Unlock()
	}, nil
}

// archive returns the follower of the agent's archive, which is opened on first use;
// nil if the agent is gone or the reader closed.
func (r *Reader) archive(a *agent) *indexer.Follower {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.records == nil && !r.closed && !a.gone {
		a.records = r.follow(a.id, indexer.Archive)
	}
	return a.records
}

// openedArchive is archive without opening it.
func (r *Reader) openedArchive(a *agent) *indexer.Follower {
	r.mu.Lock()
	defer r.mu.Unlock()
	return a.records
}

func (r *Reader) follow(agent string, kind indexer.Kind) *indexer.Follower {
	return indexer.Open(indexer.Options{
		Store: r.store, Dir: r.o.IndexDir, Agent: agent, Kind: kind,
		Logger: r.log, Notify: r.o.Notify, Content: func(rec memory.Record) string { return r.Fetch(rec).Content },
		Idle: r.o.ReadOnly,
	})
}

// Touched takes over the heads that a transaction has written. It is called in the
// order of the transactions.
func (r *Reader) Touched(agentID string, changes []HeadChange) {
	r.mu.Lock()
	a := r.agents[agentID]
	r.mu.Unlock()
	if a != nil { // otherwise loading will find them
		a.hot.apply(changes)
	}
}

// view runs a read transaction, unless ctx is done; then it returns the cause.
func (r *Reader) view(ctx context.Context, fn func(*store.Tx) error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return r.store.View(fn)
}

// Fetch returns a stored record with its content, which is in a file if it is long.
// The content of an unreadable file is a note in its place.
func (r *Reader) Fetch(rec memory.Record) memory.Record {
	if rec.ContentRef == "" || rec.Content != "" {
		return rec
	}
	b, err := readContent(r.dir, rec.ContentRef)
	if err == nil && rec.ContentSum != "" && rec.ContentSum != Checksum(b) {
		err = errors.New("its checksum does not match")
	}
	if err != nil {
		r.log.Warn("a long message cannot be read", "record", rec.ID, "error", err)
		rec.Content = "[this message's file cannot be read]"
		return rec
	}
	rec.Content = string(b)
	return rec
}

func readContent(dir, ref string) ([]byte, error) {
	if !vault.IsContentRef(ref) {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(filepath.Join(dir, filepath.FromSlash(ref)))
}

// FetchAll is [Reader.Fetch] for several records, in place.
func (r *Reader) FetchAll(records []memory.Record) []memory.Record {
	for i := range records {
		records[i] = r.Fetch(records[i])
	}
	return records
}

// Checksum returns the [memory.Record].ContentSum of a content.
func Checksum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
