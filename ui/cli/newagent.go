package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/config"
)

// usualAgent is the agent that is talked to when none is named.
func (s settings) usualAgent() string { return cmp.Or(s.usual, config.DefaultAgent) }

// given is what the configuration says of agents, and that there is a usual one.
func given(s settings) map[string]manager.Given {
	out := map[string]manager.Given{s.usualAgent(): {}}
	source, _ := config.Read(s.config, false)
	for id := range s.cfg.Agents {
		g := manager.Given{Agent: s.cfg.Persona(id), Where: map[string]string{}}
		for name, value := range map[string]string{
			manager.AgentName: g.Name, manager.AgentPersona: g.Persona, manager.AgentModel: g.Model, manager.AgentColor: g.Color,
		} {
			if value != "" {
				line := config.LineOf(source, toml.Key{"agents", id, name}.String())
				g.Where[name] = fmt.Sprintf("%s, line %d", filepath.Base(s.config), line)
			}
		}
		out[id] = g
	}
	return out
}

// mayName refuses a name of an agent that nobody can have, before anything is made.
func (p *Program) mayName(s settings) error {
	if p.agent == "" || memory.ValidAgentID(p.agent) || exists(filepath.Join(s.data, storeFile)) {
		return nil
	}
	for _, a := range s.cfg.Agents {
		if strings.EqualFold(a.Name, p.agent) {
			return nil
		}
	}
	return p.noSuchAgent()
}

func (p *Program) noSuchAgent() error {
	return wrongUsage("--agent %q: no agent is called so, and ids are 1 to 64 of a-z, 0-9, - and _", p.agent)
}

// chooseAgent finds whom to talk to: by id, or by a name that one agent has.
func (p *Program) chooseAgent(ctx context.Context, o *open) error {
	id := o.agent.ID
	if p.agent != "" {
		found, err := o.manager.FindAgent(ctx, p.agent)
		switch {
		case err == nil:
			id = found.ID
		case errors.Is(err, manager.ErrAmbiguous):
			return wrongUsage("--agent %q: several agents are called so; give an id: memoria agent list", p.agent)
		case !errors.Is(err, manager.ErrNotFound):
			return err
		case !memory.ValidAgentID(p.agent):
			return p.noSuchAgent()
		}
	}
	info, err := o.manager.Agent(ctx, id)
	if err != nil {
		return err
	}
	o.agent, o.cfg.Agent = info.Agent, info.ID
	if err := o.joinGroup(ctx); err != nil {
		return err
	}
	return p.knownAgent(ctx, o)
}

// knownAgent refuses a name that neither the configuration nor the memory has: a slip of the
// fingers would begin an empty memory (I8).
func (p *Program) knownAgent(ctx context.Context, o *open) error {
	if p.demo.on || o.group != nil {
		return nil
	}
	return o.mustKnow(ctx, o.agent.ID)
}

// mustKnow is an error that suggests the nearest name when one of the ids is no agent's.
func (o *open) mustKnow(ctx context.Context, ids ...string) error {
	known := o.configured()
	all, err := o.manager.Agents(ctx)
	if err != nil {
		return err
	}
	for _, a := range all {
		known = append(known, a.ID)
	}
	i := slices.IndexFunc(ids, func(id string) bool { return !slices.Contains(known, id) })
	if i < 0 {
		return nil
	}
	if near := config.Nearest(ids[i], known); near != "" {
		return wrongUsage("no agent is called %s; did you mean %s? (a new one: memoria agent add %[1]s)", ids[i], near)
	}
	slices.Sort(known)
	return wrongUsage("no agent is called %s; there is %s (a new one: memoria agent add %[1]s)", ids[i], strings.Join(slices.Compact(known), ", "))
}
