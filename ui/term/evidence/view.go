package evidence

import (
	"fmt"
	"strings"

	"memoria/memory"
	"memoria/memory/recall"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/sent"
	"memoria/ui/words"
)

const (
	indent = 5 // of a quote
	// briefly is how many lines of a quote are shown, and around how many lines of the pane are
	// left for other rows when all of the quote under the cursor is.
	briefly = 4
	around  = 7
)

// addRows adds the details of the turn.
func (m *Model) addRows() {
	s := m.shown
	if s.Answer == "" {
		m.Head(m.Words.Say("evidence.empty"))
		m.Dim(m.Words.Say("evidence.empty.why"))
		return
	}
	m.Head(clean.Line(s.Head))
	switch {
	case s.Problem != "":
		m.Note(m.Styles.Bad, s.Problem)
	case s.TurnID == "":
		m.Dim(m.Words.Say("life.reading"))
	default:
		m.addLook()
		m.addSources()
		m.addLeftOut()
	}
}

// addLook says why the archive was searched, and for what.
func (m *Model) addLook() {
	p := m.shown.Package
	if p.Look == nil {
		m.Note(m.Styles.Text, m.Words.Say("evidence.not-looked"))
		m.Dim(m.Words.Say("evidence.not-looked.why"))
		return
	}
	style := list.Styler(m.Styles.Text)
	if p.Look.Loose {
		style = m.Styles.Warn
	}
	m.Note(style, m.Words.Say("evidence.looked", m.Words.Look(*p.Look, m.Loc)))
	if len(p.Keywords) > 0 && !p.Look.Before { // else the answer before is asked about
		m.Dim(m.Words.Say("sent.looked-for", m.Words.List(p.Keywords)))
	}
	if p.Degraded != "" {
		m.Note(m.Styles.Warn, "! "+m.Words.Translate(p.Degraded))
	}
}

// addSources adds the citations in the order of their numbers.
func (m *Model) addSources() {
	p := m.shown.Package
	if p.Look == nil {
		return
	}
	m.Say("")
	m.Head(m.Words.Say("sent.sources", len(p.Citations)))
	if len(p.Citations) == 0 {
		m.Dim(m.Words.Say("sent.looked.none"))
	}
	for _, s := range m.shown.Sources {
		var notes []string
		if s.InWindow {
			notes = append(notes, m.Words.Say("source.window"))
		}
		if it, ok := m.item(s); ok && s.RecordID != "" {
			notes = append(notes, m.Words.Say("evidence.memory", clean.Line(it.Content)))
		}
		m.addSource(fmt.Sprint("cited ", s.N), fmt.Sprintf("[%d] ", s.N), s, notes)
	}
}

// addLeftOut adds what was found and not cited.
func (m *Model) addLeftOut() {
	all := m.shown.LeftOut
	if len(all) == 0 {
		return
	}
	m.Say("")
	m.Head(m.Words.Say("evidence.left-out", len(all)))
	for i, l := range all {
		why := m.Words.Translate(l.Reason)
		if l.RecordID == "" && l.ItemID == "" {
			m.Say(m.Wrapped(m.Styles.Dim, m.Words.Say("evidence.left-out.row", m.Words.Translate(l.What), why), len(lead))...)
			continue
		}
		m.addSource(fmt.Sprint("left ", i), "", l.Source, []string{why})
	}
}

// lead is what a row begins with.
const lead = "   "

// addSource adds a source: who, where and when, below it the words, and notes about it.
func (m *Model) addSource(key, number string, s recall.Source, notes []string) {
	who, title := sent.Author(m.Words.Words, s.Role), ""
	switch {
	case s.RecordID == "":
		who = m.Words.Say("source.memory")
	case !s.Forgotten:
		title = " · " + m.Words.SessionTitle(memory.Session{Title: s.Title})
	}
	right := ""
	if !s.Time.IsZero() {
		right = m.Styles.Dim.Render(" " + words.Moment(s.Time, m.Loc) + " ")
	}
	head := cells.Spread(lead+m.Styles.Text.Render(number)+m.Styles.Strong.Render(who)+m.Styles.Dim.Render(title), right, m.Width)
	var below []string
	if len(notes) > 0 {
		below = m.Wrapped(m.Styles.Dim, strings.Join(notes, " · "), indent)
	}
	row := func(most int) []string { return append(append([]string{head}, m.quote(s, most)...), below...) }
	m.AddRow(list.Row[recall.Source]{Key: key, Of: s, Lines: row(briefly), Chosen: row(max(briefly, m.Height-around))})
}

// quote returns the words of a source in at most that many lines.
func (m *Model) quote(s recall.Source, most int) (out []string) {
	style, text := list.Styler(m.Styles.Text), "“"+s.Text+"”"
	if s.Forgotten {
		style, text = m.Styles.Dim, m.Words.Translate(s.Text)
	}
	room := max(8, m.Width-indent-1)
	lines := clean.Wrap(clean.Line(text), room)
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = clean.Truncate(lines[most-1]+cells.Ellipsis, room, cells.Ellipsis)
	}
	for _, l := range lines {
		out = append(out, strings.Repeat(" ", indent)+style.Render(l))
	}
	return out
}
