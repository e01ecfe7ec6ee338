package plain

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"memoria/chat"
	"memoria/memory"
	"memoria/memory/manager"
	"memoria/ui/app"
	"memoria/ui/clean"
)

// models are the models that answer; in a group with more than one, who is answered by
// which.
func (s *session) models() string {
	members := s.o.chat.Members()
	var names, who []string
	for _, m := range members {
		name := clean.Line(s.o.chat.InfoOf(m.ID).Model)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		who = append(who, name+" as "+clean.Line(s.o.chat.NameOf(m.ID)))
	}
	switch len(names) {
	case 0:
		return clean.Line(s.o.chat.Info().Model)
	case 1:
		return names[0]
	}
	return strings.Join(who, ", ")
}

// sayMembers says of a group who is in it.
func (s *session) sayMembers() {
	var names []string
	for _, m := range s.o.chat.Members() {
		names = append(names, clean.Line(s.o.chat.NameOf(m.ID)))
	}
	if len(names) > 0 {
		s.say("this is the group %s: %s. @ and a name asks one of them", s.name, strings.Join(names, ", "))
	}
}

// members are the ids of those in a group, in the order in which they answer.
func (s *session) members(g manager.AgentInfo) string {
	return cmp.Or(strings.Join(g.Members, ", "), "nobody")
}

// group lists the groups, or goes to the one that is named or described.
func (s *session) group(words string) {
	switch {
	case words == "":
		s.groups()
		return
	}
	if i, ok := number(words); ok && i >= 0 && i < len(s.shown.agents) {
		words = s.shown.agents[i].ID
	}
	g, made, err := s.o.Conversations.FindOrAddGroup(s.ctx, words)
	switch {
	case errors.Is(err, manager.ErrNotFound):
		s.say("error: there is no such group; /group NAME @AGENT @AGENT makes one")
		return
	case err != nil:
		s.tell(err)
		return
	case made:
		s.say("made: the group %s of %s, who answer in this order", clean.Line(g.Title()), s.members(g))
	}
	s.goTo(g.ID)
}

// groups lists the groups.
func (s *session) groups() {
	list, err := s.o.Conversations.Agents(s.ctx)
	if err != nil {
		s.tell(err)
		return
	}
	agents := len(list)
	list = slices.DeleteFunc(list, func(a manager.AgentInfo) bool { return !a.Group })
	agents -= len(list)
	const makes = "/group NAME @AGENT @AGENT makes one"
	switch {
	case len(list) == 0 && agents < memory.MinMembers:
		s.say("there is no group; a group needs two agents, /add-agent NAME makes one")
		return
	case len(list) == 0:
		s.say("there is no group; %s", makes)
		return
	}
	s.shown.agents = list
	rows := []string{}
	for _, g := range list {
		rows = append(rows, s.agentRow(g))
	}
	s.pages(rows, len(rows), "group", "groups", "/group or /delete-agent and a number; "+makes)
}

// editGroup changes the name or the members of this group.
func (s *session) editGroup(field, text string) {
	var change func(*memory.Group)
	switch {
	case s.answering():
		s.tell(chat.ErrBusy)
		return
	case field == manager.AgentName && text != "":
		change = func(g *memory.Group) { g.Name = text }
	case field == "members":
		ids, err := s.o.Conversations.MemberIDs(s.ctx, text)
		if len(ids) < memory.MinMembers && err == nil {
			err = app.Refusal("a group needs two agents or more")
		}
		if err != nil {
			s.tell(err)
			return
		}
		change = func(g *memory.Group) { g.Members = ids }
	default:
		s.say("error: this is a group; say name and a text, or members and all of them, each behind an @")
		return
	}
	_, c, err := s.o.Conversations.EditGroup(s.ctx, s.agent, change)
	s.adopt(c)
	if err != nil {
		s.tell(err)
		return
	}
	s.say("changed; it counts from the next message on")
}

// deleteGroup asks, and deletes a group with all that was said in it (D2).
func (s *session) deleteGroup(g manager.AgentInfo) {
	what := "the group " + clean.Line(g.Title())
	remove := func(withItems bool) {
		d, c, err := s.o.Conversations.DeleteGroup(s.ctx, g.ID, withItems)
		s.adopt(c)
		s.shown.agents = slices.DeleteFunc(s.shown.agents, func(o manager.AgentInfo) bool { return o.ID == g.ID })
		if d.Items > 0 {
			what += ", with " + many(d.Items, "memory", "memories")
		}
		s.removed(d, err, what)
	}
	if g.Empty() {
		s.confirm("delete for good: "+what+", in which nothing was said; its members stay", func() { remove(false) })
		return
	}
	s.confirm("delete for good: "+what+" with "+g.Says()+", which its members heard; they stay", func() {
		s.say("the memories that its members made from it alone: no keeps them, yes deletes them too")
		s.asked = &question{prompt: "yes or no: ", drop: "nothing was deleted", answer: func(line string) { remove(yes(line)) }}
	})
}
