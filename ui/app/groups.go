package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/memory/manager/write"
)

// Refusal says why a group is refused, in words for the user. Nothing was changed.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// AddGroup adds a group of agents. One without an id gets an id made from its name,
// which must be unique. Errors that the user can fix are a [Refusal].
func (c *Conversations) AddGroup(ctx context.Context, g memory.Group) (lookup.AgentInfo, error) {
	g.Name = strings.TrimSpace(g.Name)
	if err := checkGroup(g); err != nil {
		return lookup.AgentInfo{}, err
	}
	for _, known := range []string{g.ID, g.Name} {
		switch there, err := c.o.Memory.Lookup().FindAgent(ctx, known); {
		case known == "", errors.Is(err, lookup.ErrNotFound):
		case err == nil && there.Group:
			return there, Refusal("there is a group " + there.Title() + " already")
		case err == nil, errors.Is(err, lookup.ErrAmbiguous):
			return there, Refusal("there is an agent " + known + " already; a group needs a name of its own")
		default:
			return there, err
		}
	}
	if g.ID == "" {
		id, err := c.o.Memory.NewGroupID(ctx, g.Name)
		if err != nil {
			return lookup.AgentInfo{}, err
		}
		g.ID = id
	}
	all, err := c.Agents(ctx)
	if err != nil {
		return lookup.AgentInfo{}, err
	}
	g.Call(namesByID(all))
	if _, err := c.o.Memory.AddGroup(ctx, g); err != nil {
		return lookup.AgentInfo{}, err
	}
	return c.o.Memory.Lookup().Agent(ctx, g.ID)
}

// checkGroup refuses a group without a name, with too few or too many members, or with
// one twice.
func checkGroup(g memory.Group) error {
	switch n := len(g.Members); {
	case g.Name == "":
		return Refusal("a group needs a name")
	case n < memory.MinMembers:
		return Refusal("a group needs two agents or more")
	case n > memory.MaxMembers:
		return Refusal(fmt.Sprintf("a group has at most %d members, not %d", memory.MaxMembers, n))
	}
	for i, id := range g.Members {
		if slices.Contains(g.Members[:i], id) {
			return Refusal(id + " is named twice")
		}
	}
	return nil
}

// checkMembers refuses a group without members.
func (c *Conversations) checkMembers(ctx context.Context, id string) error {
	info, err := c.o.Memory.Lookup().Agent(ctx, id)
	if err == nil && info.Group && len(info.Members) == 0 {
		err = Refusal("nobody is left in the group " + info.Title() +
			"; to take agents in: e in the list of agents, or memoria group edit " + id + " --add AGENT,AGENT")
	}
	return err
}

func namesByID(all []lookup.AgentInfo) map[string]string {
	names := map[string]string{}
	for _, a := range all {
		names[a.ID] = a.Title()
	}
	return names
}

// EditGroup changes a group's name, its members and their order. It reopens the group's
// conversation when that is open, and returns the conversation that is open afterwards.
// The error is [chat.ErrBusy] while an answer is arriving there.
func (c *Conversations) EditGroup(
	ctx context.Context, id string, edit func(*memory.Group),
) (info lookup.AgentInfo, open *chat.Chat, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all, err := c.o.Memory.Lookup().Agents(ctx)
	if err != nil {
		return info, c.chat, err
	}
	names := namesByID(all)
	change := func() error {
		_, err := c.o.Memory.EditGroup(ctx, id, func(g *memory.Group) {
			g.Call(names) // including the members who leave
			edit(g)
			g.Call(names)
		})
		return err
	}
	if c.chat.Agent().ID == id {
		_, err = c.reopen(ctx, id, change)
	} else {
		err = change()
	}
	if err != nil {
		return info, c.chat, err
	}
	info, err = c.o.Memory.Lookup().Agent(ctx, id)
	return info, c.chat, err
}

