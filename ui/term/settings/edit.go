package settings

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/term/field"
)

// edit changes a setting: in a field, or by one of its choices.
type edit struct {
	form     *field.Model
	choosing bool
	choice   int // of the setting's choices
}

// open begins to change a setting.
func (m *Model) open(i config.Setting) {
	value := i.Value
	if i.Later != "" {
		value = i.Later
	}
	e := &edit{form: field.New(1)}
	m.about, m.edit, m.detail = i, e, false
	switch i.Kind {
	case config.Switch: // it is opened to be switched
		m.about.Choices, e.choosing = []string{"true", "false"}, true
		if value == "true" {
			e.choice = 1
		}
	case config.Choice:
		e.choosing, e.choice = true, max(0, slices.Index(i.Choices, value))
	default:
		e.form.SetStyles(m.Styles)
		e.form.SetWidth(max(8, m.Width-4))
		e.form.Set(value)
		e.form.Focus()
	}
}

// editKey takes a key while a setting is changed.
func (m *Model) editKey(msg tea.KeyPressMsg) Action {
	e, k := m.edit, m.Keys.Form
	n, moved := m.Keys.Settings.By(msg, pageRows)
	switch {
	case key.Matches(msg, k.Leave):
		m.edit, m.Busy, m.Notice = nil, false, ""
	case e.choosing && moved:
		e.choice = min(max(0, e.choice+n), len(m.about.Choices)-1)
	case m.Busy:
	case key.Matches(msg, k.Save):
		text := e.form.Value()
		if e.choosing {
			text = m.about.Choices[e.choice]
		}
		m.Notice = ""
		return m.Once(Action{Do: Set, Key: m.about.Key, Text: text})
	case e.choosing:
		if msg.Code == tea.KeyEnter {
			m.Notice = k.Save.Help().Key + " saves it."
		}
	case e.form.Update(msg):
		m.Notice = ""
	}
	return Action{}
}

// View returns the pane's lines and the cursor; see [list.Base.View].
func (m *Model) View() ([]string, *tea.Cursor) {
	switch {
	case m.edit == nil:
		return m.Base.View()
	case m.edit.choosing:
		return m.Frame(m.choiceView(), nil, m.Foot())
	}
	body, cursor := m.formView()
	return m.Frame(body, cursor, m.Foot())
}

func (m *Model) formView() ([]string, *tea.Cursor) {
	lines := m.wrapped(m.Styles.Strong, m.about.Key, 1)
	cursor := m.edit.form.Cursor()
	if cursor != nil {
		cursor.X += 3
		cursor.Y += len(lines)
	}
	lines = append(lines, m.Styles.Accent.Render(" > ")+m.edit.form.View()[0])
	return append(lines, m.below()...), cursor
}

func (m *Model) choiceView() []string {
	lines := m.wrapped(m.Styles.Strong, m.about.Key, 1)
	for n, c := range m.about.Choices {
		mark := "   "
		if n == m.edit.choice {
			mark = m.Styles.Accent.Render(" ▸ ")
		}
		said := clean.Line(c)
		if c == m.about.Value {
			said += " (in force)"
		}
		lines = append(lines, mark+m.Styles.Text.Render(said))
	}
	return append(lines, m.below()...)
}

// below returns the lines below a field: its bounds and its help.
func (m *Model) below() []string {
	out := []string{""}
	i := m.about
	if i.Allowed != "" && i.Kind != config.Choice {
		words := "allowed: " + i.Allowed
		if i.Kind == config.List {
			words = "any of, with commas: " + i.Allowed
		}
		out = append(out, m.wrapped(m.Styles.Text, words, 1)...)
	}
	out = append(out, m.wrapped(m.Styles.Text, "default: "+i.Default+" · a change counts "+i.Effect(), 1)...)
	return append(append(out, ""), m.wrapped(m.Styles.Dim, i.Help, 1)...)
}
