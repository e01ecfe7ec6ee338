package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"memoria/memory"
	"memoria/memory/manager"
)

// usualAgent is the agent that is talked to when none is named.
func (s settings) usualAgent() string { return cmp.Or(s.usual, DefaultAgent) }

// given is what the configuration says of agents, and that there is a usual one.
func given(s settings) map[string]manager.Given {
	out := map[string]manager.Given{s.usualAgent(): {}}
	source, _ := readConfig(s.config, false)
	for id := range s.cfg.Agents {
		g := manager.Given{Agent: s.cfg.persona(id), Where: map[string]string{}}
		for name, value := range map[string]string{
			manager.AgentName: g.Name, manager.AgentPersona: g.Persona, manager.AgentModel: g.Model, manager.AgentColor: g.Color,
		} {
			if value != "" {
				line := lineOf(source, toml.Key{"agents", id, name}.String())
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
	return p.tellNewAgent(ctx, o)
}

// tellNewAgent says that the agent has no memory when it is one that nobody
// configured either: its name may be a slip of the fingers. On a terminal it asks, where
// others have a memory.
func (p *Program) tellNewAgent(ctx context.Context, o *open) error {
	id := o.agent.ID
	configured := slices.Sorted(maps.Keys(o.cfg.Agents))
	if usual := o.usualAgent(); !slices.Contains(configured, usual) {
		configured = append(configured, usual)
	}
	if p.demo.on || o.group != nil || slices.Contains(configured, id) {
		return nil
	}
	all, err := o.manager.Agents(ctx)
	if err != nil {
		return err
	}
	var known []string
	used := false
	for _, a := range all {
		known = append(known, a.ID)
		used = used || !a.Empty()
	}
	if slices.Contains(known, id) {
		return nil
	}
	verb := "are"
	if len(configured) == 1 {
		verb = "is"
	}
	text := fmt.Sprintf("agent %q is new: it has no memory yet; configured %s %s", id, verb, strings.Join(configured, ", "))
	if near := nearest(id, append(configured, known...)); near != "" {
		text += "; did you mean " + near + "?"
	}
	p.say("%s", text)
	if !used || !isTerminal(p.Stdin) {
		return nil
	}
	return p.decide(ctx, false, "begin a new agent "+id, "begun")
}
