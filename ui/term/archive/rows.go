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

// entry is the message or memory that a row stands for.
type entry struct {
	hit  Hit
	item memory.Item
}

type row = list.Row[entry]

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	m.rows = nil
	if m.mode == learning {
		m.addLessons()
	} else {
		m.addHits()
	}
	m.list.Hold(m.focused && m.mode != searching) // a key is about the row that was seen
	m.list.Set(m.rows)
}

func (m *Model) say(lines ...string) { m.rows = append(m.rows, row{Lines: lines}) }

func (m *Model) head(text string) {
	m.say(m.styles.Accent.Render(" " + clean.Truncate(text, m.width-2, cells.Ellipsis)))
}

// wrapped cleans, wraps and indents a text.
func (m *Model) wrapped(style list.Styler, text string, indent int) []string {
	return list.Wrapped(style, text, m.width, indent)
}

// note adds wrapped text.
func (m *Model) note(style list.Styler, text string) { m.say(m.wrapped(style, text, 1)...) }

func (m *Model) addHits() {
	p := m.page
	if m.answered && p.Time != "" {
		m.note(m.styles.Dim, "time: "+p.Time)
	}
	switch {
	case m.failed != "":
		m.head("the archive did not answer")
		m.note(m.styles.Bad, m.failed)
		m.note(m.styles.Dim, "Enter tries again.")
		return
	case !m.answered && m.asked.Words != "":
		m.head("searching …")
	case !m.answered:
		m.head("messages · reading …")
	case len(p.Hits) == 0:
		m.addNothing()
		return
	default:
		m.head(m.count())
	}
	if p.Degraded != "" {
		m.note(m.styles.Warn, "! "+p.Degraded)
	}
	needle := quote.New(p.Words)
	for _, h := range p.Hits {
		m.rows = append(m.rows, row{Key: "h " + h.RecordID, Of: entry{hit: h}, Lines: m.hitLines(h, needle)})
	}
	switch n := p.Total - len(p.Hits); {
	case !m.answered:
	case m.problem != "":
		m.note(m.styles.Bad, "More could not be read: "+m.problem+" ↓ tries again.")
	case m.reading:
		m.say(m.styles.Dim.Render("   reading more …"))
	case n > 0 && !m.ended:
		m.say(m.styles.Dim.Render("   … and " + cells.Number(n) + " more"))
	}
}

// count says how many messages there are, and in which order.
func (m *Model) count() string {
	what := list.Plural(m.page.Total, "message")
	if m.asked.Collected {
		what = list.Plural(m.page.Total, "bookmark")
	}
	if m.page.Total == 1 {
		return what
	}
	if m.page.Words == "" {
		return what + ", newest first"
	}
	return what + ", best first"
}

// addNothing says why there is nothing, and what would fill the list.
func (m *Model) addNothing() {
	switch {
	case m.asked.Words != "":
		m.head("nothing found")
		text := "No message is like that."
		if m.asked.Collected {
			text = "No bookmark is like that; b looks in all messages."
		}
		m.note(m.styles.Dim, text+" Esc shows all.")
	case m.asked.Collected:
		m.head("bookmarks · 0")
		m.note(m.styles.Dim, "m bookmarks the message under the cursor. b shows all messages.")
	default:
		m.head("messages · 0")
		m.note(m.styles.Dim, "Nothing was said yet. Every message, yours and every answer, is kept here, to be found by its words and its time.")
	}
}

// hitLines is a message: who, when and where, and below it what was said.
func (m *Model) hitLines(h Hit, needle quote.Needle) []string {
	mark := "  "
	if h.Collected {
		mark = m.styles.Warn.Render("★ ")
	}
	title := words.SessionTitle(memory.Session{Title: h.Title})
	left := "   " + mark + m.styles.Strong.Render(clean.Truncate(clean.Line(h.Who), 12, cells.Ellipsis)) +
		m.styles.Dim.Render(" · "+title)
	right := m.styles.Dim.Render(" " + words.Moment(h.Time, m.loc) + " ")
	return []string{
		cells.Spread(left, right, m.width),
		"     “" + needle.Cut(h.Text, max(4, m.width-8), m.styles) + "”",
	}
}

func (m *Model) addLessons() {
	if m.busy {
		m.head("learned from it · reading …")
	} else {
		m.head("learned from it · " + cells.Number(len(m.lessons)))
	}
	m.say("   “" + quote.New("").Cut(m.subject.Text, max(4, m.width-6), m.styles) + "”")
	if !m.busy && len(m.lessons) == 0 {
		m.note(m.styles.Dim, "Nothing: it taught no memory, or those were deleted. Plain statements about yourself become memories.")
	}
	for _, it := range m.lessons {
		lines := m.wrapped(m.styles.Text, it.Content, 5)
		if len(lines) > 2 {
			lines = append(lines[:1], "     "+m.styles.Text.Render(clean.Truncate(strings.TrimSpace(lines[1])+cells.Ellipsis, max(4, m.width-6), cells.Ellipsis)))
		}
		head := "   " + m.styles.Strong.Render(clean.Line(lesson(it))) + m.styles.Dim.Render(" · "+words.Moment(it.CreatedAt, m.loc))
		m.rows = append(m.rows, row{Key: "i " + it.ID, Of: entry{item: it}, Lines: append([]string{head}, lines...)})
	}
}
