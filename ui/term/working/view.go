package working

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/part"
)

// kind says what a row stands for.
type kind int

const (
	plainRow kind = iota // nothing that can be chosen
	topicRow
	variableRow
)

// row is one line. The lines after the first of a topic or variable are plain.
type row struct {
	kind  kind
	name  string // of the variable
	value string
	text  string
}

const (
	labelWidth = 12
	mostLines  = 8 // of one value
)

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	was := row{}
	if m.cursor >= 0 && m.cursor < len(m.rows) {
		was = m.rows[m.cursor]
	}
	m.rows = m.rows[:0]
	m.add()
	at := slices.IndexFunc(m.rows, func(r row) bool {
		return r.kind != plainRow && r.kind == was.kind && r.name == was.name
	})
	if at < 0 {
		at = min(max(m.cursor, 0), len(m.rows))
		if at = m.next(at-1, 1); at < 0 {
			at = m.next(len(m.rows), -1)
		}
		if m.mode == confirming { // what was asked about is gone
			m.mode, m.busy = listing, false
		}
	}
	m.cursor = at
}

func (m *Model) say(text string) { m.rows = append(m.rows, row{text: text}) }

// note adds wrapped text.
func (m *Model) note(style part.Styler, text string, indent int) {
	for _, l := range m.wrapped(style, text, indent) {
		m.say(l)
	}
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
	m.addEntry(row{kind: topicRow, value: s.CurrentTopic}, "topic", "none yet")
	m.fact("turns", cells.Number(s.TurnCount))
	m.fact("mood", s.LastEmotion)
	m.fact("since", part.Moment(s.CreatedAt, m.loc))
	if !s.UpdatedAt.Equal(s.CreatedAt) {
		m.fact("updated", part.Moment(s.UpdatedAt, m.loc))
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
		m.addEntry(row{kind: variableRow, name: k, value: s.ContextVariables[k]}, k, "empty")
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
		return part.Moment(at, m.loc) + " unless you write"
	default:
		return at.In(m.loc).Format("15:04") + " unless you write"
	}
}

// fact adds a line with a label; nothing without a value.
func (m *Model) fact(label, value string) {
	if value != "" {
		m.addRow(row{}, m.styles.Dim, label, value)
	}
}

// addEntry adds what can be edited.
func (m *Model) addEntry(r row, label, none string) {
	if strings.TrimSpace(r.value) == "" {
		m.addRow(r, m.styles.Dim, label, none)
		return
	}
	m.addRow(r, m.styles.Strong, label, r.value)
}

// addRow adds a label and a value; a long label stands on a line of its own.
func (m *Model) addRow(r row, style part.Styler, label, value string) {
	label = clean.Line(label)
	width := min(labelWidth, m.width/3)
	lines := clean.Wrap(clean.Line(value), max(8, m.width-3-width-1))
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], cells.Ellipsis)
	}
	if cells.Width(label) >= width {
		r.text = "   " + m.styles.Dim.Render(clean.Truncate(label, max(1, m.width-4), cells.Ellipsis))
		m.rows = append(m.rows, r)
		r, label = row{}, ""
	}
	for i, l := range lines {
		if i > 0 {
			r, label = row{}, ""
		}
		r.text = "   " + m.styles.Dim.Render(cells.Fit(label, width)) + style.Render(l)
		m.rows = append(m.rows, r)
	}
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
		lines = m.visible(h)
	}
	if !m.focused || cursor != nil && (h <= 0 || cursor.X >= m.width) {
		cursor = nil
	}
	return append(cells.Block(lines, m.width, h), cells.Block(foot, m.width, m.height-h)...), cursor
}

// visible cuts out what is seen.
func (m *Model) visible(h int) (out []string) {
	m.first = min(max(m.first, 0), max(0, len(m.rows)-h))
	for i := m.first; i < len(m.rows) && len(out) < h; i++ {
		l := m.rows[i].text
		if i == m.cursor && m.focused {
			l = m.styles.Accent.Render(" ▸ ") + strings.TrimPrefix(l, "   ")
		}
		out = append(out, l)
	}
	return out
}

// reveal scrolls as little as needed to show the cursor's row.
func (m *Model) reveal() {
	h := max(1, m.height-len(m.foot()))
	end := m.cursor // with the lines that belong to the row
	for end+1 < len(m.rows) && end-m.cursor < mostLines && m.rows[end+1].kind == plainRow && m.rows[m.cursor].kind == variableRow {
		end++
	}
	m.first = cells.Window(len(m.rows), h, m.first, end)
	m.first = cells.Window(len(m.rows), h, m.first, m.cursor)
	if m.cursor == m.next(-1, 1) {
		m.first = 0 // with the heading above it
	}
}

// settle brings the cursor into view after the view was moved, so that keys are
// about what is seen.
func (m *Model) settle() {
	h := max(1, m.height-len(m.foot()))
	m.first = min(max(m.first, 0), max(0, len(m.rows)-h))
	if m.cursor < m.first {
		if n := m.next(m.first-1, 1); n >= 0 && n < m.first+h {
			m.cursor = n
		}
	}
	if m.cursor >= m.first+h {
		if n := m.next(m.first+h, -1); n >= m.first {
			m.cursor = n
		}
	}
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
	case m.mode == confirming && m.cursor >= 0:
		return append(out, m.question()...)
	case !m.focused:
		return out
	case m.mode == editing && m.form.key != nil:
		return append(out, part.Hints(m.styles.Dim, m.width, "", f.Save, f.NextField, f.NewLine, f.Leave)...)
	case m.mode == editing:
		return append(out, part.Hints(m.styles.Dim, m.width, "", f.Save, f.NewLine, f.Leave)...)
	case !m.there:
		return out
	case m.state.Kept:
		return append(out, part.Hints(m.styles.Dim, m.width, "", k.Copy)...)
	}
	return append(out, part.Hints(m.styles.Dim, m.width, "", k.Edit, k.Add, k.Delete, k.Copy)...)
}

func (m *Model) question() []string {
	r := m.rows[m.cursor]
	what, name := "Delete the topic “", clean.Line(r.value)
	if r.kind == variableRow {
		what, name = "Delete the variable “", clean.Line(r.name)
	}
	name = clean.Truncate(name, max(4, m.width-cells.Width(what)-4), cells.Ellipsis)
	return []string{
		" " + m.styles.Bad.Render(what+name+"”?"),
		" " + m.styles.Key.Render("y") + " delete · " + m.styles.Key.Render("n") + " keep",
	}
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style part.Styler, text string, indent int) []string {
	return part.Wrapped(style, text, m.width, indent)
}