// DeleteGroup deletes a group with its messages and its members' copies of them. With
// withItems it also deletes the memories that its members learned only there. When the
// group's conversation is open, it opens the default agent's. It returns the
// conversation that is open afterwards. [Conversations.Restore] undoes it.
func (c *Conversations) DeleteGroup(ctx context.Context, id string, withItems bool) (gone write.Deletion, open *chat.Chat, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	remove := func() (err error) {
		gone, err = c.o.Memory.DeleteGroup(ctx, id, withItems)
		gone.Agent = id
		return err
	}
	wasOpen := c.chat.Agent().ID == id
	if wasOpen {
		_, err = c.reopen(ctx, c.o.Default, remove)
	} else {
		err = remove()
	}
	if err != nil {
		return gone, c.chat, err
	}
	if c.groupsDeleted = append(c.groupsDeleted, gone.ID); wasOpen {
		c.leftBy = gone.ID
	}
	return gone, c.chat, nil
}

// FindOrAddGroup returns the group that words name, or adds the one that they describe:
// a name, then the members in the order in which they answer, each with an @ before it.
// Without an @ the first word is the name and every other word a member.
func (c *Conversations) FindOrAddGroup(ctx context.Context, words string) (info lookup.AgentInfo, added bool, err error) {
	name, members := splitMembers(words)
	if len(members) == 0 {
		info, err = c.FindAgent(ctx, name)
		if err == nil && !info.Group {
			err = Refusal(info.Title() + " is an agent, not a group")
		}
		fields := strings.Fields(name)
		if !errors.Is(err, lookup.ErrNotFound) || len(fields) <= memory.MinMembers {
			return info, false, err
		}
		name, members = fields[0], fields[1:]
	}
	ids, err := c.ids(ctx, members)
	if err == nil {
		info, err = c.AddGroup(ctx, memory.Group{Name: name, Members: ids})
	}
	return info, err == nil, err
}

// MemberIDs returns the ids of the agents that words name, each with an @ before it.
// Without an @ every word is an agent.
func (c *Conversations) MemberIDs(ctx context.Context, words string) (ids []string, err error) {
	name, members := splitMembers(words)
	if len(members) == 0 {
		members = strings.Fields(name)
	}
	return c.ids(ctx, members)
}

// ids returns the ids of agents, each named by id or by name.
func (c *Conversations) ids(ctx context.Context, names []string) (ids []string, err error) {
	for _, name := range names {
		a, err := c.FindAgent(ctx, name)
		if errors.Is(err, lookup.ErrNotFound) {
			err = Refusal("no agent is called " + name + "; /agents lists them")
		} else if err == nil && a.Group {
			err = Refusal(a.Title() + " is a group; only agents can be in one")
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}

// splitMembers returns the text before the first @ that begins a word, and the text
// after each.
func splitMembers(words string) (name string, members []string) {
	begins := true // an @ inside a word is part of the word
	at := -1
	end := func(to int) {
		part := strings.Trim(words[max(0, at):to], " \t\n,，、")
		if at < 0 {
			name = part
		} else if part != "" {
			members = append(members, part)
		}
	}
	for i, r := range words {
		if begins && (r == '@' || r == '＠') {
			end(i)
			at = i + utf8.RuneLen(r)
		}
		begins = unicode.IsSpace(r) || strings.ContainsRune(",，、", r)
	}
	end(len(words))
	return name, members
}

// hasMember reports whether the open conversation is with a group that the agent is in.
func (c *Conversations) hasMember(agent string) bool {
	return slices.ContainsFunc(c.chat.Members(), func(m chat.Agent) bool { return m.ID == agent })
}

// hadMember reports whether the open conversation is with a group that the agent was in
// when it was deleted.
func (c *Conversations) hadMember(ctx context.Context, agent string) bool {
	g, err := c.o.Memory.Lookup().Group(ctx, c.chat.Agent().ID)
	if err != nil { // the open conversation is with an agent
		return false
	}
	_, away := g.Away[agent]
	return away
}
