package working

import (
	"maps"
	"slices"
	"strings"

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

const (
	labelWidth = 12
	mostLines  = 8 // of one value
	topicKey   = "topic"
)

// variableKey finds the row of a variable again.
func variableKey(name string) string { return "variable " + name }

// addRows adds what is known about the session.
func (m *Model) addRows() {
	s := m.state
	m.Say(m.Styles.Accent.Render(" working memory"))
	switch {
	case m.problem != "":
		m.Note(m.Styles.Bad, "It could not be read: "+m.problem)
		return
	case m.reading && !m.there:
		m.Say(m.Styles.Dim.Render(" reading …"))
		return
	case !m.there:
		m.Dim("Nothing yet. What a session is about is noted here after its first message, and corrected by you when it is wrong.")
		return
	}
	if t := clean.Line(s.Title); t != "" {
		m.Note(m.Styles.Text, t)
	}
	if s.Kept {
		m.Note(m.Styles.Warn, "kept of a session that has ended; it comes back when you send something in it")
	}
	m.Say("")
	m.addEntry(topicKey, entry{topic: true, value: s.CurrentTopic}, "topic", "none yet")
	m.fact("turns", cells.Number(s.TurnCount))
	m.fact("mood", s.LastEmotion)
	m.fact("since", words.Moment(s.CreatedAt, m.Loc))
	if !s.UpdatedAt.Equal(s.CreatedAt) {
		m.fact("updated", words.Moment(s.UpdatedAt, m.Loc))
	}
	m.fact("ends", m.ending())
	m.Say("")
	m.Say(m.Styles.Accent.Render(" variables · " + cells.Number(len(s.ContextVariables))))
	if len(s.ContextVariables) == 0 {
		hint := "None. What matters while this session lasts, such as the file or the language in use, is noted here."
		if !s.Kept {
			hint += " a adds one."
		}
		m.Dim(hint)
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
	case !at.After(m.Now):
		return "its time is over; your next message decides whether it goes on"
	case at.In(m.Loc).YearDay() != m.Now.In(m.Loc).YearDay():
		return words.Moment(at, m.Loc) + " unless you write"
	default:
		return at.In(m.Loc).Format("15:04") + " unless you write"
	}
}

// fact adds a line with a label; nothing without a value.
func (m *Model) fact(label, value string) {
	if value != "" {
		m.Say(m.labelled(m.Styles.Dim, label, value)...)
	}
}

// addEntry adds what can be edited.
func (m *Model) addEntry(key string, e entry, label, none string) {
	style, value := list.Styler(m.Styles.Strong), e.value
	if strings.TrimSpace(value) == "" {
		style, value = m.Styles.Dim, none
	}
	m.Add(key, e, m.labelled(style, label, value)...)
}

// labelled is a label and a value; a long label has a line of its own.
func (m *Model) labelled(style list.Styler, label, value string) (out []string) {
	label = clean.Line(label)
	width := min(labelWidth, m.Width/3)
	lines := clean.Wrap(clean.Line(value), max(8, m.Width-3-width-1))
	if len(lines) > mostLines {
		lines = append(lines[:mostLines-1], cells.Ellipsis)
	}
	if cells.Width(label) >= width {
		out = append(out, "   "+m.Styles.Dim.Render(clean.Truncate(label, max(1, m.Width-4), cells.Ellipsis)))
		label = ""
	}
	for _, l := range lines {
		out = append(out, "   "+m.Styles.Dim.Render(cells.Fit(label, width))+style.Render(l))
		label = ""
	}
	return out
}
