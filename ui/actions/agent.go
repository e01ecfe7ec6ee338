package actions

import (
	"context"
	"fmt"
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
	return Result{List: c.listAgents(list, "agent", "agent.hint")}, nil
}

func (c *Console) listAgents(list []lookup.AgentInfo, what, hint string) *List {
	c.last.agents = list
	l := &List{Total: len(list), What: what, Hint: c.Say(hint)}
	for _, a := range list {
		l.Rows = append(l.Rows, c.agentRow(a))
	}
	return l
}

func (c *Console) agentRow(a lookup.AgentInfo) words.Row {
	return c.Words.AgentRow(a, c.Now(), a.ID == c.Agent.ID, false)
}

// FindAgent finds an agent by its number in the last list, its id or its name; "" is the
// one that the conversation is with.
func FindAgent(ctx context.Context, c *Console, name string) (lookup.AgentInfo, error) {
	if i, ok := number(name); ok && i >= 0 && i < len(c.last.agents) {
		name = c.last.agents[i].ID
	}
	if name == "" || name == c.Agent.ID {
		return c.Memory.Lookup().Agent(ctx, c.Agent.ID)
	}
	return c.Memory.Lookup().FindAgent(ctx, name)
}

// switchAgent switches to another agent, or says which one this is.
func switchAgent(ctx context.Context, c *Console, name string) (Result, error) {
	a, err := FindAgent(ctx, c, name)
	if err != nil {
		return Result{}, err
	}
	if a.ID == c.Agent.ID {
		return c.note("agent.here", c.agentRow(a).Sentence), nil
	}
	talk, err := c.Conversations.Switch(ctx, a.ID)
	return Result{Open: talk}, err
}

// agentList is what agent list --json prints.
type agentList struct {
	Agents []listedAgent `json:"agents"`
}

type listedAgent struct {
	lookup.AgentInfo
	// Default says that it is talked to when none is named.
	Default bool `json:"default"`
}

// Agents lists the agents and groups for a command; usual is the default agent.
func Agents(ctx context.Context, c *Console, usual string) (Result, error) {
	all, err := c.Memory.Lookup().Agents(ctx)
	list := agentList{Agents: []listedAgent{}}
	r := Result{Notes: []string{c.Say("agent.list", c.Words.Count(len(all), "agent"))}}
	for _, a := range all {
		list.Agents = append(list.Agents, listedAgent{a, a.ID == usual})
		r.Lines = append(r.Lines, c.Words.AgentRow(a, c.Now(), false, a.ID == usual).Columns)
	}
	r.Data = list
	return r, err
}

func addAgent(ctx context.Context, c *Console, name string) (Result, error) {
	return AddAgent(ctx, c, memory.Agent{Name: name})
}

// AddAgent adds an agent. One without an id gets an id made from its name.
func AddAgent(ctx context.Context, c *Console, a memory.Agent) (r Result, err error) {
	a.Name = strings.TrimSpace(a.Name)
	if a.Name == "" {
		return r, fmt.Errorf("%w: %s", memory.ErrInvalid, c.Say("agent.unnamed"))
	}
	if a.ID == "" {
		if a.ID, err = c.Memory.Agents().NewAgentID(ctx, a.Name); err != nil {
			return r, err
		}
	}
	made, err := c.Memory.Agents().CreateAgent(ctx, a)
	return Result{Data: made, ID: made.ID, Notes: []string{c.Say("agent.added", line(made.Title()), made.ID)}}, err
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
		a, err := FindAgent(ctx, c, "")
		if err != nil || a.Group {
			return Result{Lines: []string{c.agentRow(a).Sentence}}, err
		}
		return showAgent(ctx, c, a.ID)
	case c.inGroup():
		return editGroup(ctx, c, field, text)
	case set == nil:
		return c.refuse("agent.fields")
	}
	a, err := FindAgent(ctx, c, "")
	if err != nil {
		return Result{}, err
	}
	return EditAgent(ctx, c, a, func(a *memory.Agent) { set(a, text) })
}

// EditAgent changes how an agent is described.
func EditAgent(ctx context.Context, c *Console, before lookup.AgentInfo, edit func(*memory.Agent)) (r Result, err error) {
	var now lookup.AgentInfo
	if c.Mode == Shell {
		now, err = c.Memory.Agents().EditAgent(ctx, before.ID, edit)
	} else {
		now, _, err = c.Conversations.EditAgent(ctx, before.ID, edit)
	}
	said := "agent.edited"
	if now.Name == before.Name && now.Persona == before.Persona && now.Model == before.Model && now.Color == before.Color {
		said = "nothing.changed"
	}
	return Result{Data: now, ID: now.ID, Notes: []string{c.Say(said)}}, err
}

// showAgent says everything about an agent.
func showAgent(ctx context.Context, c *Console, name string) (Result, error) {
	a, err := FindAgent(ctx, c, name)
	return Result{Data: a, Fields: c.Words.AgentFields(a, c.Now().Location())}, err
}

// deleteAgent asks, and deletes an agent with everything it has (D2).
func deleteAgent(ctx context.Context, c *Console, name string) (Result, error) {
	a, err := FindAgent(ctx, c, name)
	switch {
	case err != nil:
		return Result{}, err
	case a.Group:
		return c.deleteGroup(a), nil
	}
	title := c.Say("agent.title", line(a.Title()))
	what := c.Say("agent.delete", title, c.Words.AgentHas(a))
	return c.confirm(what, c.Say("nothing.deleted"), func(ctx context.Context) (Result, error) {
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
