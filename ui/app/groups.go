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
	"memoria/memory/manager"
)

// Refusal is why a group cannot be so, in words for the user. Nothing was done.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// AddGroup makes a group of agents; without an id it gets one of its name, which must
// be nobody else's. What the user can mend is a [Refusal].
func (d *Desk) AddGroup(ctx context.Context, g memory.Group) (manager.AgentInfo, error) {
	g.Name = strings.TrimSpace(g.Name)
	if err := mayBe(g); err != nil {
		return manager.AgentInfo{}, err
	}
	for _, known := range []string{g.ID, g.Name} {
		switch there, err := d.o.Manager.FindAgent(ctx, known); {
		case known == "", errors.Is(err, manager.ErrNotFound):
		case err == nil && there.Group:
			return there, Refusal("there is a group " + there.Title() + " already")
		case err == nil, errors.Is(err, manager.ErrAmbiguous):
			return there, Refusal("there is an agent " + known + " already; a group needs a name of its own")
		default:
			return there, err
		}
	}
	if g.ID == "" {
		id, err := d.o.Manager.NewGroupID(ctx, g.Name)
		if err != nil {
			return manager.AgentInfo{}, err
		}
		g.ID = id
	}
	all, err := d.List(ctx)
	if err != nil {
		return manager.AgentInfo{}, err
	}
	g.Call(called(all))
	if _, err := d.o.Manager.AddGroup(ctx, g); err != nil {
		return manager.AgentInfo{}, err
	}
	return d.o.Manager.Agent(ctx, g.ID)
}

// mayBe refuses what no group can be.
func mayBe(g memory.Group) error {
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

// mayTalk refuses a group that nobody is in.
func (d *Desk) mayTalk(ctx context.Context, id string) error {
	info, err := d.o.Manager.Agent(ctx, id)
	if err == nil && info.Group && len(info.Members) == 0 {
		err = Refusal("nobody is left in the group " + info.Title() + "; to take agents in: e in the list of agents, or memoria group edit " + id + " --add AGENT,AGENT")
	}
	return err
}

// called are the names of agents, by id.
func called(all []manager.AgentInfo) map[string]string {
	names := map[string]string{}
	for _, a := range all {
		names[a.ID] = a.Title()
	}
	return names
}

// EditGroup changes a group's name, its members and their order. When its conversation
// is open, it is opened anew; open is the one that is open then. The error is
// chat.ErrBusy while an answer is arriving there.
func (d *Desk) EditGroup(ctx context.Context, id string, edit func(*memory.Group)) (info manager.AgentInfo, open *chat.Chat, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	all, err := d.o.Manager.Agents(ctx)
	if err != nil {
		return info, d.chat, err
	}
	names := called(all)
	change := func() error {
		_, err := d.o.Manager.EditGroup(ctx, id, func(g *memory.Group) {
			g.Call(names) // also of those who leave
			edit(g)
			g.Call(names)
		})
		return err
	}
	if d.chat.Agent().ID == id {
		_, err = d.goTo(ctx, id, change)
	} else {
		err = change()
	}
	if err != nil {
		return info, d.chat, err
	}
	info, err = d.o.Manager.Agent(ctx, id)
	return info, d.chat, err
}

// DeleteGroup deletes a group with all that was said in it and what its members heard
// there; withItems also what each of them learned only there. When its conversation is
// open, that of the default agent is opened; open is the one that is open then.
// [Desk.TakeBack] undoes it.
func (d *Desk) DeleteGroup(ctx context.Context, id string, withItems bool) (gone manager.Deletion, open *chat.Chat, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	remove := func() (err error) {
		gone, err = d.o.Manager.DeleteGroup(ctx, id, withItems)
		gone.Agent = id
		return err
	}
	wasOpen := d.chat.Agent().ID == id
	if wasOpen {
		_, err = d.goTo(ctx, d.o.Default, remove)
	} else {
		err = remove()
	}
	if err != nil {
		return gone, d.chat, err
	}
	if d.groups = append(d.groups, gone.ID); wasOpen {
		d.left = gone.ID
	}
	return gone, d.chat, nil
}

// Group finds the group that words name, or makes the one that they describe: its name
// and, each behind an @, the agents in it, in the order in which they answer. Without
// any @ the first word is the name and every other an agent.
func (d *Desk) Group(ctx context.Context, words string) (info manager.AgentInfo, made bool, err error) {
	name, members := described(words)
	if len(members) == 0 {
		info, err = d.Find(ctx, name)
		if err == nil && !info.Group {
			err = Refusal(info.Title() + " is an agent, not a group")
		}
		fields := strings.Fields(name)
		if !errors.Is(err, manager.ErrNotFound) || len(fields) <= memory.MinMembers {
			return info, false, err
		}
		name, members = fields[0], fields[1:]
	}
	ids, err := d.ids(ctx, members)
	if err == nil {
		info, err = d.AddGroup(ctx, memory.Group{Name: name, Members: ids})
	}
	return info, err == nil, err
}

// Members are the ids of the agents that words name, each behind an @; without any @
// every word is one.
func (d *Desk) Members(ctx context.Context, words string) (ids []string, err error) {
	name, called := described(words)
	if len(called) == 0 {
		called = strings.Fields(name)
	}
	return d.ids(ctx, called)
}

// ids are those of agents that are called by id or by name.
func (d *Desk) ids(ctx context.Context, called []string) (ids []string, err error) {
	for _, name := range called {
		a, err := d.Find(ctx, name)
		if errors.Is(err, manager.ErrNotFound) {
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

// described takes the words before the first @ and those behind each.
func described(words string) (name string, members []string) {
	begins := true // an @ within a word is a part of it
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

// with reports whether the open conversation is with a group that the agent is in.
func (d *Desk) with(agent string) bool {
	return slices.ContainsFunc(d.chat.Members(), func(m chat.Agent) bool { return m.ID == agent })
}

// awaits reports whether the open conversation is with a group that the agent left by
// being deleted, and comes back to when that is taken back.
func (d *Desk) awaits(ctx context.Context, agent string) bool {
	g, err := d.o.Manager.Group(ctx, d.chat.Agent().ID)
	if err != nil { // the open conversation is with an agent
		return false
	}
	_, away := g.Away[agent]
	return away
}
