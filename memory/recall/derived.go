package recall

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"memoria/kv"
	"memoria/memory"
	"memoria/memory/indexer"
	"memoria/memory/store"
	"memoria/memory/store/codec"
	"memoria/memory/store/counter"
)

// Derived is the state of derived data, which can be rebuilt from the store.
type Derived struct {
	Name  string `json:"name"`
	State string `json:"state"` // that of an index, or [StateNotOpened]
	// Reason says why it is not ready; may be empty.
	Reason string `json:"reason,omitempty"`
	Done   int    `json:"done,omitempty"` // of Total, while it is built
	Total  int    `json:"total,omitempty"`
	Behind int    `json:"behind"` // unread entries of the change feed; items without their vector
	Bytes  int64  `json:"bytes"`  // on disk
	// Count and Model describe vectors: their number, and the model that made them.
	// Endpoint is the server that is sent memories and messages for them.
	Count    int    `json:"count,omitempty"`
	Model    string `json:"model,omitempty"`
	Endpoint string `json:"endpoint,omitempty"`
}

// The names of derived data, and a state of its own.
const (
	DerivedItems   = "items index"
	DerivedArchive = "archive index"
	DerivedHeads   = "item heads in memory"
	DerivedVectors = "vectors"

	// StateNotOpened is the state of an archive that was not searched since the start.
	StateNotOpened = "not opened yet"
	stateReady     = string(indexer.StateReady)
	stateLoading   = "loading"
)

// ItemIndex returns the state of the index of an agent's items.
func (r *Reader) ItemIndex(agentID string) (indexer.Status, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return indexer.Status{}, err
	}
	return a.items.Status(), nil
}

// HeadStatus returns how many of the agent's items have their heads in memory.
func (r *Reader) HeadStatus(agentID string, items int) (Derived, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return Derived{}, err
	}
	a.hot.mu.RLock()
	defer a.hot.mu.RUnlock()
	d := Derived{Name: DerivedHeads, State: stateLoading, Total: items}
	if a.hot.ready {
		d.State, d.Done = stateReady, len(a.hot.heads)
	}
	return d, nil
}

// Heads waits until an agent is loaded, and returns its heads in memory in no particular
// order.
func (r *Reader) Heads(agentID string) ([]memory.Head, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return nil, err
	}
	a.hot.wait()
	a.hot.mu.RLock()
	defer a.hot.mu.RUnlock()
	return slices.Collect(maps.Values(a.hot.heads)), nil
}

// IndexStatus returns the states of the agent's indexes and, if an embedding model is
// configured, of its vectors. It opens none.
func (r *Reader) IndexStatus(ctx context.Context, agentID string) ([]Derived, error) {
	a, err := r.agent(agentID)
	if err != nil {
		return nil, err
	}
	items, err := r.indexStatus(ctx, a, DerivedItems, indexer.Recall, a.items)
	if err != nil {
		return nil, err
	}
	records, err := r.indexStatus(ctx, a, DerivedArchive, indexer.Archive, r.openedArchive(a))
	if err != nil {
		return nil, err
	}
	vectors, ok, err := r.vectorStatus(ctx, a)
	if err != nil || !ok {
		return []Derived{items, records}, err
	}
	return []Derived{items, records, vectors}, nil
}

func (r *Reader) indexStatus(ctx context.Context, a *agent, name string, kind indexer.Kind, f *indexer.Follower) (Derived, error) {
	d := Derived{Name: name, State: StateNotOpened}
	if err := context.Cause(ctx); err != nil {
		return d, err
	}
	if f != nil {
		st := f.Status()
		d.State, d.Reason, d.Done, d.Total, d.Behind = string(st.State), st.Reason, st.Done, st.Total, int(st.Behind)
	}
	var err error
	d.Bytes, err = kv.FolderSize(filepath.Join(r.o.IndexDir, a.id, string(kind)))
	return d, err
}

// Settle waits until the agent's open indexes contain everything that is stored, or ctx
// is done.
func (r *Reader) Settle(ctx context.Context, agentID string) error {
	a, err := r.agent(agentID)
	if err != nil {
		return err
	}
	if archive := r.openedArchive(a); archive != nil {
		if err := archive.Settle(ctx); err != nil {
			return err
		}
	}
	return a.items.Settle(ctx)
}

