package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// ErrExists reports that an agent with this id exists.
var ErrExists = errors.New("there is an agent with this id already")

// ErrGroup reports that an operation on agents was applied to a group.
var ErrGroup = fmt.Errorf("%w: it is a group; memoria group edit and memoria group delete are for groups", ErrInvalid)

// Given is an agent of the configuration. Its fields override the stored ones, one by one
// (I5).
type Given struct {
	memory.Agent
	// Where maps the names of configured fields to their places: "config.toml, line 12".
	// Fields without an entry are not configured.
	Where map[string]string
}

// namesOf returns the configured names of agents, by id.
func namesOf(given map[string]Given) map[string]string {
	names := map[string]string{}
	for id, g := range given {
		if g.Where[AgentName] != "" {
			names[id] = g.Name
		}
	}
	return names
}

// Fields of an agent that can be configured and edited.
const (
	AgentName    = "name"
	AgentPersona = "persona"
	AgentModel   = "model"
	AgentColor   = "color"
)

// agentFields lists the editable fields with access to their values.
var agentFields = []struct {
	name string
	of   func(*memory.Agent) *string
}{
	{AgentName, func(a *memory.Agent) *string { return &a.Name }},
	{AgentPersona, func(a *memory.Agent) *string { return &a.Persona }},
	{AgentModel, func(a *memory.Agent) *string { return &a.Model }},
	{AgentColor, func(a *memory.Agent) *string { return &a.Color }},
}

// AgentInfo describes an agent with its effective settings and its counts.
type AgentInfo struct {
	memory.Agent
	// Group reports whether it is a group, which a user talks to like an agent (S9).
	// Members are the ids of its members.
	Group   bool     `json:"group,omitempty"`
	Members []string `json:"members,omitempty"`
	// Given maps configured fields to their places, as in [Given].
	Given    map[string]string `json:"given,omitempty"`
	Memories int               `json:"memories"`
	Sessions int               `json:"sessions"`
	Messages int               `json:"messages"`
	// Profile reports whether the agent has a profile of the user.
	Profile  bool      `json:"profile"`
	LastUsed time.Time `json:"last_used,omitzero"`
}

// Empty reports whether the agent has nothing but its description.
func (a AgentInfo) Empty() bool {
	return a.Memories == 0 && a.Sessions == 0 && a.Messages == 0 && !a.Profile
}

