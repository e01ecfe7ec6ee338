package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/bounds"
	"memoria/memory/indexer"
)

// VectorConfig holds the settings of vectors in retrieval; part of the [embedding]
// table.
type VectorConfig struct {
	// Weight is the weight of an item's meaning relative to its words, 0–1; see
	// [retrieve.Combine].
	Weight float64 `toml:"weight"`
	// QueryTimeout is how long a retrieval waits for the message's vector; after that
	// only words are compared.
	QueryTimeout time.Duration `toml:"query_timeout"`
}

// DefaultVectors returns the default settings.
func DefaultVectors() VectorConfig {
	return VectorConfig{Weight: 0.5, QueryTimeout: 300 * time.Millisecond}
}

// VectorSettings declares the bounds of [VectorConfig].
func VectorSettings() []bounds.Setting {
	return []bounds.Setting{bounds.Between("weight", 0.0, 1), bounds.PositiveTo("query_timeout", time.Minute)}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c VectorConfig) Validate() error { return bounds.Check(c, VectorSettings()) }

// vectors returns the vectors of an agent, which are opened on first use; nil without
// an embedding model.
func (r *Reader) vectors(a *agent) *indexer.Vectors {
	if r.o.Embedder == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.vectors == nil && !r.closed && !a.gone {
		a.vectors = indexer.OpenVectors(indexer.VectorOptions{
			Store: r.store, Agent: a.id, Embedder: r.o.Embedder, Gate: &r.gate, Logger: r.log, Notify: r.o.Notify,
			Should: func(it memory.Item) bool { return r.o.Embeds(it) },
		})
	}
	return a.vectors
}

// openVectors is vectors without opening them.
func (r *Reader) openVectors(a *agent) *indexer.Vectors {
	r.mu.Lock()
	defer r.mu.Unlock()
	return a.vectors
}

// FollowVectors starts to make vectors of an agent's items in the background, if an
// embedding model is configured.
func (r *Reader) FollowVectors(agentID string) error {
	a, err := r.agent(agentID)
	if err == nil {
		r.vectors(a)
	}
	return err
}

// HoldRequests holds background requests to a server, and cancels a running one, until
// release is called. The server is named as in [indexer.About]; requests to another one
// continue.
func (r *Reader) HoldRequests(endpoint string) (release func()) {
	if r.o.Embedder == nil || r.o.Embedder.About().Endpoint != endpoint {
		return func() {}
	}
	return r.gate.Hold()
}

// SettleVectors waits until each of the agent's items has its vector, or ctx is done.
// Without an embedding model it returns at once; if the model cannot be asked, the
// error says why.
func (r *Reader) SettleVectors(ctx context.Context, agentID string) error {
	a, err := r.agent(agentID)
	if err != nil {
		return err
	}
	if v := r.vectors(a); v != nil {
		return v.Settle(ctx)
	}
	return nil
}

// RebuildVectors deletes all vectors of an agent and requests them again in the
// background. [Reader.Rebuild] requests only missing ones.
func (r *Reader) RebuildVectors(agentID string) error {
	a, err := r.agent(agentID)
	if err != nil {
		return err
	}
	v := r.vectors(a)
	if v == nil {
		return fmt.Errorf("making vectors: %w: no embedding model is configured", memory.ErrInvalid)
	}
	v.Rebuild(true)
	return nil
}

// errNoVectors is the error of a search before the first vectors are made.
var errNoVectors = errors.New("the vectors are still being made")
