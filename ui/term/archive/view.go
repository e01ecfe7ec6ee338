package archive

import (
	"strings"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/quote"
	"memoria/ui/words"
)

// entry is the message or memory of a row.
type entry struct {
	hit  Hit
	item memory.Item
}

// addRows adds the messages, or what was learned from one.
func (m *Model) addRows() {
	if m.learning {
		m.addLessons()
	} else {
		m.addHits()
	}
	m.List.Hold(m.Focused && !m.Typing) // a key is about the row that was seen
}

func (m *Model) addHits() {
	p := m.page
	if m.hits.Loaded && p.Time != "" {
		m.Dim(m.Words.Say("archive.time", p.Time))
	}
	switch {
	case m.failed != "":
		m.Head(m.Words.Say("archive.failed"))
		m.Note(m.Styles.Bad, m.failed)
		m.Dim(m.Words.Say("history.retry"))
		return
	case !m.hits.Loaded && m.asked.Words != "":
		m.Head(m.Words.Say("history.searching"))
	case !m.hits.Loaded:
		m.Head(m.Words.Say("archive.head", m.Words.Say("life.reading")))
	case len(m.hits.Items) == 0:
		m.addNothing()
		return
	default:
		m.Head(m.count())
	}
	if p.Degraded != "" {
		m.Note(m.Styles.Warn, "! "+m.Words.Translate(p.Degraded))
	}
	needle := quote.New(p.Words)
	for _, h := range m.hits.Items {
		if p.Words == "" { // newest first
			m.Day(h.Time)
		}
		m.Add("h "+h.RecordID, entry{hit: h}, m.hitLines(h, needle)...)
	}
	if m.hits.Loaded {
		list.Rest(&m.Base, &m.hits)
	}
}

// count says how many messages there are, and in which order.
func (m *Model) count() string {
	what := list.Count(m.Words.Words, m.hits.Total, "message")
	if m.asked.Collected {
		what = list.Count(m.Words.Words, m.hits.Total, "bookmark")
	}
	switch {
	case m.hits.Total == 1:
		return what
	case m.page.Words == "":
		return m.Words.Say("history.newest", what)
	}
	return m.Words.Say("history.best", what)
}

// addNothing says why there is nothing, and what would fill the list.
func (m *Model) addNothing() {
	switch {
	case m.asked.Words != "":
		m.Head(m.Words.Say("history.nothing"))
		if m.asked.Collected {
			m.Dim(m.Words.Say("archive.bookmarks.nothing"))
		} else {
			m.Dim(m.Words.Say("archive.nothing"))
		}
	case m.asked.Collected:
		m.Head(m.Words.Say("archive.bookmarks", "0"))
		m.Dim(m.Words.Say("archive.bookmarks.none"))
	default:
		m.Head(m.Words.Say("archive.head", "0"))
		m.Dim(m.Words.Say("archive.empty"))
	}
}

// unmarked removes the marks of Markdown from a line that shows how a text begins.
var unmarked = strings.NewReplacer("**", "", "`", "", "\n> ", "\n", "\n- ", "\n")

// hitLines is a message: who, when and where, and below it what was said.
func (m *Model) hitLines(h Hit, needle quote.Needle) []string {
	mark := "  "
	if h.Collected {
		mark = m.Styles.Warn.Render("★ ")
	}
	title := m.Words.SessionTitle(memory.Session{Title: h.Title})
	left := "   " + mark + m.Styles.Strong.Render(clean.Truncate(clean.Line(h.Who), 12, cells.Ellipsis)) +
		m.Styles.Dim.Render(" · "+title)
	at := words.Moment(h.Time, m.Loc)
	if m.page.Words == "" { // the day is in the heading
		at = h.Time.In(m.Loc).Format("15:04")
	}
	right := m.Styles.Dim.Render(" " + at + " ")
	return []string{
		cells.Spread(left, right, m.Width),
		"     “" + needle.Cut(unmarked.Replace("\n" + h.Text)[1:], max(4, m.Width-8), m.Styles) + "”",
	}
}

func (m *Model) addLessons() {
	count := cells.Number(len(m.lessons))
	if m.Busy {
		count = m.Words.Say("life.reading")
	}
	m.Head(m.Words.Say("archive.learned", count))
	m.Say("   “" + quote.New("").Cut(m.subject.Text, max(4, m.Width-6), m.Styles) + "”")
	if !m.Busy && len(m.lessons) == 0 {
		m.Dim(m.Words.Say("archive.learned.none"))
	}
	for _, it := range m.lessons {
		lines := m.Wrapped(m.Styles.Text, it.Content, 5)
		if len(lines) > 2 {
			second := clean.Truncate(strings.TrimSpace(lines[1])+cells.Ellipsis, max(4, m.Width-6), cells.Ellipsis)
			lines = append(lines[:1], "     "+m.Styles.Text.Render(second))
		}
		head := "   " + m.Styles.Strong.Render(clean.Line(m.lesson(it))) + m.Styles.Dim.Render(" · "+words.Moment(it.CreatedAt, m.Loc))
		m.Add("i "+it.ID, entry{item: it}, append([]string{head}, lines...)...)
	}
}