// Agents lists the agents that have or had data, have a description, or are configured,
// and those in also. The most recently used come first.
func (m *Manager) Agents(ctx context.Context, also ...string) ([]AgentInfo, error) {
	var out []AgentInfo
	err := m.view(ctx, func(tx *store.Tx) error {
		ids, err := tx.Agents()
		if err != nil {
			return err
		}
		ids = slices.AppendSeq(append(ids, also...), maps.Keys(m.given))
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			info, _, err := m.agentInfo(tx, id)
			if err != nil {
				return err
			}
			if gone, err := m.goneGroup(tx, info); err != nil {
				return err
			} else if !gone || slices.Contains(also, id) {
				out = append(out, info)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing agents: %w", err)
	}
	slices.SortStableFunc(out, func(x, y AgentInfo) int { return y.LastUsed.Compare(x.LastUsed) })
	return out, nil
}

// goneGroup reports whether info describes only a deleted group.
func (m *Manager) goneGroup(tx *store.Tx, info AgentInfo) (bool, error) {
	if _, given := m.given[info.ID]; given || info.Group || !info.Empty() || !info.CreatedAt.IsZero() {
		return false, nil
	}
	n, err := tx.Count(info.ID, counter.Group)
	if lacking(err) {
		return false, nil
	}
	return n > 0, err
}

// Agent returns one agent. An unused id gives an empty agent; its first message creates
// it.
func (m *Manager) Agent(ctx context.Context, id string) (AgentInfo, error) {
	if !memory.ValidAgentID(id) {
		return AgentInfo{}, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, ErrInvalid)
	}
	var info AgentInfo
	err := m.view(ctx, func(tx *store.Tx) (err error) {
		info, _, err = m.agentInfo(tx, id)
		return err
	})
	if err != nil {
		return info, fmt.Errorf("agent %s: %w", id, err)
	}
	return info, nil
}

// FindAgent returns the agent with this id, or else with this name, ignoring case.
func (m *Manager) FindAgent(ctx context.Context, name string) (AgentInfo, error) {
	all, err := m.Agents(ctx)
	if err != nil {
		return AgentInfo{}, err
	}
	var found []AgentInfo
	for _, a := range all {
		if a.ID == name {
			return a, nil
		}
		if strings.EqualFold(a.Name, strings.TrimSpace(name)) {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return AgentInfo{}, fmt.Errorf("agent %q: %w", name, ErrNotFound)
	}
	return AgentInfo{}, fmt.Errorf("agent %q: %w", name, ErrAmbiguous)
}

// agentInfo reads an agent; stored is its description in the store. An agent with an
// unreadable description is identified by its id.
func (m *Manager) agentInfo(tx *store.Tx, id string) (info AgentInfo, stored memory.Agent, err error) {
	stored, err = tx.Agent(id)
	if err != nil && !lacking(err) {
		return info, stored, err
	}
	if err != nil {
		stored = memory.Agent{ID: id}
	}
	info.Agent = stored
	given := m.given[id]
	info.Given = given.Where
	for _, f := range agentFields {
		if given.Where[f.name] != "" {
			*f.of(&info.Agent) = *f.of(&given.Agent)
		}
	}
	if g, err := tx.Group(id); err == nil {
		info.Group, info.Members, info.Name = true, g.Members, g.Name
	} else if !lacking(err) {
		return info, stored, err
	}
	for name, n := range map[counter.Name]*int{counter.Items: &info.Memories, counter.Sessions: &info.Sessions, counter.Records: &info.Messages} {
		if *n, err = tx.Count(id, name); err != nil && !lacking(err) {
			return info, stored, err
		}
	}
	if _, err := tx.Profile(id); err == nil || store.Unreadable(err) {
		info.Profile = true
	}
	for s, err := range tx.Sessions(id) {
		if err == nil {
			info.LastUsed = s.LastMessageAt
		}
		break
	}
	return info, stored, nil
}

// CreateAgent stores the description of a new agent. The error is ErrExists if the id is
// described, configured, or has data.
func (m *Manager) CreateAgent(ctx context.Context, a memory.Agent) (AgentInfo, error) {
	if err := a.Validate(); err != nil {
		return AgentInfo{}, fmt.Errorf("%w: %w", ErrInvalid, err)
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
	err := m.view(ctx, func(tx *store.Tx) (err error) {
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
// ErrInvalid and names the place.
func (m *Manager) EditAgent(ctx context.Context, id string, edit func(*memory.Agent)) (AgentInfo, error) {
	return m.describe(ctx, id, func(tx *store.Tx) (memory.Agent, error) {
		info, stored, err := m.agentInfo(tx, id)
		if err == nil && info.Group {
			err = ErrGroup
		}
		if err != nil {
			return stored, err
		}
		now := info.Agent
		edit(&now)
		for _, f := range agentFields {
			is, was := *f.of(&now), *f.of(&info.Agent)
			if is == was {
				continue
			}
			if where := info.Given[f.name]; where != "" {
				return stored, fmt.Errorf("%w: its %s is set in %s; change it there, or remove it there and change it here", ErrInvalid, f.name, where)
			}
			*f.of(&stored) = is
		}
		if err := stored.Validate(); err != nil {
			return stored, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		if stored.CreatedAt.IsZero() {
			stored.CreatedAt = tx.Now()
		}
		return stored, nil
	})
}

// describe stores the description that what returns.
func (m *Manager) describe(ctx context.Context, id string, what func(*store.Tx) (memory.Agent, error)) (info AgentInfo, err error) {
	if !memory.ValidAgentID(id) {
		return info, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, ErrInvalid)
	}
	err = m.change(ctx, func(tx *store.Tx) error {
		a, err := what(tx)
		if err != nil {
			return err
		}
		a.ID, a.UpdatedAt = id, tx.Now()
		if err := tx.PutAgent(a); err != nil {
			return err
		}
		info, _, err = m.agentInfo(tx, id)
		return err
	})
	if err != nil {
		return info, fmt.Errorf("agent %s: %w", id, err)
	}
	m.changed()
	return info, nil
}

// Says summarises in words what a deletion would remove: "12 memories, 4 sessions, 210
// messages, the profile".
func (a AgentInfo) Says() string {
	var parts []string
	for _, c := range []struct {
		n         int
		one, many string
	}{{a.Memories, "memory", "memories"}, {a.Sessions, "session", "sessions"}, {a.Messages, "message", "messages"}} {
		if c.n > 0 {
			what := c.many
			if c.n == 1 {
				what = c.one
			}
			parts = append(parts, fmt.Sprintf("%d %s", c.n, what))
		}
	}
	if a.Profile {
		parts = append(parts, "the profile")
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing but its description")
}
