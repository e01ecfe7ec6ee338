package agents

import (
	"cmp"
	"fmt"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// addRows adds the agents and the groups, or the lines of the one that is read.
func (m *Model) addRows() {
	switch {
	case m.reading:
		m.addPage()
		return
	case m.problem != "":
		m.Head(m.Words.Say("view.agents"))
		m.Note(m.Styles.Bad, m.Words.Say("agents.unread", m.problem))
		m.Dim(m.Words.Say("agents.again"))
		return
	case !m.loaded:
		m.Head(m.Words.Say("agents.reading"))
		return
	}
	agents := m.agents()
	groups := len(m.all) - len(agents)
	m.Head(m.Words.Say("agents.head", cells.Number(len(agents))))
	for _, a := range agents {
		m.Add(a.ID, a.ID, m.agentLines(a)...)
	}
	if len(agents) < memory.MinMembers {
		m.Say("")
		m.Dim(m.Words.Say("agents.about"))
		if groups == 0 {
			return
		}
	}
	m.Say("")
	m.Head(m.Words.Say("agents.groups", cells.Number(groups)))
	for _, a := range m.all {
		if a.Group {
			m.Add(a.ID, a.ID, m.agentLines(a)...)
		}
	}
	if groups == 0 {
		m.Dim(m.Words.Say("agents.groups.about"))
	}
}

// agentLines is an agent of the list: on one line where there is room for it, else
// on two.
func (m *Model) agentLines(a lookup.AgentInfo) []string {
	name := "   " + m.Styles.Dot(a.Color) + " " + m.Styles.Shade(a.Color).Render(clean.Line(a.Title()))
	if a.Name != "" && a.Name != a.ID {
		name += m.Styles.Dim.Render("  " + a.ID)
	}
	here, current := "", m.Words.Say("agents.current")+" "
	if a.ID == m.current {
		here = m.Styles.Accent.Render(current)
	}
	has := list.Count(m.Words.Words, a.Memories, "stored memory")
	if a.Group {
		has = clean.Line(m.membersOf(a))
	}
	has += " · " + list.Count(m.Words.Words, a.Sessions, "session")
	if a.Model != "" {
		has = clean.Line(a.Model) + " · " + has
	}
	when := m.Words.Age(m.Now, a.LastUsed)
	if when != "" {
		has += " · " + when
	}
	right := m.Styles.Dim.Render("  "+has+"  ") + cells.Fit(here, cells.Width(current))
	if m.Width >= 72 && (!a.Group || cells.Width(name)+cells.Width(right) <= m.Width) {
		return []string{cells.Spread(name, right, m.Width)}
	}
	has = clean.Truncate(has, max(8, m.Width-6), cells.Ellipsis)
	return []string{cells.Spread(name, here, m.Width), "     " + m.Styles.Dim.Render(has)}
}

// membersOf names the members of a group, in the order in which they answer.
func (m *Model) membersOf(a lookup.AgentInfo) string {
	var names []string
	for _, id := range a.Members {
		names = append(names, m.titleOf(id))
	}
	return cmp.Or(m.Words.List(names), m.Words.Say("agents.nobody"))
}

// addPage adds everything about one agent, each line a row to scroll by.
func (m *Model) addPage() {
	a := m.subject
	lines := []string{"   " + m.Styles.Dot(a.Color) + " " + m.Styles.Shade(a.Color).Render(clean.Line(a.Title()))}
	add := func(label, field, value string) {
		if value == "" {
			return
		}
		if where := a.Given[field]; where != "" {
			value = m.Words.Say("agent.given", value, m.Words.Translate(where))
		}
		lines = append(lines, list.Labelled(m.Styles.Dim, m.Styles.Text, m.Words.Say(label), value, m.Width, 3, labelWidth+2)...)
	}
	color := a.Color
	if color != "" {
		color = m.Words.Named("color", color)
	}
	add("agent.id", "", a.ID)
	add("agent.name", lookup.AgentName, a.Name)
	add("agent.model-name", lookup.AgentModel, a.Model)
	add("agent.color", lookup.AgentColor, color)
	add("agent.has", "", m.Words.AgentHas(a))
	add("agent.used", "", words.Moment(a.LastUsed, m.Loc))
	lines = append(lines, "")
	if a.Group {
		lines = append(lines, m.groupLines(a)...)
	} else if a.Persona == "" {
		lines = append(lines, m.Wrapped(m.Styles.Dim, m.Words.Say("agents.no-persona"), 3)...)
	} else {
		text, _ := clean.Text(a.Persona)
		for _, l := range clean.Wrap(text, max(8, m.Width-4)) {
			lines = append(lines, "   "+m.Styles.Text.Render(l))
		}
		if where := a.Given[lookup.AgentPersona]; where != "" {
			lines = append(lines, m.Wrapped(m.Styles.Dim, m.Words.Say("agents.from", m.Words.Translate(where)), 3)...)
		}
	}
	for i, l := range lines {
		m.Add(fmt.Sprint("l", i), "", l)
	}
}

// groupLines are the members of a group, one a line, with who answers as each.
func (m *Model) groupLines(a lookup.AgentInfo) []string {
	lines := m.Wrapped(m.Styles.Dim, m.Words.Say("agents.groups.order"), 3)
	for i, id := range a.Members {
		of := lookup.AgentInfo{Agent: memory.Agent{ID: id}}
		if j := m.index(id); j >= 0 {
			of = m.all[j]
		}
		line := fmt.Sprintf("   %d %s %s", i+1, m.Styles.Dot(of.Color), m.Styles.Shade(of.Color).Render(clean.Line(of.Title())))
		if of.Model != "" {
			line += m.Styles.Dim.Render("  " + m.Words.Say("agent.model", clean.Line(of.Model)))
		}
		lines = append(lines, line)
	}
	if len(a.Members) == 0 {
		return m.Wrapped(m.Styles.Warn, m.Words.Say("agents.groups.nobody"), 3)
	}
	return lines
}
