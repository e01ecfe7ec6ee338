package plain

import (
	"fmt"
	"slices"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/clean"
)

// agents lists the agents.
func (s *session) agents() {
	list, err := s.o.Conversations.Agents(s.ctx)
	if err != nil {
		s.tell(err)
		return
	}
	s.shown.agents = list
	rows := make([]string, len(list))
	for i, a := range list {
		rows[i] = s.agentRow(a)
	}
	s.pages(rows, len(rows), "agent", "agents", "/agent or /delete-agent and a number; /add-agent NAME makes one")
}

func (s *session) agentRow(a manager.AgentInfo) string {
	out := clean.Line(a.Title())
	if a.Name != "" && a.Name != a.ID {
		out += " (" + a.ID + ")"
	}
	if a.Group {
		out += ": group of " + s.members(a) + ", " + many(a.Sessions, "session", "sessions")
	} else {
		out += fmt.Sprintf(": %s, %s", many(a.Memories, "memory", "memories"), many(a.Sessions, "session", "sessions"))
	}
	if a.Model != "" {
		out += ", " + clean.Line(a.Model) + " answers"
	}
	if !a.LastUsed.IsZero() {
		out += ", last used " + ago(s.o.Now(), a.LastUsed)
	}
	if a.ID == s.agent {
		out += ", you are talking to it"
	}
	return out
}

// named finds an agent by its number in the last list, its id or its name; empty is
// the one talked to.
func (s *session) named(name string) (manager.AgentInfo, bool) {
	if name == "" {
		name = s.agent
	}
	if i, ok := number(name); ok && i >= 0 && i < len(s.shown.agents) {
		name = s.shown.agents[i].ID
	}
	a, err := s.o.Conversations.FindAgent(s.ctx, name)
	if err != nil {
		s.tell(err)
	}
	return a, err == nil
}

// goTo goes to another agent, or says which one this is.
func (s *session) goTo(name string) {
	a, ok := s.named(name)
	switch {
	case !ok:
	case a.ID == s.agent:
		s.say("you are talking to %s; /agents lists them all", s.agentRow(a))
	case s.answering():
		s.tell(chat.ErrBusy)
	default:
		c, err := s.o.Conversations.Switch(s.ctx, a.ID)
		s.adopt(c)
		s.tell(err)
	}
}

// adopt goes on with another conversation. Nothing is kept of the one before; what was
// listed last of agents and models is none of its.
func (s *session) adopt(c *chat.Chat) {
	if c == nil || c == s.o.chat {
		return
	}
	s.o.chat, s.o.agent = c, c.Agent()
	*s = session{
		o: s.o, shown: shown{agents: s.shown.agents, models: s.shown.models}, ctx: s.ctx,
		agent: s.o.agent.ID, name: clean.Line(s.o.agent.Name), out: s.out, learning: map[string]bool{}, ended: s.ended, warned: s.warned,
	}
	s.say("you are talking to %s; %s", s.name, s.modelWords())
	s.sayMembers()
	if err := c.Start(s.ctx); err != nil {
		s.tell(err)
		return
	}
	if s.in = c.Session(); s.in.ID != "" {
		s.say("continued: %s", s.about(s.in))
	}
}

// addAgent makes an agent.
func (s *session) addAgent(name string) {
	a, err := s.o.Conversations.AddAgent(s.ctx, memory.Agent{Name: strings.TrimSpace(name)})
	if err != nil {
		s.tell(err)
		return
	}
	s.say("made: %s; /agent %s talks to it, and then /edit-agent persona TEXT says who it is", clean.Line(a.Title()), a.ID)
}

// agentFields are what /edit-agent changes, by their names.
var agentFields = map[string]func(a *memory.Agent, text string){
	manager.AgentName:    func(a *memory.Agent, text string) { a.Name = text },
	manager.AgentPersona: func(a *memory.Agent, text string) { a.Persona = text },
	manager.AgentModel:   func(a *memory.Agent, text string) { a.Model = text },
	manager.AgentColor:   func(a *memory.Agent, text string) { a.Color = text },
}

// editAgent changes a field of this agent, or says what it is.
func (s *session) editAgent(what string) {
	field, text, _ := strings.Cut(strings.TrimSpace(what), " ")
	field, text = strings.ToLower(field), strings.TrimSpace(text)
	set := agentFields[field]
	switch {
	case what == "":
		s.sayAgent()
		return
	case len(s.o.chat.Members()) > 0:
		s.editGroup(field, text)
		return
	case set == nil:
		s.say("error: say one of name, persona, model, color, and the text after it; without a text it is emptied")
		return
	}
	if _, _, err := s.o.Conversations.EditAgent(s.ctx, s.agent, func(a *memory.Agent) { set(a, text) }); err != nil {
		s.tell(err)
		return
	}
	s.say("changed; it counts from the next message on")
}

// sayAgent says who this agent is.
func (s *session) sayAgent() {
	a, ok := s.named("")
	switch {
	case !ok:
		return
	case a.Group:
		s.say("%s", s.agentRow(a))
		return
	}
	for _, f := range []struct{ name, value string }{
		{manager.AgentName, a.Name}, {manager.AgentPersona, a.Persona}, {manager.AgentModel, a.Model}, {manager.AgentColor, a.Color},
	} {
		line := clean.Line(f.value)
		if line == "" {
			line = "none"
		}
		if where := a.Given[f.name]; where != "" {
			line += ", from " + clean.Line(where)
		}
		s.say("%s: %s", f.name, line)
	}
	s.say("it has %s", a.Says())
}

// deleteAgent asks, and deletes an agent with everything it has (D2).
func (s *session) deleteAgent(name string) {
	a, ok := s.named(name)
	switch {
	case !ok:
		return
	case s.concerned(a.ID) && s.answering():
		s.tell(chat.ErrBusy)
		return
	case a.Group:
		s.deleteGroup(a)
		return
	}
	title := "the agent " + clean.Line(a.Title())
	s.confirm("delete for good: "+title+" with "+a.Says(), func() {
		d, c, err := s.o.Conversations.DeleteAgent(s.ctx, a.ID)
		s.adopt(c)
		s.shown.agents = slices.DeleteFunc(s.shown.agents, func(o manager.AgentInfo) bool { return o.ID == a.ID })
		s.removed(d, err, title)
	})
}

// concerned reports whether the conversation is with this agent or group, or with a
// group that the agent is in.
func (s *session) concerned(id string) bool {
	return id == s.agent || slices.ContainsFunc(s.o.chat.Members(), func(m chat.Agent) bool { return m.ID == id })
}

// restoreAgent takes the deletion of an agent back.
func (s *session) restoreAgent(d manager.Deletion, what string) {
	c, err := s.o.Conversations.Restore(s.ctx, d.Agent, d.ID)
	s.adopt(c)
	s.deletion = manager.Deletion{}
	if err != nil {
		s.tell(err)
		return
	}
	s.say("taken back: %s", what)
}
