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
		m.Head(m.Words.Say("view.profile"))
		m.Note(m.Styles.Bad, m.Words.Say("profile.unreadable", m.problem))
	case !m.loaded:
		m.Say(m.Styles.Dim.Render(" " + m.Words.Say("profile.reading")))
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
	size := m.Words.Say("profile.head", cells.Number(p.Tokens), cells.Number(p.Limit))
	if p.Version > 0 {
		size += " · " + m.Words.Say("profile.head.version", p.Version)
	}
	m.Head(size)
	if !p.Sent {
		m.Note(m.Styles.Warn, m.Words.Say("profile.unsent"))
	}
	if !slices.ContainsFunc(lines, func(l memory.ProfileLine) bool { return l.Text != "" }) {
		m.Dim(m.Words.Say("profile.empty"))
	}
	for _, s := range append([]memory.Section{memory.SectionNone}, memory.Sections()...) {
		m.addSection(s, lines)
	}
	if p.Waiting > 0 {
		m.Say("")
		m.Dim(m.Words.Say("profile.waiting", m.Words.Count(p.Waiting, "more line has")))
	}
}

func (m *Model) addSection(s memory.Section, lines []memory.ProfileLine) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l memory.ProfileLine) bool { return l.Section != s || l.Text == "" })
	if len(lines) == 0 {
		return
	}
	if m.Say(""); s != memory.SectionNone {
		m.Head(m.Words.Named("section", string(s)))
	}
	for _, l := range lines {
		from := m.Words.Say("profile.yours")
		if l.Derived() {
			from = m.Words.Say("profile.derived")
		}
		m.Add(fmt.Sprint("line ", s, l.ItemID, " ", l.Text), entry{line: l},
			append(m.Wrapped(m.Styles.Text, m.said(l), 3), "     "+m.Styles.Dim.Render(from))...)
	}
}

// said are the words of a line, or the note that they were deleted.
func (m *Model) said(l memory.ProfileLine) string {
	if l.Forgotten {
		return m.Words.Translate(rules.Said(l.Text))
	}
	return rules.Said(l.Text)
}

func (m *Model) addVersions() {
	if m.state() {
		return
	}
	m.Head(m.Words.Say("profile.history", cells.Number(m.history.Total)))
	if m.history.Total == 0 {
		m.Dim(m.Words.Say("profile.history.none"))
	}
	for _, v := range m.history.Versions {
		lines := m.Wrapped(m.Styles.Strong, m.versionWords(v), 3)
		for _, d := range v.Diff {
			style := m.Styles.Bad
			if d.Added {
				style = m.Styles.Good
			}
			lines = append(lines, m.Wrapped(style, m.difference(d), 5)...)
		}
		if len(v.Diff) == 0 {
			lines = append(lines, "     "+m.Styles.Dim.Render(m.Words.Say("profile.same")))
		}
		m.Say("")
		m.Add(fmt.Sprint("version ", v.Version), entry{version: v.Version, items: v.Items}, lines...)
	}
}

func (m *Model) versionWords(v profiles.Change) string {
	reason := m.Words.Translate(v.Reason)
	if v.Origin != memory.OriginUser {
		reason = m.Words.Say("profile.by", reason, m.Words.Named("origin", string(v.Origin)))
	}
	s := fmt.Sprintf("%d · %s · %s", v.Version, m.Words.Ago(m.Now, v.Time), reason)
	if v.Undone {
		s += " · " + m.Words.Say("change.undone")
	}
	return s
}

// difference is a line that came into the page or left it: "+ background: Lives in Lyon."
func (m *Model) difference(d rules.Difference) string {
	sign, section := "- ", ""
	if d.Added {
		sign = "+ "
	}
	if d.Section != memory.SectionNone {
		section = m.Words.Named("section", string(d.Section)) + m.Words.Say("sep.colon")
	}
	return sign + section + rules.Said(d.Text)
}
