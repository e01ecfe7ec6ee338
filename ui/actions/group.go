package actions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/app"
	"memoria/ui/words"
)

// group lists the groups, or switches to the one that is named or described.
func group(ctx context.Context, c *Console, text string) (Result, error) {
	if text == "" {
		return c.groups(ctx)
	}
	if i, ok := number(text); ok && i >= 0 && i < len(c.last.agents) {
		text = c.last.agents[i].ID
	}
	g, added, err := c.Conversations.FindOrAddGroup(ctx, text)
	if errors.Is(err, lookup.ErrNotFound) {
		return c.refuse("group.unknown")
	} else if err != nil {
		return Result{}, err
	}
	there, err := switchAgent(ctx, c, g.ID)
	if !added || err != nil {
		return there, err
	}
	return Result{Lines: []string{c.Say("group.added", line(g.Title()), c.Words.Members(g.Members))}, Then: &there}, nil
}

func (c *Console) groups(ctx context.Context) (Result, error) {
	all, err := c.Conversations.Agents(ctx)
	if err != nil {
		return Result{}, err
	}
	groups := slices.DeleteFunc(slices.Clone(all), func(a lookup.AgentInfo) bool { return !a.Group })
	switch {
	case len(groups) == 0 && len(all) < memory.MinMembers:
		return c.note("group.too-few"), nil
	case len(groups) == 0:
		return c.note("group.none"), nil
	}
	return Result{List: c.listAgents(groups, "group", "group.hint")}, nil
}

// editGroup changes the name or the members of the group.
func editGroup(ctx context.Context, c *Console, field, text string) (Result, error) {
	var change func(*memory.Group)
	switch {
	case field == lookup.AgentName && text != "":
		change = func(g *memory.Group) { g.Name = text }
	case field == "members":
		ids, err := c.Conversations.MemberIDs(ctx, text)
		if err != nil {
			return Result{}, err
		}
		if len(ids) < memory.MinMembers {
			return c.refuse("group.two")
		}
		change = func(g *memory.Group) { g.Members = ids }
	default:
		return c.refuse("group.fields")
	}
	_, talk, err := c.Conversations.EditGroup(ctx, c.Agent.ID, change)
	return Result{Open: talk, Notes: []string{c.Say("agent.edited")}}, err
}

// deleteGroup asks, and deletes a group with all that was said in it (D2).
func (c *Console) deleteGroup(g lookup.AgentInfo) Result {
	title := c.Say("group.title", line(g.Title()))
	remove := func(ctx context.Context, memories bool) (Result, error) {
		d, talk, err := c.Conversations.DeleteGroup(ctx, g.ID, memories)
		return c.agentGone(g, talk, d, c.extent(title, d), err)
	}
	if g.Empty() {
		return c.confirm(c.Say("group.delete.empty", title), c.Say("nothing.deleted"), func(ctx context.Context) (Result, error) {
			return remove(ctx, false)
		})
	}
	return c.confirm(c.Say("group.delete", title, c.Words.AgentHas(g)), c.Say("nothing.deleted"), func(context.Context) (Result, error) {
		return c.withMemories("group.delete.memories", remove), nil
	})
}

// agentNames are the names of the agents that have one, by id.
func agentNames(ctx context.Context, c *Console) map[string]string {
	names := map[string]string{}
	all, _ := c.Memory.Lookup().Agents(ctx) // without names they are known by their ids
	for _, a := range all {
		if a.Name != "" {
			names[a.ID] = a.Name
		}
	}
	return names
}

// listGroups lists the groups for a command.
func listGroups(ctx context.Context, c *Console, _ string) (Result, error) {
	all, err := c.Memory.Lookup().Groups(ctx)
	r := Result{Data: append([]memory.Group{}, all...)}
	names := agentNames(ctx, c)
	for _, g := range all {
		r.Lines = append(r.Lines, words.GroupRow(g, names))
	}
	if len(all) == 0 {
		r.Notes = []string{c.Say("group.none")}
	}
	return r, err
}

// Group finds a group, and how much was said in it.
func Group(ctx context.Context, c *Console, id string) (g memory.Group, messages, sessions int, err error) {
	if g, err = c.Memory.Lookup().Group(ctx, id); err != nil {
		return g, 0, 0, err
	}
	list, sessions, err := c.Memory.Lookup().Sessions(ctx, g.ID, 0, 0)
	for _, s := range list {
		messages += s.Messages
	}
	return g, messages, sessions, err
}

