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

// VectorConfig is how vectors take part in retrieval; part of the [embedding] table.
type VectorConfig struct {
	// Weight is how much of what its words leave open an item's meaning fills up, 0–1;
	// see [retrieve.Combine].
	Weight float64 `toml:"weight"`
	// QueryTimeout is how long a message waits for its own vector; without one, its
	// words are compared alone.
	QueryTimeout time.Duration `toml:"query_timeout"`
}

// DefaultVectors returns the settings that hold where the file says nothing.
func DefaultVectors() VectorConfig {
	return VectorConfig{Weight: 0.5, QueryTimeout: 300 * time.Millisecond}
}

// VectorSettings declares the bounds of [VectorConfig].
func VectorSettings() []bounds.Setting {
	return []bounds.Setting{bounds.Between("weight", 0.0, 1), bounds.PositiveTo("query_timeout", time.Minute)}
}

// Validate returns the values that are out of their bounds as [bounds.Faults].
func (c VectorConfig) Validate() error { return bounds.Check(c, VectorSettings()) }

// vectors returns what keeps an agent's vectors, and begins it when it is first
// needed; nil where no embedding model is configured.
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

// openVectors is vectors without beginning anything.
func (r *Reader) openVectors(a *agent) *indexer.Vectors {
	r.mu.Lock()
	defer r.mu.Unlock()
	return a.vectors
}

// FollowVectors begins to give an agent's items their vectors in the background,
// where an embedding model is configured.
func (r *Reader) FollowVectors(agentID string) error {
	a, err := r.agent(agentID)
	if err == nil {
		r.vectors(a)
	}
	return err
}

// HoldRequests keeps requests for items' vectors from a server while somebody else
// needs it, and ends the one under way, until release is called. The server is named
// as [indexer.About] does; requests to another one go on.
func (r *Reader) HoldRequests(endpoint string) (release func()) {
	if r.o.Embedder == nil || r.o.Embedder.About().Endpoint != endpoint {
		return func() {}
	}
	return r.gate.Hold()
}

// SettleVectors waits until each of the agent's items has the vector it should have,
// or ctx ends. Where no embedding model is configured there is nothing to wait for;
// when it cannot be asked, the error says why.
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

// RebuildVectors throws all vectors of an agent away and asks for them again, in the
// background. RebuildIndex asks only for those that are missing.
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

// errNoVectors is why a message has no vector although it could have one.
var errNoVectors = errors.New("the vectors are still being made")
