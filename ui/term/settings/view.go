package settings

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/config"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
)

const (
	indent = 3  // of a setting
	narrow = 46 // with fewer cells a value stands below its setting
	helped = 6  // lines of help in the list, at most
)

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	var body []string
	switch m.mode {
	case editing:
		body, cursor = m.formView()
	case choosing:
		body = m.choiceView()
	case detailing:
		body = m.detail()
		m.scroll = min(max(0, m.scroll), max(0, len(body)-h))
		body = body[m.scroll:]
	default:
		body, cursor = m.listView(h)
	}
	if !m.focused || cursor != nil && (cursor.X >= m.width || cursor.Y < 0 || cursor.Y >= h) {
		cursor = nil
	}
	return append(cells.Block(body, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

func (m *Model) listView(h int) (out []string, cursor *tea.Cursor) {
	if !m.loaded {
		return []string{m.styles.Dim.Render(" reading the settings …")}, nil
	}
	if m.mode == filtering || m.filter.Value() != "" {
		out = append(out, m.styles.Accent.Render(" / ")+m.filter.View()[0])
		if c := m.filter.Cursor(); c != nil {
			cursor = c
			cursor.X += 3
		}
	}
	if m.problem != "" {
		out = append(out, m.wrapped(m.styles.Bad, m.problem, 1)...)
	}
	mark := ""
	if m.focused && m.mode == listing {
		mark = m.styles.Accent.Render(" ▸ ")
	}
	return append(out, m.list.View(max(1, h-len(out)), mark)...), cursor
}

// build makes the rows anew.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	shown, changed := config.Match(m.all, m.filter.Value()), 0
	for _, i := range m.all {
		if i.Changed() {
			changed++
		}
	}
	head := fmt.Sprintf(" settings · %d, changed %d", len(m.all), changed)
	if m.filter.Value() != "" {
		head = fmt.Sprintf(" settings · %d of %d", len(shown), len(m.all))
	}
	rows := []list.Row[config.Setting]{{Lines: []string{m.styles.Accent.Render(head)}}}
	widest := 0
	for _, i := range shown {
		widest = max(widest, cells.Width(clean.Line(i.Name())))
	}
	table := ""
	for n, i := range shown {
		if t := i.Table(); t != table || n == 0 && t != "" {
			table = t
			rows = append(rows, list.Row[config.Setting]{Lines: []string{m.styles.Dim.Render(" [" + clean.Line(t) + "]")}})
		}
		lines := m.row(i, widest)
		rows = append(rows, list.Row[config.Setting]{Key: i.Key, Of: i, Lines: lines, Chosen: append(lines[:len(lines):len(lines)], m.aside(i)...)})
	}
	if len(shown) == 0 && m.loaded {
		rows = append(rows, list.Row[config.Setting]{Lines: m.wrapped(m.styles.Dim, "Nothing has these words. Esc takes the filter away.", 1)})
	}
	m.list.Set(rows)
}

// marks are how a source is named at the end of a row.
var marks = map[config.Origin]string{config.FromFile: "file", config.FromEnvironment: "variable", config.FromFlag: "flag"}

// row is a setting with its value and its source.
func (m *Model) row(i config.Setting, widest int) []string {
	mark := marks[i.From]
	value, style := i.Value, list.Styler(m.styles.Text)
	if i.Later != "" {
		value, mark = i.Value+" → "+i.Later, "next start"
	}
	if i.Changed() {
		style = m.styles.Strong
	}
	name := clean.Line(i.Name())
	value = clean.Line(value)
	room := max(1, m.width-indent-1)
	if m.width < narrow {
		first := cells.Spread(m.styles.Text.Render(clean.Truncate(name, room, cells.Ellipsis)), m.styles.Dim.Render(mark), room)
		return []string{strings.Repeat(" ", indent) + first, strings.Repeat(" ", indent+2) + style.Render(clean.Truncate(value, max(1, room-2), cells.Ellipsis))}
	}
	right := ""
	if mark != "" {
		right = " " + mark
	}
	value = clean.Truncate(value, max(1, room-widest-2-cells.Width(right)), cells.Ellipsis)
	left := cells.Fit(m.styles.Text.Render(name), widest+2) + style.Render(value)
	return []string{strings.Repeat(" ", indent) + cells.Spread(left, m.styles.Dim.Render(right), room)}
}

// aside is what the setting under the cursor is for, in a few lines.
func (m *Model) aside(i config.Setting) []string {
	help := m.wrapped(m.styles.Dim, i.Help, indent+2)
	if len(help) > helped {
		help = append(help[:helped-1], m.styles.Dim.Render("     … o shows all of it"))
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
	help = append(help, m.wrapped(m.styles.Dim, strings.Join(facts, " · "), indent+2)...)
	if i.Note != "" {
		help = append(help, m.wrapped(m.styles.Warn, i.Note, indent+2)...)
	}
	return help
}

// detail is everything about a setting.
func (m *Model) detail() []string {
	i := m.about
	out := m.wrapped(m.styles.Strong, i.Key, 1)
	out = append(out, m.wrapped(m.styles.Text, i.Help, 1)...)
	out = append(out, "")
	for _, f := range []struct{ name, text string }{
		{"value", i.Value}, {"comes from", i.Source()}, {"after restart", i.Later}, {"default", i.Default},
		{"allowed", i.Allowed}, {"variable", i.Variable}, {"a change counts", i.Effect()},
	} {
		if f.text != "" {
			out = append(out, m.wrapped(m.styles.Text, f.name+": "+f.text, 1)...)
		}
	}
	if i.Note != "" {
		out = append(out, m.wrapped(m.styles.Warn, i.Note, 1)...)
	}
	return out
}

func (m *Model) formView() ([]string, *tea.Cursor) {
	lines := m.wrapped(m.styles.Strong, m.about.Key, 1)
	cursor := m.form.Cursor()
	if cursor != nil {
		cursor.X += 3
		cursor.Y += len(lines)
	}
	lines = append(lines, m.styles.Accent.Render(" > ")+m.form.View()[0])
	return append(lines, m.below()...), cursor
}

func (m *Model) choiceView() []string {
	lines := m.wrapped(m.styles.Strong, m.about.Key, 1)
	for n, c := range m.about.Choices {
		mark := "   "
		if n == m.choice {
			mark = m.styles.Accent.Render(" ▸ ")
		}
		said := clean.Line(c)
		if c == m.about.Value {
			said += " (in force)"
		}
		lines = append(lines, mark+m.styles.Text.Render(said))
	}
	return append(lines, m.below()...)
}

// below is what stands below a field: what it takes, and what it is for.
func (m *Model) below() []string {
	out := []string{""}
	i := m.about
	if i.Allowed != "" && i.Kind != config.Choice {
		words := "allowed: " + i.Allowed
		if i.Kind == config.List {
			words = "any of, with commas: " + i.Allowed
		}
		out = append(out, m.wrapped(m.styles.Text, words, 1)...)
	}
	out = append(out, m.wrapped(m.styles.Text, "default: "+i.Default+" · a change counts "+i.Effect(), 1)...)
	return append(append(out, ""), m.wrapped(m.styles.Dim, i.Help, 1)...)
}

// foot is what stands at the bottom: what went wrong, what was done, the keys.
func (m *Model) foot() []string {
	var out []string
	switch {
	case m.notice != "":
		out = append(out, m.wrapped(m.styles.Bad, m.notice, 1)...)
	case m.told != "":
		out = append(out, m.wrapped(m.styles.Good, m.told, 1)...)
	}
	if !m.focused {
		return out
	}
	k, f := m.keys.Settings, m.keys.Form
	var last string
	var bindings []key.Binding
	switch m.mode {
	case editing, choosing:
		bindings = []key.Binding{f.Save, f.Leave}
	case filtering:
		last = "enter to the list · esc no filter"
	case detailing:
		bindings, last = []key.Binding{k.Edit, k.Reset, k.Copy}, "esc back"
	default:
		bindings = []key.Binding{k.Edit, k.Detail, k.Reset, k.Undo, k.Filter, k.Copy}
	}
	return append(out, list.Hints(m.styles.Dim, m.width, last, bindings...)...)
}

// wrapped cleans, wraps and indents a text; nothing for no text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	if text == "" {
		return nil
	}
	return list.Wrapped(style, text, m.width, indent)
}