// showGroup shows a group and who is in it.
func showGroup(ctx context.Context, c *Console, id string) (Result, error) {
	g, messages, sessions, err := Group(ctx, c, id)
	return Result{
		Data: g, Title: line(g.Name), Fields: c.Words.GroupFields(g, agentNames(ctx, c), messages, sessions, c.Now().Location()),
		Notes: []string{c.Say("group.talk", g.ID)},
	}, err
}

// GroupChange is what a command changes of a group, or adds.
type GroupChange struct {
	// ID is the group's, or the name that an id is made from; Name is nil when it stays.
	ID   string
	Name *string
	// Members are all of them; nil when they stay. Add come, and Remove leave.
	Members, Add, Remove []string
	// Check refuses ids that are no agent's.
	Check func(ctx context.Context, ids ...string) error
}

// resolve makes ids of the names of agents.
func (g *GroupChange) resolve(ctx context.Context, c *Console) error {
	for _, names := range [][]string{g.Members, g.Add, g.Remove} {
		for i, name := range names {
			a, err := c.Memory.Lookup().FindAgent(ctx, name)
			switch {
			case err == nil:
				names[i] = a.ID
			case errors.Is(err, lookup.ErrAmbiguous):
				return app.UsageError(c.Say("group.several", name))
			case !errors.Is(err, lookup.ErrNotFound):
				return err
			case !memory.ValidAgentID(name):
				return app.UsageError(c.Say("group.no-agent", name))
			}
		}
	}
	return g.Check(ctx, append(slices.Clone(g.Members), g.Add...)...)
}

// AddGroup adds a group.
func AddGroup(ctx context.Context, c *Console, g GroupChange) (r Result, err error) {
	added := memory.Group{ID: g.ID}
	switch {
	case g.Name != nil && memory.ValidAgentID(g.ID):
		added.Name = *g.Name
	case g.Name != nil:
		return r, app.UsageError(c.Say("group.id", g.ID))
	case !memory.ValidAgentID(g.ID): // a name, such as 读书会
		switch there, err := c.Memory.Lookup().FindAgent(ctx, g.ID); {
		case err == nil:
			return r, app.UsageError(c.Say("group.there", there.Title()))
		case errors.Is(err, lookup.ErrAmbiguous):
			return r, app.UsageError(c.Say("group.there", g.ID))
		case !errors.Is(err, lookup.ErrNotFound):
			return r, err
		}
		added.Name = strings.TrimSpace(g.ID)
		if added.ID, err = c.Memory.Agents().NewGroupID(ctx, added.Name); err != nil {
			return r, err
		}
	}
	if err := g.resolve(ctx, c); err != nil {
		return r, err
	}
	added.Members = g.Members
	added.Call(agentNames(ctx, c))
	added, err = c.Memory.AddGroup(ctx, added)
	return groupChanged(ctx, c, "group.made", added), err
}

// EditGroup changes a group.
func EditGroup(ctx context.Context, c *Console, g GroupChange) (r Result, err error) {
	if err := g.resolve(ctx, c); err != nil {
		return r, err
	}
	var strangers []string
	names := agentNames(ctx, c)
	now, err := c.Memory.EditGroup(ctx, g.ID, func(to *memory.Group) {
		if g.Name != nil {
			to.Name = *g.Name
		}
		if g.Members != nil {
			to.Members = g.Members
		}
		strangers = slices.DeleteFunc(slices.Clone(g.Remove), to.Has)
		to.Members = slices.DeleteFunc(slices.Clone(to.Members), func(id string) bool { return slices.Contains(g.Remove, id) })
		to.Members = append(to.Members, g.Add...)
		to.Call(names)
	})
	if err == nil && len(strangers) > 0 {
		c.remark("group.stranger", strings.Join(strangers, ", "))
	}
	return groupChanged(ctx, c, "group.changed", now), err
}

// groupChanged tells what a group is now.
func groupChanged(ctx context.Context, c *Console, said string, g memory.Group) Result {
	return Result{Data: g, ID: g.ID, Notes: []string{c.Say(said, line(g.Name), words.NamedMembers(g, agentNames(ctx, c)), g.ID)}}
}
