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
	"memoria/ui/words"
)

const labelWidth = 9

// openForm opens the form of an agent; a new one has no id. A field that a file gives
// cannot be written, nor can the id of an existing agent.
func (m *Model) openForm(a lookup.AgentInfo, called string) {
	m.closePage()
	text := func(label, hint, value string, lines int) *list.Input {
		return list.Text(m.Words.Say(label), m.Words.Say(hint), value, lines)
	}
	name := text("agent.name", "agents.name.hint", a.Name, 1)
	name.Field.Set(called)
	ident := text("agent.id", "agents.id.hint", "", 1)
	persona := text("agent.persona", "agents.persona.hint", a.Persona, 8)
	model := text("agent.model-name", "agents.model.hint", a.Model, 1)
	color := &list.Input{Label: m.Words.Say("agent.color"), Choice: a.Color, Choices: append([]string{""}, memory.AgentColors()...)}
	name.From, persona.From = a.Given[lookup.AgentName], a.Given[lookup.AgentPersona]
	model.From, color.From = a.Given[lookup.AgentModel], a.Given[lookup.AgentColor]
	ident.Hidden = a.ID != ""
	color.Said = func() string {
		if color.Choice == "" {
			return "‹ " + m.Words.Say("none") + " ›"
		}
		return "‹ " + m.Styles.Shade(color.Choice).Render(clean.Line(m.Words.Named("color", color.Choice))) + " ›"
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
	turn.SetHelp("←→", m.Words.Say("agent.color"))
	m.persona, m.members, m.awaited = persona, nil, false
	id := "agent " + a.ID
	if called != "" {
		id = ""
	}
	m.Open(&list.Form[Action]{
		ID: id, Title: m.title("agents.new", a), Label: labelWidth, Inset: labelWidth + 3, Dense: true,
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

// title returns the title of the form of an agent or a group; fresh is the message for a new one.
func (m *Model) title(fresh string, a lookup.AgentInfo) string {
	if a.ID == "" {
		return m.Words.Say(fresh)
	}
	room := m.Width - 3 - cells.Width(m.Words.Say("agents.edit", ""))
	return m.Words.Say("agents.edit", clean.Truncate(clean.Line(a.Title()), max(4, room), cells.Ellipsis))
}

// save asks for what was written, when it may be so.
func (m *Model) save(id string, a memory.Agent) Action {
	switch err := a.ValidateFields(); {
	case id == "" && a.Name == "":
		m.Notice = m.Words.Say("agents.unnamed")
	case id == "" && a.ID != "" && !memory.ValidAgentID(a.ID):
		m.Notice = m.Words.Say("agents.bad-id")
	case err != nil:
		m.Notice = m.Words.Say("agents.invalid", words.Sentence(err.Error()))
	case id == "":
		return m.Once(Action{Do: Add, Agent: a})
	default:
		return m.Once(Action{Do: Save, ID: id, Agent: a})
	}
	return Action{}
}
