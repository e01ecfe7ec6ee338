package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/config"
)

// givenAgents returns the agents that the configuration describes, and the default one.
func (s Setup) givenAgents() map[string]lookup.Given {
	out := map[string]lookup.Given{s.DefaultAgent(): {}}
	for id, of := range s.Config.Agents {
		g := lookup.Given{Agent: s.Config.Persona(id), Where: map[string]string{}}
		for name, value := range map[string]string{
			lookup.AgentName: of.Name, lookup.AgentPersona: of.Persona, lookup.AgentModel: of.Model, lookup.AgentColor: of.Color,
		} {
			if value != "" {
				g.Where[name] = fmt.Sprintf("%s, line %d", filepath.Base(s.Path), s.Line(toml.Key{"agents", id, name}.String()))
			}
		}
		out[id] = g
	}
	return out
}

// ConfiguredAgents lists the ids of the agents that the configuration names.
func (s Setup) ConfiguredAgents() []string {
	out := slices.Sorted(maps.Keys(s.Config.Agents))
	if usual := s.DefaultAgent(); !slices.Contains(out, usual) {
		out = append(out, usual)
	}
	return out
}

// checkName refuses a name that no agent can have, before anything is created.
func (o *Options) checkName(s Setup) error {
	if o.Agent == "" || memory.ValidAgentID(o.Agent) || hasMemory(s.DataDir) {
		return nil
	}
	for _, a := range s.Config.Agents {
		if strings.EqualFold(a.Name, o.Agent) {
			return nil
		}
	}
	return o.noSuchAgent()
}

func (o *Options) noSuchAgent() error {
	return wrongUsage("--agent %q: no agent is called so, and ids are 1 to 64 of a-z, 0-9, - and _", o.Agent)
}

// chooseAgent finds the agent or group to talk to: by id, or by an unambiguous name.
func (a *App) chooseAgent(ctx context.Context) error {
	id, name := a.Agent.ID, a.options.Agent
	if name != "" {
		found, err := a.Memory.Lookup().FindAgent(ctx, name)
		switch {
		case err == nil:
			id = found.ID
		case errors.Is(err, lookup.ErrAmbiguous):
			return wrongUsage("--agent %q: several agents are called so; give an id: memoria agent list", name)
		case !errors.Is(err, lookup.ErrNotFound):
			return err
		case !memory.ValidAgentID(name):
			return a.options.noSuchAgent()
		}
	}
	info, err := a.Memory.Lookup().Agent(ctx, id)
	if err != nil {
		return err
	}
	a.Agent, a.Config.Agent = info.Agent, info.ID
	members, g, err := a.groupOf(ctx, a.Agent.ID)
	if err != nil {
		return err
	}
	if g != nil {
		a.Agent, a.Members, a.Group = chat.Agent{ID: g.ID, Name: g.Name}, members, g
		return nil
	}
	if a.options.Demo {
		return nil
	}
	return a.CheckAgents(ctx, a.Agent.ID)
}

// CheckAgents refuses an id that neither the configuration nor the memory has, and
// suggests the nearest one: a typing error must not begin an empty memory (I8).
func (a *App) CheckAgents(ctx context.Context, ids ...string) error {
	known := a.ConfiguredAgents()
	all, err := a.Memory.Lookup().Agents(ctx)
	if err != nil {
		return err
	}
	for _, info := range all {
		known = append(known, info.ID)
	}
	i := slices.IndexFunc(ids, func(id string) bool { return !slices.Contains(known, id) })
	if i < 0 {
		return nil
	}
	if near := config.Nearest(ids[i], known); near != "" {
		return wrongUsage("no agent is called %s; did you mean %s? (a new one: memoria agent add %[1]s)", ids[i], near)
	}
	slices.Sort(known)
	return wrongUsage("no agent is called %s; there is %s (a new one: memoria agent add %[1]s)",
		ids[i], strings.Join(slices.Compact(known), ", "))
}

// groupOf returns the group with this id, and its members; nil when there is none.
func (a *App) groupOf(ctx context.Context, id string) (members []chat.Agent, _ *memory.Group, err error) {
	g, err := a.Memory.Lookup().Group(ctx, id)
	if errors.Is(err, lookup.ErrNotFound) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for _, id := range g.Members {
		info, err := a.Memory.Lookup().Agent(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		info.Name = info.Title()
		members = append(members, info.Agent)
	}
	return members, &g, nil
}

// nameMembers stores the current names of the members in the group. It returns them
// with the names of former members.
func (a *App) nameMembers(ctx context.Context, g memory.Group, members []chat.Agent) (map[string]string, error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("%w: nobody is left in the group %s; add agents: memoria group edit %[2]s --add AGENT,AGENT",
			memory.ErrInvalid, g.ID)
	}
	names := maps.Clone(g.Names)
	for _, m := range members {
		if names == nil {
			names = map[string]string{}
		}
		if names[m.ID] = m.Name; m.Name == m.ID {
			delete(names, m.ID)
		}
	}
	if maps.Equal(names, g.Names) {
		return names, nil
	}
	_, err := a.Memory.EditGroup(ctx, g.ID, func(g *memory.Group) { g.Names = names })
	return names, err
}

// Rememberers returns the agents that may have something to learn: the agent, or the
// group and its members.
func (a *App) Rememberers() []string {
	ids := []string{a.Agent.ID}
	for _, m := range a.Members {
		ids = append(ids, m.ID)
	}
	return ids
}

// Speaker returns the name of the agent that said a record; empty for the user.
func (a *App) Speaker(r memory.Record) string {
	if r.Sender == "" {
		return ""
	}
	if a.Group != nil {
		for _, m := range a.Members {
			if m.ID == r.Sender {
				return m.Name
			}
		}
		return a.Group.NameOf(r.Sender)
	}
	info, err := a.Memory.Lookup().Agent(context.Background(), r.Sender)
	if err != nil {
		return r.Sender
	}
	return info.Title()
}
