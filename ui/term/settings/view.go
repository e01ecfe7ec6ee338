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
	wide   = 72 // from so many on the key is beside its setting
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
	return m.Words.Named("settings.table", i.Table())
}

// name is a setting's name below its heading.
func name(i config.Setting) string {
	switch {
	case i.Title != "":
		return i.Title
	case i.Common():
		return i.Key
	}
	return i.Name()
}

// value is a value as it is shown: a switch is on or off, and a choice has a name.
func (m *Model) value(i config.Setting, value string) string {
	if i.Kind == config.Switch || i.Kind == config.Choice && i.Title != "" {
		if id := "settings.value." + value; words.Has(id) {
			return m.Words.Say(id)
		}
	}
	return value
}

// row is a setting with its value and its source.
func (m *Model) row(i config.Setting, widest int) []string {
	mark := ""
	if i.Set() {
		mark = m.Words.Translate(i.From.String())
	}
	value, style := m.value(i, i.Value), list.Styler(m.Styles.Text)
	if i.Later != "" {
		value, mark = value+" → "+m.value(i, i.Later), m.Words.Say("setting.later")
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
	if key := "  " + clean.Line(i.Key); m.Width >= wide && i.Title != "" && widest+2+cells.Width(value)+cells.Width(key+right) <= room {
		right = key + right
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
	if i.Title != "" {
		facts = append(facts, i.Key)
	}
	if i.Allowed != "" && i.Kind != config.Switch {
		facts = append(facts, i.Allowed)
	}
	facts = append(facts, m.Words.Say("settings.default", m.value(i, i.Default)))
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
	out := m.heading()
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

// heading is the name of the setting that the page is about, and its key.
func (m *Model) heading() []string {
	if m.about.Title == "" {
		return m.wrapped(m.Styles.Strong, m.about.Key, 1)
	}
	return append(m.wrapped(m.Styles.Strong, m.about.Title, 1), m.wrapped(m.Styles.Dim, m.about.Key, 1)...)
}

// wrapped cleans, wraps and indents a text; nothing for no text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	if text == "" {
		return nil
	}
	return m.Wrapped(style, text, indent)
}