// SettleItems is [Reader.Settle] for the index of the items alone.
func (r *Reader) SettleItems(ctx context.Context, agentID string) error {
	a, err := r.agent(agentID)
	if err != nil {
		return err
	}
	return a.items.Settle(ctx)
}

// Rebuild starts rebuilding the agent's indexes in the background (I4). Stored vectors
// are kept; only missing ones are requested.
func (r *Reader) Rebuild(agentID string) error {
	a, err := r.agent(agentID)
	if err != nil {
		return err
	}
	a.items.Rebuild()
	if archive := r.archive(a); archive != nil {
		archive.Rebuild()
	}
	if v := r.vectors(a); v != nil {
		v.Rebuild(false)
	}
	return nil
}

// Erase removes the words of deleted items and messages from the files of the agent's
// indexes, which stay in use. An archive index that was never built is not built. If ctx
// ends, a later Erase continues.
func (r *Reader) Erase(ctx context.Context, agentID string) error {
	a, err := r.agent(agentID)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	archive := r.openedArchive(a)
	if archive == nil {
		if _, err := os.Stat(filepath.Join(r.o.IndexDir, a.id, string(indexer.Archive))); err == nil {
			archive = r.archive(a)
		}
	}
	if archive != nil {
		if err := archive.Erase(ctx); err != nil {
			return err
		}
	}
	return a.items.Erase(ctx)
}

// Compact rebuilds the agent's indexes in fresh files, so that no byte of deleted data
// is left in them, and waits until they are ready. It returns their size on disk before
// and after. An archive index that was never built is not built. When ctx is done the
// work continues in the background.
func (r *Reader) Compact(ctx context.Context, agentID string) (before, after int64, err error) {
	a, err := r.agent(agentID)
	if err != nil {
		return 0, 0, err
	}
	status, err := r.IndexStatus(ctx, agentID)
	if err != nil {
		return 0, 0, err
	}
	a.items.Rebuild()
	if v := r.openVectors(a); v != nil {
		v.Compact()
	}
	for _, d := range status {
		before += d.Bytes
		if d.Name == DerivedArchive && (d.Bytes > 0 || d.State != StateNotOpened) {
			if f := r.archive(a); f != nil {
				f.Rebuild()
			}
		}
	}
	if err := r.Settle(ctx, agentID); err != nil {
		return before, 0, err
	}
	if status, err = r.IndexStatus(ctx, agentID); err != nil {
		return before, 0, err
	}
	for _, d := range status {
		after += d.Bytes
	}
	return before, after, nil
}

// vectorStatus returns the state of the vectors; ok is false if no embedding model is
// configured.
func (r *Reader) vectorStatus(ctx context.Context, a *agent) (d Derived, ok bool, err error) {
	if r.o.Embedder == nil {
		return d, false, nil
	}
	about := r.o.Embedder.About()
	d = Derived{Name: DerivedVectors, State: StateNotOpened, Model: about.Name, Endpoint: about.Endpoint}
	var set codec.VectorSet
	err = r.view(ctx, func(tx *store.Tx) error {
		if set, err = tx.VectorSet(a.id); err != nil {
			return err
		}
		if set.Model == about.Key {
			d.Count, err = tx.Count(a.id, counter.Vectors)
		}
		return err
	})
	d.Bytes = int64(d.Count) * int64(set.Dimension) * 4
	v := r.openVectors(a)
	if v == nil || err != nil {
		return d, true, err
	}
	st := v.Status()
	d.State, d.Reason, d.Done, d.Total, d.Behind = string(st.State), st.Reason, st.Done, st.Total, int(st.Behind)
	if scale, ok := v.Scale(); ok && d.Reason == "" {
		for _, language := range []string{"a", "中"} {
			if g := scale.For(language); !g.Usable() {
				d.Reason = joined(d.Reason, g.Useless(language))
			}
		}
	}
	if st.Refused > 0 && d.Reason == "" {
		d.Reason = fmt.Sprintf("the model makes no vector of %d", st.Refused)
	}
	return d, true, nil
}
