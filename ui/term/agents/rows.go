package agents

import (
	"cmp"
	"fmt"
	"strings"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/part"
	"memoria/ui/words"
)

type row = part.Row[string]

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	m.view.Set(m.listRows())
	if m.mode == reading {
		m.page.Set(m.pageRows())
	}
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style part.Styler, text string, indent int) []string {
	return part.Wrapped(style, text, m.width, indent)
}

func (m *Model) head(text string) row {
	return row{Lines: []string{m.styles.Accent.Render(" " + clean.Truncate(text, m.width-2, cells.Ellipsis))}}
}

func (m *Model) listRows() []row {
	switch {
	case m.problem != "":
		return []row{m.head("agents"), {Lines: m.wrapped(m.styles.Bad, "They could not be read: "+m.problem, 1)}, {Lines: m.wrapped(m.styles.Dim, "Enter tries again.", 1)}}
	case !m.loaded:
		return []row{m.head("agents · reading …")}
	}
	agents := m.agents()
	rows := []row{m.head(fmt.Sprintf("agents · %s, last used first", cells.Number(len(agents))))}
	for _, a := range agents {
		rows = append(rows, row{Key: a.ID, Of: a.ID, Lines: m.agentLines(a)})
	}
	if len(agents) < memory.MinMembers {
		rows = append(rows, row{Lines: []string{""}}, row{Lines: m.wrapped(m.styles.Dim,
			"An agent is a persona with a memory of its own: nothing that one knows comes up at another. a makes one.", 1)})
	}
	return append(rows, m.groupRows(len(m.list)-len(agents), len(agents))...)
}

// groupRows are the groups, under a heading of their own.
func (m *Model) groupRows(groups, agents int) []row {
	if groups == 0 && agents < memory.MinMembers {
		return nil
	}
	rows := []row{{Lines: []string{""}}, m.head(fmt.Sprintf("groups · %s", cells.Number(groups)))}
	for _, a := range m.list {
		if a.Group {
			rows = append(rows, row{Key: a.ID, Of: a.ID, Lines: m.agentLines(a)})
		}
	}
	if groups == 0 {
		rows = append(rows, row{Lines: m.wrapped(m.styles.Dim, "A group is several agents that you talk to at once; they answer in turn. g makes one.", 1)})
	}
	return rows
}

// agentLines is an agent of the list: on one line where there is room for it, else
// on two.
func (m *Model) agentLines(a lookup.AgentInfo) []string {
	name := "   " + m.styles.Dot(a.Color) + " " + m.styles.Shade(a.Color).Render(clean.Line(a.Title()))
	if a.Name != "" && a.Name != a.ID {
		name += m.styles.Dim.Render("  " + a.ID)
	}
	here := ""
	if a.ID == m.current {
		here = m.styles.Accent.Render("you talk to it ")
	}
	has := part.Plural(a.Memories, "memory") + " · " + part.Plural(a.Sessions, "session")
	if a.Group {
		has = clean.Line(m.members(a)) + " · " + part.Plural(a.Sessions, "session")
	}
	if a.Model != "" {
		has = clean.Line(a.Model) + " · " + has
	}
	when := words.Age(m.now, a.LastUsed)
	if when != "" {
		has += " · " + when
	}
	if right := m.styles.Dim.Render("  "+has+"  ") + cells.Fit(here, 15); m.width >= 72 && (!a.Group || cells.Width(name)+cells.Width(right) <= m.width) {
		return []string{cells.Spread(name, right, m.width)}
	}
	return []string{cells.Spread(name, here, m.width), "     " + m.styles.Dim.Render(clean.Truncate(has, max(8, m.width-6), cells.Ellipsis))}
}

// members are those of a group, in the order in which they answer.
func (m *Model) members(a lookup.AgentInfo) string {
	var names []string
	for _, id := range a.Members {
		names = append(names, m.titleOf(id))
	}
	return cmp.Or(strings.Join(names, ", "), "nobody is left")
}

// pageRows is everything about one agent, each line a row to scroll by.
func (m *Model) pageRows() []row {
	a := m.subject
	lines := []string{"   " + m.styles.Dot(a.Color) + " " + m.styles.Shade(a.Color).Render(clean.Line(a.Title()))}
	add := func(label, field, value string) {
		if value == "" {
			return
		}
		if where := a.Given[field]; where != "" {
			value += " (from " + where + ")"
		}
		lines = append(lines, m.wrapped(m.styles.Dim, label+" "+value, 3)...)
	}
	add("id", "", a.ID)
	add("called", lookup.AgentName, a.Name)
	add("model", lookup.AgentModel, a.Model)
	add("color", lookup.AgentColor, a.Color)
	add("has", "", a.Says())
	add("last used", "", words.Moment(a.LastUsed, m.loc))
	lines = append(lines, "")
	if a.Group {
		lines = append(lines, m.groupLines(a)...)
	} else if a.Persona == "" {
		lines = append(lines, m.wrapped(m.styles.Dim, "It has no persona. e writes one.", 3)...)
	} else {
		text, _ := clean.Text(a.Persona)
		for _, l := range clean.Wrap(text, max(8, m.width-4)) {
			lines = append(lines, "   "+m.styles.Text.Render(l))
		}
		if where := a.Given[lookup.AgentPersona]; where != "" {
			lines = append(lines, m.wrapped(m.styles.Dim, "(from "+where+")", 3)...)
		}
	}
	rows := make([]row, len(lines))
	for i, l := range lines {
		rows[i] = row{Key: fmt.Sprint("l", i), Lines: []string{l}}
	}
	return rows
}

// groupLines are the members of a group, one a line, with who answers as each.
func (m *Model) groupLines(a lookup.AgentInfo) []string {
	lines := m.wrapped(m.styles.Dim, "They answer in this order, each with its own memory of what it heard:", 3)
	for i, id := range a.Members {
		of := lookup.AgentInfo{Agent: memory.Agent{ID: id}}
		if j := m.index(id); j >= 0 {
			of = m.list[j]
		}
		line := fmt.Sprintf("   %d %s %s", i+1, m.styles.Dot(of.Color), m.styles.Shade(of.Color).Render(clean.Line(of.Title())))
		if of.Model != "" {
			line += m.styles.Dim.Render("  " + clean.Line(of.Model) + " answers")
		}
		lines = append(lines, line)
	}
	if len(a.Members) == 0 {
		return m.wrapped(m.styles.Warn, "Nobody is left in it. e takes agents in.", 3)
	}
	return lines
}
