package settings

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// open begins to change a setting: in a field, or by one of its choices.
func (m *Model) open(i config.Setting) {
	value, k := i.Value, m.Keys.Form
	if i.Later != "" {
		value = i.Later
	}
	f := &list.Form[Action]{ID: "setting " + i.Key, Inset: 4, Hints: []key.Binding{k.Save, k.Leave}}
	set := func(text string) Action { return m.Once(Action{Do: Set, Key: i.Key, Text: text}) }
	switch i.Kind {
	case config.Switch, config.Choice:
		at := max(0, slices.Index(i.Choices, value))
		if i.Kind == config.Switch { // it is opened to be switched
			i.Choices, at = []string{"true", "false"}, 0
			if value == "true" {
				at = 1
			}
		}
		f.Fields = []*list.Input{{}}
		f.Save = func() Action { return set(i.Choices[at]) }
		f.Draw = func() ([]string, *tea.Cursor) { return m.choiceLines(at), nil }
		f.Key = func(msg tea.KeyPressMsg) (Action, bool) {
			n, moved := m.Keys.Settings.By(msg, pageRows)
			if moved = moved && (msg.Code != tea.KeyDown || at < len(i.Choices)-1); moved { // below the last is the button
				at = min(max(0, at+n), len(i.Choices)-1)
			}
			return Action{}, moved // text means nothing here
		}
	default:
		in := list.Text("", "", value, 1)
		f.Fields = []*list.Input{in}
		f.Save = func() Action { return set(in.Field.Value()) }
		f.Draw = func() ([]string, *tea.Cursor) { return m.fieldLines(in) }
	}
	m.about, m.detail = i, false
	m.Base.Open(f)
}

// fieldLines returns the field of a setting, and the cursor.
func (m *Model) fieldLines(in *list.Input) ([]string, *tea.Cursor) {
	lines := m.heading()
	cursor := in.Field.Cursor()
	if cursor != nil {
		cursor.X += 3
		cursor.Y += len(lines)
	}
	lines = append(lines, m.Styles.Accent.Render(" > ")+in.Field.View()[0])
	return append(lines, m.below()...), cursor
}

// choiceLines returns the choices of a setting, with the cursor at one.
func (m *Model) choiceLines(at int) []string {
	lines := m.heading()
	for n, c := range m.about.Choices {
		mark := "   "
		if n == at {
			mark = m.Styles.Accent.Render(" ▸ ")
		}
		said := clean.Line(c)
		if name := m.value(m.about, c); name != c {
			said = name + m.Words.Say("sep.paren", said)
		}
		if c == m.about.Value {
			said += m.Words.Say("sep.paren", m.Words.Say("settings.in-force"))
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
		label := "setting.allowed"
		if i.Kind == config.List {
			label = "settings.any-of"
		}
		out = append(out, m.wrapped(m.Styles.Text, m.Words.Say("setting.line", m.Words.Say(label), i.Allowed), 1)...)
	}
	facts := m.Words.Say("settings.default", m.value(i, i.Default)) + " · " + m.Words.Say("setting.takes", words.Sentence(i.Effect()))
	out = append(out, m.wrapped(m.Styles.Text, facts, 1)...)
	return append(append(out, ""), m.wrapped(m.Styles.Dim, i.Help, 1)...)
}
