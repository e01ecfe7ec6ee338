package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memoria/memory"
	"memoria/memory/bounds"
	"memoria/memory/indexer"
	"memoria/memory/store"
	"memoria/memory/store/counter"
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

// DerivedVectors names the vectors among what is derived.
const DerivedVectors = "vectors"

// vectors returns what keeps an agent's vectors, and begins it when it is first
// needed; nil where no embedding model is configured.
func (m *Manager) vectors(a *agent) *indexer.Vectors {
	if m.embedder == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if a.vectors == nil && !m.closed && !a.left {
		a.vectors = indexer.OpenVectors(indexer.VectorOptions{
			Store: m.store, Agent: a.id, Embedder: m.embedder, Gate: &m.gate, Logger: m.log, Notify: m.changed,
			Should: func(it memory.Item) bool { return m.decide().ShouldEmbed(it).Yes },
		})
	}
	return a.vectors
}

// openVectors is vectors without beginning anything.
func (m *Manager) openVectors(a *agent) *indexer.Vectors {
	m.mu.Lock()
	defer m.mu.Unlock()
	return a.vectors
}

// FollowVectors begins to give an agent's items their vectors in the background,
// where an embedding model is configured.
func (m *Manager) FollowVectors(agentID string) error {
	a, err := m.agent(agentID)
	if err == nil {
		m.vectors(a)
	}
	return err
}

// HoldRequests keeps requests for items' vectors from a server while somebody else
// needs it, and ends the one under way, until release is called. The server is named
// as [indexer.About] does; requests to another one go on.
func (m *Manager) HoldRequests(endpoint string) (release func()) {
	if m.embedder == nil || m.embedder.About().Endpoint != endpoint {
		return func() {}
	}
	return m.gate.Hold()
}

// SettleVectors waits until each of the agent's items has the vector it should have,
// or ctx ends. Where no embedding model is configured there is nothing to wait for;
// when it cannot be asked, the error says why.
func (m *Manager) SettleVectors(ctx context.Context, agentID string) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	if v := m.vectors(a); v != nil {
		return v.Settle(ctx)
	}
	return nil
}

// RebuildVectors throws all vectors of an agent away and asks for them again, in the
// background. RebuildIndex asks only for those that are missing.
func (m *Manager) RebuildVectors(agentID string) error {
	a, err := m.agent(agentID)
	if err != nil {
		return err
	}
	v := m.vectors(a)
	if v == nil {
		return fmt.Errorf("making vectors: %w: no embedding model is configured", ErrInvalid)
	}
	v.Rebuild(true)
	return nil
}

// vectorStatus tells how the vectors are doing; false where none are configured.
func (m *Manager) vectorStatus(ctx context.Context, a *agent) (d Derived, ok bool, err error) {
	if m.embedder == nil {
		return d, false, nil
	}
	about := m.embedder.About()
	d = Derived{Name: DerivedVectors, State: StateNotOpened, Model: about.Name, Endpoint: about.Endpoint}
	var set store.VectorSet
	err = m.view(ctx, func(tx *store.Tx) error {
		if set, err = tx.VectorSet(a.id); err != nil {
			return err
		}
		if set.Model == about.Key {
			d.Count, err = tx.Count(a.id, counter.Vectors)
		}
		return err
	})
	d.Bytes = int64(d.Count) * int64(set.Dimension) * 4
	v := m.openVectors(a)
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

// errNoVectors is why a message has no vector although it could have one.
var errNoVectors = errors.New("the vectors are still being made")
