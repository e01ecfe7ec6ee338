package lookup

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/store"
	"memoria/memory/store/counter"
)

// Given is an agent of the configuration. Its fields override the stored ones, one by one
// (I5).
type Given struct {
	memory.Agent
	// Where maps the names of configured fields to their places: "config.toml, line 12".
	// Fields without an entry are not configured.
	Where map[string]string
}

// NamesOf returns the configured names of agents, by id.
func NamesOf(given map[string]Given) map[string]string {
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

// AgentFields lists the editable fields with access to their values.
var AgentFields = []struct {
	Name string
	Of   func(*memory.Agent) *string
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

// Agents lists the agents that have or had data, have a description, or are configured,
// and those in also. The most recently used come first.
func (r *Reader) Agents(ctx context.Context, also ...string) ([]AgentInfo, error) {
	var out []AgentInfo
	err := r.view(ctx, "listing agents", func(tx *store.Tx) error {
		ids, err := tx.Agents()
		if err != nil {
			return err
		}
		ids = slices.AppendSeq(append(ids, also...), maps.Keys(r.given))
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			info, _, err := r.AgentInfo(tx, id)
			if err != nil {
				return err
			}
			if gone, err := r.goneGroup(tx, info); err != nil {
				return err
			} else if !gone || slices.Contains(also, id) {
				out = append(out, info)
			}
		}
		return nil
	})
	slices.SortStableFunc(out, func(x, y AgentInfo) int { return y.LastUsed.Compare(x.LastUsed) })
	return out, err
}

// goneGroup reports whether info describes only a deleted group.
func (r *Reader) goneGroup(tx *store.Tx, info AgentInfo) (bool, error) {
	if _, given := r.given[info.ID]; given || info.Group || !info.Empty() || !info.CreatedAt.IsZero() {
		return false, nil
	}
	n, err := tx.Count(info.ID, counter.Group)
	if Lacking(err) {
		return false, nil
	}
	return n > 0, err
}

// Agent returns one agent. An unused id gives an empty agent; its first message creates
// it.
func (r *Reader) Agent(ctx context.Context, id string) (AgentInfo, error) {
	if !memory.ValidAgentID(id) {
		return AgentInfo{}, fmt.Errorf("agent %q: %w: ids are 1 to 64 of a-z, 0-9, - and _", id, memory.ErrInvalid)
	}
	var info AgentInfo
	err := r.view(ctx, "agent "+id, func(tx *store.Tx) (err error) {
		info, _, err = r.AgentInfo(tx, id)
		return err
	})
	return info, err
}

// FindAgent returns the agent with this id, or else with this name, ignoring case.
func (r *Reader) FindAgent(ctx context.Context, name string) (AgentInfo, error) {
	all, err := r.Agents(ctx)
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

// AgentInfo reads an agent; stored is its description in the store. An agent with an
// unreadable description is identified by its id.
func (r *Reader) AgentInfo(tx *store.Tx, id string) (info AgentInfo, stored memory.Agent, err error) {
	stored, err = tx.Agent(id)
	if err != nil && !Lacking(err) {
		return info, stored, err
	}
	if err != nil {
		stored = memory.Agent{ID: id}
	}
	info.Agent = stored
	given := r.given[id]
	info.Given = given.Where
	for _, f := range AgentFields {
		if given.Where[f.Name] != "" {
			*f.Of(&info.Agent) = *f.Of(&given.Agent)
		}
	}
	if g, err := tx.Group(id); err == nil {
		info.Group, info.Members, info.Name = true, g.Members, g.Name
	} else if !Lacking(err) {
		return info, stored, err
	}
	for name, n := range map[counter.Name]*int{counter.Items: &info.Memories, counter.Sessions: &info.Sessions, counter.Records: &info.Messages} {
		if *n, err = tx.Count(id, name); err != nil && !Lacking(err) {
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

// Groups lists the groups by id.
func (r *Reader) Groups(ctx context.Context) ([]memory.Group, error) {
	var out []memory.Group
	err := r.view(ctx, "listing groups", func(tx *store.Tx) (err error) {
		out, err = tx.Groups()
		return err
	})
	return out, err
}

// Group returns one group, or ErrNotFound.
func (r *Reader) Group(ctx context.Context, id string) (memory.Group, error) {
	var g memory.Group
	err := r.view(ctx, "group "+id, func(tx *store.Tx) (err error) {
		g, err = tx.Group(id)
		return err
	})
	return g, err
}
