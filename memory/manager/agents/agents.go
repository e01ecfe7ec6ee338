package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/memory/store"
)

// ErrExists reports that an agent with this id exists.
var ErrExists = errors.New("there is an agent with this id already")

// Writer writes the descriptions of agents. It is safe for concurrent use.
type Writer struct {
	*write.Core
	given map[string]lookup.Given
}

// New returns a writer for a data folder. given are the configured agents by id.
func New(c *write.Core, given map[string]lookup.Given) *Writer { return &Writer{c, given} }

// CreateAgent stores the description of a new agent. The error is ErrExists if the id is
// described, configured, or has data.
func (w *Writer) CreateAgent(ctx context.Context, a memory.Agent) (lookup.AgentInfo, error) {
	if err := a.Validate(); err != nil {
		return lookup.AgentInfo{}, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	return w.describe(ctx, a.ID, func(tx *store.Tx) (memory.Agent, error) {
		known, err := tx.Agents()
		if err != nil {
			return a, err
		}
		if _, given := w.given[a.ID]; given || slices.Contains(known, a.ID) {
			return a, ErrExists
		}
		a.CreatedAt = tx.Now()
		return a, nil
	})
}

// NewAgentID returns an unused id for an agent of this name; see [memory.AgentIDFor].
func (w *Writer) NewAgentID(ctx context.Context, name string) (string, error) {
	return w.newID(ctx, name, memory.AgentIDFor)
}

// NewGroupID returns an unused id for a group of this name; see [memory.GroupIDFor].
func (w *Writer) NewGroupID(ctx context.Context, name string) (string, error) {
	return w.newID(ctx, name, memory.GroupIDFor)
}

func (w *Writer) newID(ctx context.Context, name string, idFor func(name string, taken func(id string) bool) string) (string, error) {
	var known []string
	err := w.View(ctx, func(tx *store.Tx) (err error) {
		known, err = tx.Agents()
		return err
	})
	if err != nil {
		return "", fmt.Errorf("listing agents: %w", err)
	}
	return idFor(name, func(id string) bool {
		_, given := w.given[id]
		return given || slices.Contains(known, id)
	}), nil
}

// EditAgent changes the description of an agent; edit receives the effective one.
// Configured fields can only be changed in the configuration: for them the error is
// memory.ErrInvalid and names the place.
func (w *Writer) EditAgent(ctx context.Context, id string, edit func(*memory.Agent)) (lookup.AgentInfo, error) {
	return w.describe(ctx, id, func(tx *store.Tx) (memory.Agent, error) {
		info, stored, err := w.Lookup().AgentInfo(tx, id)
		if err == nil && info.Group {
			err = write.ErrGroup
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
				return stored, fmt.Errorf("%w: its %s is set in %s; change it there, or remove it there and change it here",
					memory.ErrInvalid, f.Name, where)
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
func (w *Writer) describe(ctx context.Context, id string, what func(*store.Tx) (memory.Agent, error)) (info lookup.AgentInfo, err error) {
	if !memory.ValidAgentID(id) {
		return info, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, memory.ErrInvalid)
	}
	err = w.Change(ctx, func(tx *store.Tx) error {
		a, err := what(tx)
		if err != nil {
			return err
		}
		a.ID, a.UpdatedAt = id, tx.Now()
		if err := tx.PutAgent(a); err != nil {
			return err
		}
		info, _, err = w.Lookup().AgentInfo(tx, id)
		return err
	})
	if err != nil {
		return info, fmt.Errorf("agent %s: %w", id, err)
	}
	w.Changed()
	return info, nil
}
