package inbox

import (
	"strings"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/words"
)

const indent = 3

// addRows adds what waits for an approval.
func (m *Model) addRows() {
	switch {
	case m.problem != "":
		m.Note(m.Styles.Bad, m.Words.Say("inbox.unreadable", m.problem))
		return
	case !m.loaded:
		m.Say(m.Styles.Dim.Render(" " + m.Words.Say("inbox.reading")))
		return
	case m.total == 0:
		m.Head(m.Words.Say("inbox.empty"))
		m.Dim(m.Words.Say("inbox.empty.what"))
		return
	}
	m.Head(m.Words.Say("inbox.head", cells.Number(m.total)))
	group := ""
	for _, e := range m.entries {
		if g := e.group(); g != group {
			group = g
			m.Head(m.Words.Say("inbox.imported", m.Words.Type(e.Item.Type), len(m.like(e))))
		}
		if group == "" {
			m.Day(e.Since)
		}
		m.Add(e.Item.ID, e, m.entry(e)...)
	}
	m.Others(m.total - len(m.entries))
}

// like returns the entries of the same type as e that are, like it, imported or not.
func (m *Model) like(e Entry) (out []Entry) {
	for _, other := range m.entries {
		if other.Item.Type == e.Item.Type && other.group() == e.group() {
			out = append(out, other)
		}
	}
	return out
}

// entry is everything about one memory that waits, all of its words.
func (m *Model) entry(e Entry) []string {
	text, hidden := clean.Text(e.Item.Content)
	var out []string
	for _, l := range clean.Wrap(text, max(10, m.Width-indent-1)) {
		out = append(out, strings.Repeat(" ", indent)+m.Styles.Strong.Render(l))
	}
	if hidden > 0 {
		out = append(out, m.Wrapped(m.Styles.Warn, "! "+m.Words.Count(hidden, "hidden character"), indent)...)
	}
	about := m.Words.Type(e.Item.Type) + " · " + m.Words.Ago(m.Now, e.Since) + " · " + m.Words.Translate(e.Reason)
	out = append(out, m.Wrapped(m.Styles.Dim, about, indent)...)
	if e.Replaces != "" {
		out = append(out, m.Wrapped(m.Styles.Warn, m.Words.Say("memory.would-replace", e.Replaces), indent)...)
	}
	switch {
	case e.Gone:
		out = append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("quote.gone", m.Words.Say("quote.deleted")), indent)...)
	case e.Said != "":
		in := m.Words.SessionTitle(memory.Session{Title: e.Session})
		out = append(out, m.Wrapped(m.Styles.Text, "“"+e.Said+"”", indent)...)
		out = append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("inbox.from", in, words.Moment(e.SaidAt, m.Loc)), indent)...)
	default:
		out = append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("inbox.from.none"), indent)...)
	}
	return append(out, "")
}
