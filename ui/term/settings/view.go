package settings

import (
	"strings"

	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

const (
	indent = 3  // of a setting
	narrow = 46 // with fewer cells a value is below its setting
	helped = 6  // lines of help in the list, at most
)

// addRows adds the settings that match.
func (m *Model) addRows() {
	if !m.loaded {
		m.Say(m.Styles.Dim.Render(" " + m.Words.Say("settings.reading")))
		return
	}
	shown, changed := config.Match(m.all, m.Search.Value()), 0
	for _, i := range m.all {
		if i.Changed() {
			changed++
		}
	}
	head := m.Words.Say("settings.head", len(m.all), changed)
	if m.Search.Value() != "" {
		head = m.Words.Say("settings.found", len(shown), len(m.all))
	}
	m.Say(m.Styles.Accent.Render(" " + head))
	widest := 0
	for _, i := range shown {
		widest = max(widest, cells.Width(clean.Line(name(i))))
	}
	group := ""
	for _, i := range shown {
		if g := m.group(i); g != group {
			group = g
			m.Say(m.Styles.Dim.Render(" " + clean.Line(g)))
		}
		lines := m.row(i, widest)
		m.AddRow(list.Row[config.Setting]{Key: i.Key, Of: i, Lines: lines, Chosen: append(lines[:len(lines):len(lines)], m.aside(i)...)})
	}
	if len(shown) == 0 {
		m.Dim(m.Words.Say("settings.nothing"))
	}
}

// group is the heading of a setting: the common ones have one of their own, the others have their
// table of the file.
func (m *Model) group(i config.Setting) string {
	if i.Common() {
		return m.Words.Say("settings.common")
	}
	return "[" + i.Table() + "]"
}

// name is a setting's name below its heading.
func name(i config.Setting) string {
	if i.Common() {
		return i.Key
	}
	return i.Name()
}

// row is a setting with its value and its source.
func (m *Model) row(i config.Setting, widest int) []string {
	mark := ""
	if i.Set() {
		mark = m.Words.Translate(i.From.String())
	}
	value, style := i.Value, list.Styler(m.Styles.Text)
	if i.Later != "" {
		value, mark = i.Value+" → "+i.Later, m.Words.Say("setting.later")
	}
	if i.Changed() {
		style = m.Styles.Strong
	}
	name := clean.Line(name(i))
	value = clean.Line(value)
	room := max(1, m.Width-indent-1)
	right := ""
	if mark != "" {
		right = " " + mark
	}
	if m.Width < narrow {
		first := m.Styles.Text.Render(clean.Truncate(name, room, cells.Ellipsis))
		value = clean.Truncate(value, max(1, room-2-cells.Width(right)), cells.Ellipsis)
		second := cells.Spread(style.Render(value), m.Styles.Dim.Render(right), max(0, room-2))
		return []string{strings.Repeat(" ", indent) + first, strings.Repeat(" ", indent+2) + second}
	}
	value = clean.Truncate(value, max(1, room-widest-2-cells.Width(right)), cells.Ellipsis)
	left := cells.Fit(m.Styles.Text.Render(name), widest+2) + style.Render(value)
	return []string{strings.Repeat(" ", indent) + cells.Spread(left, m.Styles.Dim.Render(right), room)}
}

// aside is what the setting under the cursor is for, in a few lines.
func (m *Model) aside(i config.Setting) []string {
	help := m.wrapped(m.Styles.Dim, i.Help, indent+2)
	if len(help) > helped {
		help = append(help[:helped-1], m.Styles.Dim.Render("     "+m.Words.Say("settings.more")))
	}
	var facts []string
	if i.Allowed != "" && i.Kind != config.Switch {
		facts = append(facts, i.Allowed)
	}
	facts = append(facts, m.Words.Say("settings.default", i.Default))
	switch {
	case i.From == config.FromFile: // its whole path is in the detail
		facts = append(facts, m.source(i, i.Where[strings.LastIndexByte(i.Where, '/')+1:]))
	case i.Set():
		facts = append(facts, m.source(i, i.Where))
	}
	if i.AtStart {
		facts = append(facts, m.Words.Say("setting.takes", words.Sentence(i.Effect())))
	}
	help = append(help, m.wrapped(m.Styles.Dim, strings.Join(facts, " · "), indent+2)...)
	if i.Note != "" {
		help = append(help, m.wrapped(m.Styles.Warn, i.Note, indent+2)...)
	}
	return help
}

// source says where the value of a setting comes from.
func (m *Model) source(i config.Setting, where string) string {
	from := m.Words.Translate(i.From.String())
	if where == "" {
		return from
	}
	return m.Words.Say("settings.source", from, where)
}

// text returns everything about a setting while that is shown.
func (m *Model) text() []string {
	if !m.detail {
		return nil
	}
	i := m.about
	out := m.wrapped(m.Styles.Strong, i.Key, 1)
	out = append(out, m.wrapped(m.Styles.Text, i.Help, 1)...)
	out = append(out, "")
	add := func(id, text string) {
		if text != "" {
			out = append(out, m.wrapped(m.Styles.Text, m.Words.Say("setting.line", m.Words.Say(id), text), 1)...)
		}
	}
	add("memory.value", i.Value)
	add("setting.source", m.source(i, i.Where))
	add("setting.later", i.Later)
	add("setting.default", i.Default)
	add("setting.allowed", i.Allowed)
	add("setting.variable", i.Variable)
	add("setting.effect", m.Words.Translate(i.Effect()))
	return append(out, m.wrapped(m.Styles.Warn, i.Note, 1)...)
}

// wrapped cleans, wraps and indents a text; nothing for no text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	if text == "" {
		return nil
	}
	return m.Wrapped(style, text, indent)
}
