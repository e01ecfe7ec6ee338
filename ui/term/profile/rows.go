package profile

import (
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/manager"
	rules "memoria/memory/profile"
	"memoria/ui/term/cells"
	"memoria/ui/term/part"
)

// kind says what a row stands for.
type kind int

const (
	plainRow kind = iota // nothing that can be chosen
	lineRow
	versionRow
)

// row is one line on the screen. The lines after the first of an entry are plain.
type row struct {
	kind    kind
	text    string
	line    memory.ProfileLine // of a lineRow
	version int                // of a versionRow
	items   []string           // likewise: whose change made it
}

func (r row) same(o row) bool {
	return r.kind == o.kind && r.version == o.version && r.line.ItemID == o.line.ItemID && r.line.Text == o.line.Text
}

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	was, _ := m.current()
	m.rows = m.rows[:0]
	if m.mode == choosing {
		m.addVersions()
	} else {
		m.addPage()
	}
	at := -1
	if was.kind != plainRow {
		at = slices.IndexFunc(m.rows, was.same)
	}
	if at < 0 {
		at = m.next(min(max(m.cursor, 0), len(m.rows))-1, 1)
	}
	if at < 0 {
		at = m.next(len(m.rows), -1)
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

// add adds an entry: its first line can be chosen.
func (m *Model) add(r row, style part.Styler, text string) {
	for i, l := range m.wrapped(style, text, 3) {
		if i > 0 {
			r = row{}
		}
		r.text = l
		m.rows = append(m.rows, r)
	}
}

// state is what is shown before there is a page; true when that is all.
func (m *Model) state() bool {
	switch {
	case m.problem != "":
		m.say(m.styles.Accent.Render(" profile"))
		m.note(m.styles.Bad, "It cannot be read. "+m.problem, 1)
	case !m.loaded:
		m.say(m.styles.Dim.Render(" reading the profile …"))
	default:
		return false
	}
	return true
}

func (m *Model) addPage() {
	if m.state() {
		return
	}
	p := m.page
	lines := p.Shown()
	size := fmt.Sprintf(" profile · ~%s of %s tokens", cells.Number(p.Tokens), cells.Number(p.Limit))
	if p.Version > 0 {
		size += fmt.Sprintf(" · version %d", p.Version)
	}
	m.say(m.styles.Accent.Render(size))
	if !p.Sent {
		m.note(m.styles.Warn, "It is not sent: enable_user_profile is off.", 1)
	}
	if !slices.ContainsFunc(lines, func(l memory.ProfileLine) bool { return l.Text != "" }) {
		m.note(m.styles.Dim, "Nothing yet. Say how you want to be answered, which languages you speak or who you are — “keep your answers short”, “我住在里昂” — and it stands here, in every message. e writes lines of your own.", 1)
	}
	for _, s := range append([]memory.Section{memory.SectionNone}, memory.Sections()...) {
		m.addSection(s, lines)
	}
	if p.Waiting > 0 {
		m.say("")
		m.note(m.styles.Dim, fmt.Sprintf("%d more: no room, or you say the same", p.Waiting), 1)
	}
}

func (m *Model) addSection(s memory.Section, lines []memory.ProfileLine) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l memory.ProfileLine) bool { return l.Section != s || l.Text == "" })
	if len(lines) == 0 {
		return
	}
	if m.say(""); s != memory.SectionNone {
		m.say(m.styles.Accent.Render(" " + rules.Heading(s)[3:]))
	}
	for _, l := range lines {
		r := row{kind: lineRow, line: l}
		m.add(r, m.styles.Text, rules.Said(l.Text))
		from := "yours"
		if l.Derived() {
			from = "from a memory"
		}
		m.say("     " + m.styles.Dim.Render(from))
	}
}

func (m *Model) addVersions() {
	if m.state() {
		return
	}
	m.say(m.styles.Accent.Render(" profile · versions · " + cells.Number(m.history.Total)))
	if m.history.Total == 0 {
		m.note(m.styles.Dim, "None yet. Each change, yours and a memory's, becomes one, and can be undone for 30 days.", 1)
	}
	for _, v := range m.history.Versions {
		m.say("")
		m.add(row{kind: versionRow, version: v.Version, items: v.Items}, m.styles.Strong, m.versionWords(v))
		for _, d := range v.Diff {
			style := m.styles.Bad
			if d.Added {
				style = m.styles.Good
			}
			m.note(style, d.String(), 5)
		}
		if len(v.Diff) == 0 {
			m.say("     " + m.styles.Dim.Render("no line is other"))
		}
	}
}

func (m *Model) versionWords(v manager.ProfileChange) string {
	s := fmt.Sprintf("%d · %s · %s", v.Version, part.Ago(m.now, v.Time), v.Words())
	if v.Undone {
		s += " · undone"
	}
	return s
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style part.Styler, text string, indent int) []string {
	return part.Wrapped(style, text, m.width, indent)
}
