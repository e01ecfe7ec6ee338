package actions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
	"memoria/ui/words"
)

// agents lists the agents and groups.
func agents(ctx context.Context, c *Console, _ string) (Result, error) {
	list, err := c.Conversations.Agents(ctx)
	if err != nil {
		return Result{}, err
	}
	return Result{List: c.agentList(list, "agent", "agent.hint")}, nil
}

func (c *Console) agentList(list []lookup.AgentInfo, what, hint string) *List {
	c.last.agents = list
	l := &List{Total: len(list), What: what, Hint: c.Say(hint)}
	for _, a := range list {
		l.Rows = append(l.Rows, c.agentRow(a))
	}
	return l
}

func (c *Console) agentRow(a lookup.AgentInfo) words.Row {
	return words.AgentRow(a, c.Now(), a.ID == c.Agent.ID, false)
}

// findAgent finds an agent by its number in the last list, its id or its name; "" is the
// one that the conversation is with.
func (c *Console) findAgent(ctx context.Context, name string) (lookup.AgentInfo, error) {
	if name == "" {
		name = c.Agent.ID
	}
	if i, ok := number(name); ok && i >= 0 && i < len(c.last.agents) {
		name = c.last.agents[i].ID
	}
	return c.Conversations.FindAgent(ctx, name)
}

// switchAgent switches to another agent, or says which one this is.
func switchAgent(ctx context.Context, c *Console, name string) (Result, error) {
	a, err := c.findAgent(ctx, name)
	if err != nil {
		return Result{}, err
	}
	if a.ID == c.Agent.ID {
		return c.note("agent.here", c.agentRow(a).Sentence), nil
	}
	talk, err := c.Conversations.Switch(ctx, a.ID)
	return Result{Open: talk}, err
}

func addAgent(ctx context.Context, c *Console, name string) (Result, error) {
	a, err := c.Conversations.AddAgent(ctx, memory.Agent{Name: strings.TrimSpace(name)})
	return Result{Data: a, ID: a.ID, Notes: []string{c.Say("agent.added", line(a.Title()), a.ID)}}, err
}

// agentFields are what [editAgent] changes.
var agentFields = map[string]func(a *memory.Agent, text string){
	lookup.AgentName:    func(a *memory.Agent, text string) { a.Name = text },
	lookup.AgentPersona: func(a *memory.Agent, text string) { a.Persona = text },
	lookup.AgentModel:   func(a *memory.Agent, text string) { a.Model = text },
	lookup.AgentColor:   func(a *memory.Agent, text string) { a.Color = text },
}

// editAgent changes a field of the agent, or says what it is.
func editAgent(ctx context.Context, c *Console, what string) (Result, error) {
	field, text, _ := strings.Cut(strings.TrimSpace(what), " ")
	field, text = strings.ToLower(field), strings.TrimSpace(text)
	set := agentFields[field]
	switch {
	case what == "":
		a, err := c.findAgent(ctx, "")
		if err != nil || a.Group {
			return Result{Lines: []string{c.agentRow(a).Sentence}}, err
		}
		return ShowAgent(c, a), nil
	case c.inGroup():
		return editGroup(ctx, c, field, text)
	case set == nil:
		return c.refuse("agent.fields")
	}
	_, _, err := c.Conversations.EditAgent(ctx, c.Agent.ID, func(a *memory.Agent) { set(a, text) })
	return c.note("agent.edited"), err
}

// ShowAgent says everything about an agent.
func ShowAgent(c *Console, a lookup.AgentInfo) Result {
	return Result{Data: a, Fields: words.AgentFields(a, c.Now().Location())}
}

// deleteAgent asks, and deletes an agent with everything it has (D2).
func deleteAgent(ctx context.Context, c *Console, name string) (Result, error) {
	a, err := c.findAgent(ctx, name)
	switch {
	case err != nil:
		return Result{}, err
	case a.Group:
		return c.deleteGroup(a), nil
	}
	title := c.Say("agent.title", line(a.Title()))
	return c.confirm(c.Say("agent.delete", title, a.Says()), c.Say("nothing.deleted"), func(ctx context.Context) (Result, error) {
		d, talk, err := c.Conversations.DeleteAgent(ctx, a.ID)
		return c.agentGone(a, talk, d, title, err)
	}), nil
}

// agentGone tells of a deletion. talk is the conversation that is open then.
func (c *Console) agentGone(a lookup.AgentInfo, talk *chat.Chat, d write.Deletion, title string, err error) (Result, error) {
	if err != nil {
		return Result{Open: talk}, err
	}
	c.last.agents = slices.DeleteFunc(slices.Clone(c.last.agents), func(o lookup.AgentInfo) bool { return o.ID == a.ID })
	r := c.deleted("deleted", d, title)
	r.Open = talk
	return r, nil
}

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
	return Result{Lines: []string{c.Say("group.added", line(g.Title()), words.Members(g.Members))}, Then: &there}, nil
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
	return Result{List: c.agentList(groups, "group", "group.hint")}, nil
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
	return c.confirm(c.Say("group.delete", title, g.Says()), c.Say("nothing.deleted"), func(context.Context) (Result, error) {
		return c.withMemories("group.delete.memories", remove), nil
	})
}
