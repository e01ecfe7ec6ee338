package agents

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

const labelWidth = 9

// openForm opens the form of an agent; a new one has no id. A field that a file gives
// cannot be written, nor can the id of an existing agent.
func (m *Model) openForm(a lookup.AgentInfo, called string) {
	m.closePage()
	name := list.Text("name", "what to call it", a.Name, 1)
	name.Field.Set(called)
	ident := list.Text("id", "made of the name", "", 1)
	persona, model := list.Text("persona", "You are …", a.Persona, 8), list.Text("model", "the configured one", a.Model, 1)
	color := &list.Input{Label: "color", Choice: a.Color, Choices: append([]string{""}, memory.AgentColors()...)}
	name.From, persona.From = a.Given[lookup.AgentName], a.Given[lookup.AgentPersona]
	model.From, color.From = a.Given[lookup.AgentModel], a.Given[lookup.AgentColor]
	ident.Hidden = a.ID != ""
	color.Said = func() string {
		if color.Choice == "" {
			return "‹ none ›"
		}
		return "‹ " + m.Styles.Shade(color.Choice).Render(clean.Line(color.Choice)) + " ›"
	}
	written := func() memory.Agent {
		out := a.Agent
		out.Name, out.Persona, out.Model, out.Color = name.Value(), persona.Value(), model.Value(), color.Choice
		if a.ID == "" {
			out.ID = strings.TrimSpace(ident.Written())
		}
		return out
	}
	f := m.Keys.Form
	turn := f.Right
	turn.SetHelp("←→", "color")
	m.persona, m.members, m.awaited = persona, nil, false
	m.Open(&list.Form[Action]{
		Title: m.title("a new agent", a), Label: labelWidth, Inset: labelWidth + 3, Dense: true,
		Fields: []*list.Input{name, ident, persona, model, color},
		Hints:  []key.Binding{f.Save, f.NextField, f.NewLine, m.Keys.Profile.Editor, turn, f.Leave},
		Save:   func() Action { return m.save(a.ID, written()) },
		Key: func(msg tea.KeyPressMsg) (Action, bool) {
			if !key.Matches(msg, m.Keys.Profile.Editor) || persona.From != "" {
				return Action{}, false
			}
			m.Notice = ""
			return m.Once(Action{Do: Editor, Text: written().Persona}), true
		},
	})
}

// title returns the title of the form of an agent or a group.
func (m *Model) title(fresh string, a lookup.AgentInfo) string {
	if a.ID == "" {
		return fresh
	}
	return "edit " + clean.Truncate(clean.Line(a.Title()), max(4, m.Width-8), cells.Ellipsis)
}

// save asks for what was written, when it may be so.
func (m *Model) save(id string, a memory.Agent) Action {
	switch err := a.ValidateFields(); {
	case id == "" && a.Name == "":
		m.Notice = "An agent needs a name."
	case id == "" && a.ID != "" && !memory.ValidAgentID(a.ID):
		m.Notice = "An id has 1 to 64 of a-z, 0-9, - and _."
	case err != nil:
		m.Notice = "The " + err.Error() + "."
	case id == "":
		return m.Once(Action{Do: Add, Agent: a})
	default:
		return m.Once(Action{Do: Save, ID: id, Agent: a})
	}
	return Action{}
}
