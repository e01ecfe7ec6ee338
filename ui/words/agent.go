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
func AgentRow(a lookup.AgentInfo, now time.Time, current, usual bool) Row {
	row := clean.Line(a.Title())
	if a.Name != "" && a.Name != a.ID {
		row += " (" + a.ID + ")"
	}
	has := Count(a.Memories, "memory")
	if a.Group {
		has = Say("group.of", Members(a.Members))
	}
	row += ": " + has + ", " + Count(a.Sessions, "session")
	if a.Model != "" {
		row += ", " + Say("agent.model", clean.Line(a.Model))
	}
	if !a.LastUsed.IsZero() {
		row += ", " + Say("agent.last-used", Ago(now, a.LastUsed))
	}
	if current {
		row += ", " + Say("agent.current")
	}
	line := fmt.Sprintf("%-12s  %-16s  %-12s  %-12s", a.ID, when(a.LastUsed, now), Count(a.Memories, "memory"), Count(a.Sessions, "session"))
	parts := []string{clean.Line(a.Name), clean.Line(a.Model), a.Color}
	if a.Group {
		parts = append(parts, has)
	}
	if usual {
		parts = append(parts, "("+Say("agent.usual")+")")
	}
	for _, part := range parts {
		if part != "" {
			line += "  " + part
		}
	}
	return Row{Sentence: row, Columns: strings.TrimRight(line, " ")}
}

// Members lists the members of a group in the order in which they answer.
func Members(names []string) string {
	return cmp.Or(clean.Line(strings.Join(names, ", ")), Say("group.nobody"))
}

// AgentFields is everything about an agent or a group; what the configuration gives with its place.
func AgentFields(a lookup.AgentInfo, loc *time.Location) (f Fields) {
	add := func(id, field, said string) {
		if said = orNone(said); a.Given[field] != "" {
			said = Say("agent.given", said, a.Given[field])
		}
		f.add(id, said)
	}
	add("agent.id", "", a.ID)
	add("agent.name", lookup.AgentName, a.Name)
	if a.Group {
		f.add("group.members", Members(a.Members))
	} else {
		add("agent.model-name", lookup.AgentModel, a.Model)
		add("agent.color", lookup.AgentColor, a.Color)
	}
	f.add("agent.has", a.Says())
	f.add("agent.used", Moment(a.LastUsed, loc))
	if !a.Group {
		add("agent.persona", lookup.AgentPersona, a.Persona)
	}
	return f
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
	return fmt.Sprintf("%-16s %-20s %s", g.ID, clean.Line(g.Name), NamedMembers(g, names))
}

// GroupFields is everything about a group.
func GroupFields(g memory.Group, names map[string]string, messages, sessions int, loc *time.Location) (f Fields) {
	f.add("agent.id", g.ID)
	f.add("group.members", NamedMembers(g, names))
	f.add("group.left", strings.Join(g.Left, ", "))
	f.add("group.made-at", Moment(g.CreatedAt, loc))
	f.add("group.said", Say("group.said.is", Count(messages, "message"), Count(sessions, "session")))
	return f
}
