package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/store"
)

// ErrExists reports that an agent with this id exists.
var ErrExists = errors.New("there is an agent with this id already")

// ErrGroup reports that an operation on agents was applied to a group.
var ErrGroup = fmt.Errorf("%w: it is a group; memoria group edit and memoria group delete are for groups", memory.ErrInvalid)

// CreateAgent stores the description of a new agent. The error is ErrExists if the id is
// described, configured, or has data.
func (m *Manager) CreateAgent(ctx context.Context, a memory.Agent) (lookup.AgentInfo, error) {
	if err := a.Validate(); err != nil {
		return lookup.AgentInfo{}, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	return m.describe(ctx, a.ID, func(tx *store.Tx) (memory.Agent, error) {
		known, err := tx.Agents()
		if err != nil {
			return a, err
		}
		if _, given := m.given[a.ID]; given || slices.Contains(known, a.ID) {
			return a, ErrExists
		}
		a.CreatedAt = tx.Now()
		return a, nil
	})
}

// NewAgentID returns an unused id for an agent of this name; see [memory.AgentIDFor].
func (m *Manager) NewAgentID(ctx context.Context, name string) (string, error) {
	return m.newID(ctx, name, memory.AgentIDFor)
}

// NewGroupID returns an unused id for a group of this name; see [memory.GroupIDFor].
func (m *Manager) NewGroupID(ctx context.Context, name string) (string, error) {
	return m.newID(ctx, name, memory.GroupIDFor)
}

func (m *Manager) newID(ctx context.Context, name string, idFor func(name string, taken func(id string) bool) string) (string, error) {
	var known []string
	err := m.View(ctx, func(tx *store.Tx) (err error) {
		known, err = tx.Agents()
		return err
	})
	if err != nil {
		return "", fmt.Errorf("listing agents: %w", err)
	}
	return idFor(name, func(id string) bool {
		_, given := m.given[id]
		return given || slices.Contains(known, id)
	}), nil
}

// EditAgent changes the description of an agent; edit receives the effective one.
// Configured fields can only be changed in the configuration: for them the error is
// memory.ErrInvalid and names the place.
func (m *Manager) EditAgent(ctx context.Context, id string, edit func(*memory.Agent)) (lookup.AgentInfo, error) {
	return m.describe(ctx, id, func(tx *store.Tx) (memory.Agent, error) {
		info, stored, err := m.Lookup().AgentInfo(tx, id)
		if err == nil && info.Group {
			err = ErrGroup
		}
		if err != nil {
			return stored, err
		}
		now := info.Agent
		edit(&now)
		for _, f := range lookup.AgentFields {
			is, was := *f.Of(&now), *f.Of(&info.Agent)
			if is == was {
				continue
			}
			if where := info.Given[f.Name]; where != "" {
				return stored, fmt.Errorf("%w: its %s is set in %s; change it there, or remove it there and change it here", memory.ErrInvalid, f.Name, where)
			}
			*f.Of(&stored) = is
		}
		if err := stored.Validate(); err != nil {
			return stored, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
		}
		if stored.CreatedAt.IsZero() {
			stored.CreatedAt = tx.Now()
		}
		return stored, nil
	})
}

// describe stores the description that what returns.
func (m *Manager) describe(ctx context.Context, id string, what func(*store.Tx) (memory.Agent, error)) (info lookup.AgentInfo, err error) {
	if !memory.ValidAgentID(id) {
		return info, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, memory.ErrInvalid)
	}
	err = m.Change(ctx, func(tx *store.Tx) error {
		a, err := what(tx)
		if err != nil {
			return err
		}
		a.ID, a.UpdatedAt = id, tx.Now()
		if err := tx.PutAgent(a); err != nil {
			return err
		}
		info, _, err = m.Lookup().AgentInfo(tx, id)
		return err
	})
	if err != nil {
		return info, fmt.Errorf("agent %s: %w", id, err)
	}
	m.Changed()
	return info, nil
}
