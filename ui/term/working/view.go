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

// addRows adds the details of the session.
func (m *Model) addRows() {
	s := m.state
	m.Head(m.Words.Say("view.working"))
	switch {
	case m.problem != "":
		m.Note(m.Styles.Bad, m.Words.Say("working.unread", m.problem))
		return
	case m.reading && !m.there:
		m.Dim(m.Words.Say("life.reading"))
		return
	case !m.there:
		m.Dim(m.Words.Say("working.empty"))
		return
	}
	if t := clean.Line(s.Title); t != "" {
		m.Note(m.Styles.Text, t)
	}
	if s.Kept {
		m.Note(m.Styles.Warn, m.Words.Say("working.rests"))
	}
	m.Say("")
	m.addEntry(topicKey, entry{topic: true, value: s.CurrentTopic}, m.Words.Say("working.topic"), m.Words.Say("working.no-topic"))
	m.fact("working.turns", cells.Number(s.TurnCount))
	m.fact("working.mood", m.Words.Translate(s.LastEmotion))
	m.fact("working.since", words.Moment(s.CreatedAt, m.Loc))
	if !s.UpdatedAt.Equal(s.CreatedAt) {
		m.fact("working.updated", words.Moment(s.UpdatedAt, m.Loc))
	}
	m.fact("working.ends", m.ending())
	m.Say("")
	m.Head(m.Words.Say("working.variables", cells.Number(len(s.ContextVariables))))
	switch {
	case len(s.ContextVariables) > 0:
	case s.Kept:
		m.Dim(m.Words.Say("working.variables.none"))
	default:
		m.Dim(m.Words.Say("working.variables.add"))
	}
	for _, k := range slices.Sorted(maps.Keys(s.ContextVariables)) {
		m.addEntry(variableKey(k), entry{name: k, value: s.ContextVariables[k]}, k, m.Words.Say("working.blank"))
	}
}

// ending says when the working memory ends (W4).
func (m *Model) ending() string {
	switch at := m.state.EndsAt; {
	case m.state.Kept || at.IsZero():
		return ""
	case !at.After(m.Now):
		return m.Words.Say("working.ends.over")
	case at.In(m.Loc).YearDay() != m.Now.In(m.Loc).YearDay():
		return m.Words.Say("working.ends.at", words.Moment(at, m.Loc))
	default:
		return m.Words.Say("working.ends.at", at.In(m.Loc).Format("15:04"))
	}
}

// fact adds a line with a label, a message of the catalogue; nothing without a value.
func (m *Model) fact(id, value string) {
	if value != "" {
		m.Say(m.labelled(m.Styles.Dim, m.Words.Say(id), value)...)
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
