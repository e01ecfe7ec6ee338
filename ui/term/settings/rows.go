package settings

import (
	"fmt"
	"strings"

	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

const (
	indent = 3  // of a setting
	narrow = 46 // with fewer cells a value is below its setting
	helped = 6  // lines of help in the list, at most
)

// addRows adds the settings that match.
func (m *Model) addRows() {
	if !m.loaded {
		m.Say(m.Styles.Dim.Render(" reading the settings …"))
		return
	}
	shown, changed := config.Match(m.all, m.Search.Value()), 0
	for _, i := range m.all {
		if i.Changed() {
			changed++
		}
	}
	head := fmt.Sprintf(" settings · %d, changed %d", len(m.all), changed)
	if m.Search.Value() != "" {
		head = fmt.Sprintf(" settings · %d of %d", len(shown), len(m.all))
	}
	m.Say(m.Styles.Accent.Render(head))
	widest := 0
	for _, i := range shown {
		widest = max(widest, cells.Width(clean.Line(i.Name())))
	}
	table := ""
	for n, i := range shown {
		if t := i.Table(); t != table || n == 0 && t != "" {
			table = t
			m.Say(m.Styles.Dim.Render(" [" + clean.Line(t) + "]"))
		}
		lines := m.row(i, widest)
		m.AddRow(list.Row[config.Setting]{Key: i.Key, Of: i, Lines: lines, Chosen: append(lines[:len(lines):len(lines)], m.aside(i)...)})
	}
	if len(shown) == 0 {
		m.Dim("Nothing has these words. Esc takes the filter away.")
	}
}

// marks are how a source is named at the end of a row.
var marks = map[config.Origin]string{config.FromFile: "file", config.FromEnvironment: "variable", config.FromFlag: "flag"}

// row is a setting with its value and its source.
func (m *Model) row(i config.Setting, widest int) []string {
	mark := marks[i.From]
	value, style := i.Value, list.Styler(m.Styles.Text)
	if i.Later != "" {
		value, mark = i.Value+" → "+i.Later, "next start"
	}
	if i.Changed() {
		style = m.Styles.Strong
	}
	name := clean.Line(i.Name())
	value = clean.Line(value)
	room := max(1, m.Width-indent-1)
	if m.Width < narrow {
		first := cells.Spread(m.Styles.Text.Render(clean.Truncate(name, room, cells.Ellipsis)), m.Styles.Dim.Render(mark), room)
		value = clean.Truncate(value, max(1, room-2), cells.Ellipsis)
		return []string{strings.Repeat(" ", indent) + first, strings.Repeat(" ", indent+2) + style.Render(value)}
	}
	right := ""
	if mark != "" {
		right = " " + mark
	}
	value = clean.Truncate(value, max(1, room-widest-2-cells.Width(right)), cells.Ellipsis)
	left := cells.Fit(m.Styles.Text.Render(name), widest+2) + style.Render(value)
	return []string{strings.Repeat(" ", indent) + cells.Spread(left, m.Styles.Dim.Render(right), room)}
}

// aside is what the setting under the cursor is for, in a few lines.
func (m *Model) aside(i config.Setting) []string {
	help := m.wrapped(m.Styles.Dim, i.Help, indent+2)
	if len(help) > helped {
		help = append(help[:helped-1], m.Styles.Dim.Render("     … o shows all of it"))
	}
	var facts []string
	if i.Allowed != "" && i.Kind != config.Switch {
		facts = append(facts, i.Allowed)
	}
	facts = append(facts, "default "+i.Default)
	switch {
	case i.From == config.FromFile: // its whole path is in the detail
		facts = append(facts, "file, "+i.Where[strings.LastIndexByte(i.Where, '/')+1:])
	case i.Set():
		facts = append(facts, i.Source())
	}
	if i.AtStart {
		facts = append(facts, "takes effect after restart")
	}
	help = append(help, m.wrapped(m.Styles.Dim, strings.Join(facts, " · "), indent+2)...)
	if i.Note != "" {
		help = append(help, m.wrapped(m.Styles.Warn, i.Note, indent+2)...)
	}
	return help
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
	for _, f := range []struct{ name, text string }{
		{"value", i.Value}, {"comes from", i.Source()}, {"after restart", i.Later}, {"default", i.Default},
		{"allowed", i.Allowed}, {"variable", i.Variable}, {"a change counts", i.Effect()},
	} {
		if f.text != "" {
			out = append(out, m.wrapped(m.Styles.Text, f.name+": "+f.text, 1)...)
		}
	}
	if i.Note != "" {
		out = append(out, m.wrapped(m.Styles.Warn, i.Note, 1)...)
	}
	return out
}

// wrapped cleans, wraps and indents a text; nothing for no text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	if text == "" {
		return nil
	}
	return m.Wrapped(style, text, indent)
}
