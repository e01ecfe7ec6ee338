package recall

import (
	"memoria/memory"
	"memoria/ui/clean"
)

// story is the pages about the open memory.
type story struct{ *Model }

// lines tell the open memory: the sentence, the user's words, what it replaced, and when
// it was used. Its fields and its history are pages of their own.
func (m story) lines() []string {
	out := m.sentence()
	for _, part := range [][]string{m.said(), m.replaced(), m.used()} {
		if len(part) > 0 {
			out = append(append(out, part...), "")
		}
	}
	return out
}

func (m story) part(id string) string { return m.Styles.Accent.Render(" " + m.Words.Say(id)) }

// said are the user's words, when and where they were said.
func (m story) said() []string {
	it := m.opened.Item
	out := []string{m.part("story.said")}
	if len(m.opened.Quotes) == 0 {
		if len(it.Evidence) > 0 {
			return nil // they are being read
		}
		by := m.Words.Say("story.no-message", m.Words.Date(m.Now, it.CreatedAt, m.Loc))
		return append(append(out, m.Wrapped(m.Styles.Dim, by, 3)...), m.changed()...)
	}
	for _, q := range m.opened.Quotes {
		if q.Gone {
			out = append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("quote.gone", q.Fate(m.Words.Words)), 3)...)
			continue
		}
		out = append(out, m.Wrapped(m.Styles.Text, "“"+q.Text+"”", 3)...)
		from := m.Words.Say("story.where", m.Words.DayName(m.Now, q.Time, m.Loc), q.Time.In(m.Loc).Format("15:04"),
			m.Words.SessionTitle(memory.Session{Title: q.Session}))
		out = append(out, m.Wrapped(m.Styles.Dim, from, 3)...)
	}
	return append(out, m.changed()...)
}

// changed says when its words were changed; nothing for the first version.
func (m story) changed() []string {
	it := m.opened.Item
	if it.Version <= 1 || it.UpdatedAt.IsZero() {
		return nil
	}
	return m.Wrapped(m.Styles.Dim, m.Words.Say("story.changed", m.Words.Date(m.Now, it.UpdatedAt, m.Loc)), 3)
}

// replaced are what it replaced and what replaced it.
func (m story) replaced() (out []string) {
	it := m.opened.Item
	if len(m.opened.Replaced) > 0 {
		out = append(out, m.part("story.replaced"))
		for _, old := range m.opened.Replaced {
			out = append(out, m.other(old)...)
		}
	} else if it.Supersedes != "" && m.opened.History != nil {
		out = append(out, m.part("story.replaced"))
		out = append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("story.replaced.gone"), 3)...)
	}
	if m.opened.By != nil {
		out = append(out, m.part("story.by"))
		out = append(out, m.other(*m.opened.By)...)
	}
	return out
}

// other is another memory with the day on which it was learned.
func (m story) other(it memory.Item) []string {
	out := m.Wrapped(m.Styles.Text, clean.Line(it.Content), 3)
	return append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("story.since", m.Words.Date(m.Now, it.CreatedAt, m.Loc)), 3)...)
}

// used say when it was used.
func (m story) used() []string {
	it := m.opened.Item
	said := m.Words.Say("story.unused")
	switch {
	case it.AccessCount > 0:
		said = m.Words.Say("story.used.is", m.Words.Count(it.AccessCount, "answer"), m.Words.Ago(m.Now, it.LastAccessed))
	case m.cited != nil && m.cited(it.ID): // a list of memories is no use of them
		said = m.Words.Say("story.listed")
	}
	return append([]string{m.part("story.used")}, m.Wrapped(m.Styles.Text, said, 3)...)
}
