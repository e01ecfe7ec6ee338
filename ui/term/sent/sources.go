package sent

import (
	"fmt"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/words"
)

// quoted is how many sources were sent as evidence.
func quoted(p memory.Package) (n int) {
	for _, c := range p.Citations {
		if !c.InWindow {
			n++
		}
	}
	return n
}

// addSources shows what was looked up in the archive, and why (A2, A3).
func (m *Model) addSources(p memory.Package) {
	if p.Look == nil {
		return
	}
	m.head("sent.sources", len(p.Citations))
	m.wrap(m.Styles.Dim, m.Words.Say("sent.looked", m.Words.Look(*p.Look, m.Loc)), 3)
	if len(p.Citations) == 0 {
		m.wrap(m.Styles.Dim, m.Words.Say("sent.looked.none"), 3)
	}
	for i, c := range p.Citations {
		m.addSource(i, c)
	}
	m.add("")
}

func (m *Model) addSource(i int, c memory.Citation) {
	said := "…"
	r := row{key: fmt.Sprintf("source %d", c.N)}
	if i < len(m.detail.Sources) {
		s := m.detail.Sources[i]
		said, r.copy = clean.Line(s.Text), s.Text
		if s.Forgotten {
			said, r.key = m.Words.Translate(said), ""
		}
	}
	head := fmt.Sprintf("[%d] %s", c.N, words.Moment(c.Time, m.Loc))
	if c.RecordID == "" {
		head += " " + m.Words.Say("source.memory")
		r.item = c.ItemID
	} else {
		head += " " + Author(m.Words.Words, c.Role)
		r.source = &c.Evidence
	}
	if c.InWindow {
		head += " · " + m.Words.Say("source.window")
	}
	r.text = "   " + m.Styles.Text.Render(cells.Fit(head, max(1, m.Width-3)))
	m.rows = append(m.rows, r)
	m.wrap(m.Styles.Dim, "“"+said+"”", 7)
}

// Author says who wrote a message.
func Author(w words.Words, r memory.Role) string {
	switch r {
	case memory.RoleUser:
		return w.Say("you")
	case memory.RoleAssistant:
		return w.Say("role.assistant")
	}
	return clean.Line(string(r))
}
