package words

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
)

// AgentRow is an agent or a group in a list. current says that the conversation is with
// it, usual that it is the one talked to when none is named.
func (w Words) AgentRow(a lookup.AgentInfo, now time.Time, current, usual bool) Row {
	row := clean.Line(a.Title())
	if a.Name != "" && a.Name != a.ID {
		row += w.paren(a.ID)
	}
	has := w.Count(a.Memories, "stored memory")
	if a.Group {
		has = w.Say("group.of", w.Members(a.Members))
	}
	row += w.colon() + has + w.comma() + w.Count(a.Sessions, "session")
	if a.Model != "" {
		row += w.comma() + w.Say("agent.model", clean.Line(a.Model))
	}
	if !a.LastUsed.IsZero() {
		row += w.comma() + w.Say("agent.last-used", w.Ago(now, a.LastUsed))
	}
	if current {
		row += w.comma() + w.Say("agent.current")
	}
	line := fmt.Sprintf("%-12s  %-16s  %s  %s",
		a.ID, when(a.LastUsed, now), Pad(w.Count(a.Memories, "stored memory"), 19), Pad(w.Count(a.Sessions, "session"), 12))
	parts := []string{clean.Line(a.Name), clean.Line(a.Model), a.Color}
	if a.Group {
		parts = append(parts, has)
	}
	if usual {
		parts = append(parts, strings.TrimSpace(w.paren(w.Say("agent.usual"))))
	}
	for _, part := range parts {
		if part != "" {
			line += "  " + part
		}
	}
	return Row{Sentence: row, Columns: strings.TrimRight(line, " ")}
}

// Members lists the members of a group in the order in which they answer.
func (w Words) Members(names []string) string {
	return cmp.Or(clean.Line(strings.Join(names, ", ")), w.Say("group.nobody"))
}

// AgentFields is everything about an agent or a group; what the configuration gives with its place.
func (w Words) AgentFields(a lookup.AgentInfo, loc *time.Location) (f Fields) {
	add := func(id, field, said string) {
		if said = orNone(w, said); a.Given[field] != "" {
			said = w.Say("agent.given", said, w.Translate(a.Given[field]))
		}
		f.add(w, id, said)
	}
	add("agent.id", "", a.ID)
	add("agent.name", lookup.AgentName, a.Name)
	if a.Group {
		f.add(w, "group.members", w.Members(a.Members))
	} else {
		add("agent.model-name", lookup.AgentModel, a.Model)
		add("agent.color", lookup.AgentColor, a.Color)
	}
	f.add(w, "agent.has", w.AgentHas(a))
	f.add(w, "agent.used", Moment(a.LastUsed, loc))
	if !a.Group {
		add("agent.persona", lookup.AgentPersona, a.Persona)
	}
	return f
}

// AgentHas says how much an agent has: "2 memories, 1 session".
func (w Words) AgentHas(a lookup.AgentInfo) string {
	var has []string
	for _, c := range []struct {
		n    int
		what string
	}{{a.Memories, "memory"}, {a.Sessions, "session"}, {a.Messages, "message"}} {
		if c.n > 0 {
			has = append(has, w.Count(c.n, c.what))
		}
	}
	if a.Profile {
		has = append(has, w.Say("agent.profile"))
	}
	return cmp.Or(w.List(has), w.Say("agent.nothing"))
}

// NamedMembers lists the members of a group with their names and ids.
func NamedMembers(g memory.Group, names map[string]string) string {
	var out []string
	for _, id := range g.Members {
		name := clean.Line(names[id])
		if name == "" || name == id {
			out = append(out, id)
		} else {
			out = append(out, name+" ("+id+")")
		}
	}
	return strings.Join(out, ", ")
}

// GroupRow is a group in a list of a command.
func GroupRow(g memory.Group, names map[string]string) string {
	return fmt.Sprintf("%-16s %s %s", g.ID, Pad(clean.Line(g.Name), 20), NamedMembers(g, names))
}

// GroupFields is everything about a group.
func (w Words) GroupFields(g memory.Group, names map[string]string, messages, sessions int, loc *time.Location) (f Fields) {
	f.add(w, "agent.id", g.ID)
	f.add(w, "group.members", NamedMembers(g, names))
	f.add(w, "group.left", w.List(g.Left))
	f.add(w, "group.made-at", Moment(g.CreatedAt, loc))
	f.add(w, "group.said", w.Say("group.said.is", w.Count(messages, "message"), w.Count(sessions, "session")))
	return f
}
