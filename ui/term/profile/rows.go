package profile

import (
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/manager"
	rules "memoria/memory/profile"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// entry is what can be chosen: a line of the page, or one of the versions.
type entry struct {
	line    memory.ProfileLine
	version int      // 0: a line
	items   []string // whose change made the version
}

type row = list.Row[entry]

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	m.rows = nil
	if m.mode == choosing {
		m.addVersions()
	} else {
		m.addPage()
	}
	m.list.Set(m.rows)
}

func (m *Model) say(lines ...string) { m.rows = append(m.rows, row{Lines: lines}) }

// note adds wrapped text.
func (m *Model) note(style list.Styler, text string, indent int) {
	m.say(m.wrapped(style, text, indent)...)
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
		from := "yours"
		if l.Derived() {
			from = "from a memory"
		}
		m.rows = append(m.rows, row{
			Key: fmt.Sprint("line ", s, l.ItemID, " ", l.Text), Of: entry{line: l},
			Lines: append(m.wrapped(m.styles.Text, rules.Said(l.Text), 3), "     "+m.styles.Dim.Render(from)),
		})
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
		lines := m.wrapped(m.styles.Strong, m.versionWords(v), 3)
		for _, d := range v.Diff {
			style := m.styles.Bad
			if d.Added {
				style = m.styles.Good
			}
			lines = append(lines, m.wrapped(style, d.String(), 5)...)
		}
		if len(v.Diff) == 0 {
			lines = append(lines, "     "+m.styles.Dim.Render("no line is other"))
		}
		m.say("")
		m.rows = append(m.rows, row{Key: fmt.Sprint("version ", v.Version), Of: entry{version: v.Version, items: v.Items}, Lines: lines})
	}
}

func (m *Model) versionWords(v manager.ProfileChange) string {
	s := fmt.Sprintf("%d · %s · %s", v.Version, words.Ago(m.now, v.Time), v.Words())
	if v.Undone {
		s += " · undone"
	}
	return s
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	return list.Wrapped(style, text, m.width, indent)
}
