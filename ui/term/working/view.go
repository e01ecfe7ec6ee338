package working

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// entry is what can be chosen: the topic, or a variable.
type entry struct {
	topic bool
	name  string // of the variable
	value string
}

type row = list.Row[entry]

const (
	labelWidth = 12
	mostLines  = 8 // of one value
	topicKey   = "topic"
)

// variableKey finds the row of a variable again.
func variableKey(name string) string { return "variable " + name }

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	was, _ := m.list.Selected()
	m.rows = nil
	m.add()
	m.list.Set(m.rows)
	if is, _ := m.list.Selected(); is.Key != was.Key && m.mode == confirming { // what was asked about is gone
		m.mode, m.busy = listing, false
	}
}

func (m *Model) say(lines ...string) { m.rows = append(m.rows, row{Lines: lines}) }

// note adds wrapped text.
func (m *Model) note(style list.Styler, text string, indent int) {
	m.say(m.wrapped(style, text, indent)...)
}

func (m *Model) add() {
	s := m.state
	m.say(m.styles.Accent.Render(" working memory"))
	switch {
	case m.problem != "":
		m.note(m.styles.Bad, "It could not be read: "+m.problem, 1)
		return
	case m.reading && !m.there:
		m.say(m.styles.Dim.Render(" reading …"))
		return
	case !m.there:
		m.note(m.styles.Dim, "Nothing yet. What a session is about is noted here after its first message, and corrected by you when it is wrong.", 1)
		return
	}
	if t := clean.Line(s.Title); t != "" {
		m.note(m.styles.Text, t, 1)
	}
	if s.Kept {
		m.note(m.styles.Warn, "kept of a session that has ended; it comes back when you send something in it", 1)
	}
	m.say("")
	m.addEntry(topicKey, entry{topic: true, value: s.CurrentTopic}, "topic", "none yet")
	m.fact("turns", cells.Number(s.TurnCount))
	m.fact("mood", s.LastEmotion)
	m.fact("since", words.Moment(s.CreatedAt, m.loc))
	if !s.UpdatedAt.Equal(s.CreatedAt) {
		m.fact("updated", words.Moment(s.UpdatedAt, m.loc))
	}
	m.fact("ends", m.ending())
	m.say("")
	m.say(m.styles.Accent.Render(" variables · " + cells.Number(len(s.ContextVariables))))
	if len(s.ContextVariables) == 0 {
		hint := "None. What matters while this session lasts, such as the file or the language in use, is noted here."
		if !s.Kept {
			hint += " a adds one."
		}
		m.note(m.styles.Dim, hint, 1)
	}
	for _, k := range slices.Sorted(maps.Keys(s.ContextVariables)) {
		m.addEntry(variableKey(k), entry{name: k, value: s.ContextVariables[k]}, k, "empty")
	}
}

// ending says when the working memory ends (W4).
func (m *Model) ending() string {
	switch at := m.state.EndsAt; {
	case m.state.Kept || at.IsZero():
		return ""
	case !at.After(m.now):
		return "its time is over; your next message decides whether it goes on"
	case at.In(m.loc).YearDay() != m.now.In(m.loc).YearDay():
		return words.Moment(at, m.loc) + " unless you write"
	default:
		return at.In(m.loc).Format("15:04") + " unless you write"
	}
}

// fact adds a line with a label; nothing without a value.
func (m *Model) fact(label, value string) {
	if value != "" {
		m.say(m.labelled(m.styles.Dim, label, value)...)
	}
}

// addEntry adds what can be edited.
func (m *Model) addEntry(key string, e entry, label, none string) {
	style, value := list.Styler(m.styles.Strong), e.value
	if strings.TrimSpace(value) == "" {
		style, value = m.styles.Dim, none
	}
	m.rows = append(m.rows, row{Key: key, Of: e, Lines: m.labelled(style, label, value)})
}

// labelled is a label and a value; a long label stands on a line of its own.
func (m *Model) labelled(style list.Styler, label, value string) (out []string) {
	label = clean.Line(label)
	width := min(labelWidth, m.width/3)
	lines := clean.Wrap(clean.Line(value), max(8, m.width-3-width-1))
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], cells.Ellipsis)
	}
	if cells.Width(label) >= width {
		out = append(out, "   "+m.styles.Dim.Render(clean.Truncate(label, max(1, m.width-4), cells.Ellipsis)))
		label = ""
	}
	for _, l := range lines {
		out = append(out, "   "+m.styles.Dim.Render(cells.Fit(label, width))+style.Render(l))
		label = ""
	}
	return out
}

// View returns the part's lines: exactly its height, each exactly its width.
// cursor is where the terminal's cursor belongs, nil when not here.
func (m *Model) View() (lines []string, cursor *tea.Cursor) {
	foot := m.foot()
	h := max(0, m.height-len(foot))
	if m.mode == editing {
		lines, cursor = m.formView()
		if cursor != nil && cursor.Y >= h { // keep the cursor's line in view
			over := cursor.Y - h + 1
			lines, cursor.Y = lines[min(over, len(lines)):], h-1
		}
	} else {
		mark := ""
		if m.focused {
			mark = m.styles.Accent.Render(" ▸ ")
		}
		lines = m.list.View(h, mark)
	}
	if !m.focused || cursor != nil && (h <= 0 || cursor.X >= m.width) {
		cursor = nil
	}
	return append(cells.Block(lines, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

// foot is what stands at the bottom: questions, what went wrong, and the keys.
func (m *Model) foot() (out []string) {
	if m.notice != "" {
		out = m.wrapped(m.styles.Warn, m.notice, 1)
	}
	k, f := m.keys.Working, m.keys.Form
	switch {
	case m.busy:
		return append(out, " "+m.styles.Dim.Render("saving …"))
	case m.mode == confirming:
		return append(out, m.question()...)
	case !m.focused:
		return out
	case m.mode == editing && m.form.key != nil:
		return append(out, list.Hints(m.styles.Dim, m.width, "", f.Save, f.NextField, f.NewLine, f.Leave)...)
	case m.mode == editing:
		return append(out, list.Hints(m.styles.Dim, m.width, "", f.Save, f.NewLine, f.Leave)...)
	case !m.there:
		return out
	case m.state.Kept:
		return append(out, list.Hints(m.styles.Dim, m.width, "", k.Copy)...)
	}
	return append(out, list.Hints(m.styles.Dim, m.width, "", k.Edit, k.Add, k.Delete, k.Copy)...)
}

func (m *Model) question() []string {
	r, _ := m.list.Selected()
	what, name := "Delete the topic “", clean.Line(r.Of.value)
	if !r.Of.topic {
		what, name = "Delete the variable “", clean.Line(r.Of.name)
	}
	name = clean.Truncate(name, max(4, m.width-cells.Width(what)-4), cells.Ellipsis)
	return []string{
		" " + m.styles.Bad.Render(what+name+"”?"),
		" " + m.styles.Key.Render("del") + " deletes it · any other key keeps it",
	}
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	return list.Wrapped(style, text, m.width, indent)
}
