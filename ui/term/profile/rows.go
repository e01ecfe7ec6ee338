package profile

import (
	"fmt"
	"slices"

	"memoria/memory"
	"memoria/memory/manager/profiles"
	rules "memoria/memory/profile"
	"memoria/ui/term/cells"
)

// entry is what can be chosen: a line of the page, or one of the versions.
type entry struct {
	line    memory.ProfileLine
	version int      // 0: a line
	items   []string // whose change made the version
}

// addRows adds the page or its versions.
func (m *Model) addRows() {
	if m.versions {
		m.addVersions()
	} else {
		m.addPage()
	}
}

// state has the lines shown before there is a page; true when that is all.
func (m *Model) state() bool {
	switch {
	case m.problem != "":
		m.Say(m.Styles.Accent.Render(" profile"))
		m.Note(m.Styles.Bad, "It cannot be read. "+m.problem)
	case !m.loaded:
		m.Say(m.Styles.Dim.Render(" reading the profile …"))
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
	m.Say(m.Styles.Accent.Render(size))
	if !p.Sent {
		m.Note(m.Styles.Warn, "It is not sent: enable_user_profile is off.")
	}
	if !slices.ContainsFunc(lines, func(l memory.ProfileLine) bool { return l.Text != "" }) {
		m.Dim("Nothing yet. Say how you want to be answered, which languages you speak or who you are — " +
			"“keep your answers short”, “我住在里昂” — and it stands here, in every message. e writes lines of your own.")
	}
	for _, s := range append([]memory.Section{memory.SectionNone}, memory.Sections()...) {
		m.addSection(s, lines)
	}
	if p.Waiting > 0 {
		m.Say("")
		m.Dim(fmt.Sprintf("%d more: no room, or you say the same", p.Waiting))
	}
}

func (m *Model) addSection(s memory.Section, lines []memory.ProfileLine) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l memory.ProfileLine) bool { return l.Section != s || l.Text == "" })
	if len(lines) == 0 {
		return
	}
	if m.Say(""); s != memory.SectionNone {
		m.Say(m.Styles.Accent.Render(" " + rules.Heading(s)[3:]))
	}
	for _, l := range lines {
		from := "yours"
		if l.Derived() {
			from = "from a memory"
		}
		m.Add(fmt.Sprint("line ", s, l.ItemID, " ", l.Text), entry{line: l},
			append(m.Wrapped(m.Styles.Text, rules.Said(l.Text), 3), "     "+m.Styles.Dim.Render(from))...)
	}
}

func (m *Model) addVersions() {
	if m.state() {
		return
	}
	m.Say(m.Styles.Accent.Render(" profile · versions · " + cells.Number(m.history.Total)))
	if m.history.Total == 0 {
		m.Dim("None yet. Each change, yours and a memory's, becomes one, and can be undone for 30 days.")
	}
	for _, v := range m.history.Versions {
		lines := m.Wrapped(m.Styles.Strong, m.versionWords(v), 3)
		for _, d := range v.Diff {
			style := m.Styles.Bad
			if d.Added {
				style = m.Styles.Good
			}
			lines = append(lines, m.Wrapped(style, d.String(), 5)...)
		}
		if len(v.Diff) == 0 {
			lines = append(lines, "     "+m.Styles.Dim.Render("no line is other"))
		}
		m.Say("")
		m.Add(fmt.Sprint("version ", v.Version), entry{version: v.Version, items: v.Items}, lines...)
	}
}

func (m *Model) versionWords(v profiles.Change) string {
	s := fmt.Sprintf("%d · %s · %s", v.Version, m.Words.Ago(m.Now, v.Time), v.Words())
	if v.Undone {
		s += " · undone"
	}
	return s
}
