package sessions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/quote"
	"memoria/ui/words"
)

// entry is the session or message that a row stands for.
type entry struct {
	session memory.Session
	hit     Hit    // of what was found
	best    string // the session's best hit
}

type row = list.Row[entry]

const shownHits = 3 // of one session

// build makes the rows anew and keeps the cursor on its row.
func (m *Model) build() {
	if m.width <= 0 {
		return
	}
	m.rows = nil
	if m.query != "" {
		m.addFound()
	} else {
		m.addList()
	}
	m.view.Set(m.rows)
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

func (m *Model) addList() {
	switch {
	case !m.loaded && m.problem == "":
		m.head("sessions · reading …")
		return
	case !m.loaded:
		m.head("sessions")
		m.note(m.styles.Bad, "They could not be read: "+m.problem)
		m.note(m.styles.Dim, "Enter tries again.")
		return
	case m.total == 0:
		m.head("sessions · 0")
		m.note(m.styles.Dim, "Nothing was said yet. A session begins with your first message; here you can read it again, search its words and go on with it.")
		return
	}
	m.head(fmt.Sprintf("sessions · %s, last used first", cells.Number(m.total)))
	for _, s := range m.list {
		short := m.sessionLines(s)
		whole := append(slices.Clone(short), m.gist(s, true)...)
		m.rows = append(m.rows, row{Key: "s " + s.ID, Of: entry{session: s}, Lines: append(short, m.gist(s, false)...), Chosen: whole})
	}
	switch n := m.total - len(m.list); {
	case m.problem != "":
		m.note(m.styles.Bad, "More could not be read: "+m.problem+" ↓ tries again.")
	case m.reading:
		m.say(m.styles.Dim.Render("   reading more …"))
	case n > 0:
		m.say(m.styles.Dim.Render(fmt.Sprintf("   … and %s more", cells.Number(n))))
	}
}

// sessionLines is a session of the list: on one line where there is room for it
// or little height, else on two.
func (m *Model) sessionLines(s memory.Session) []string {
	title := "   " + m.mark(s) + m.named(s)
	state := clean.Line(string(s.State))
	turns := list.Plural(s.TurnsShown(), "turn")
	if m.width >= 72 || m.width >= 50 && m.height < 16 {
		right := fmt.Sprintf(" %s %s %s ", cells.Fit(state, 9), right(turns, 9), right(words.Age(m.now, last(s)), 4))
		return []string{cells.Spread(title, m.styles.Dim.Render(right), m.width)}
	}
	when := words.Age(m.now, last(s))
	if when != "" && when != "now" {
		when += " ago"
	}
	if m.width >= 50 {
		when = words.Moment(last(s), m.loc)
	}
	below := state + " · " + turns
	if when != "" {
		below += " · " + when
	}
	return []string{title, "     " + m.styles.Dim.Render(below)}
}

// named is a session's title, and what it was forked from.
func (m *Model) named(s memory.Session) string {
	if fork := m.forkOf(s); fork != "" {
		if s.Title == "" {
			return m.styles.Text.Render(strings.TrimPrefix(fork, " · "))
		}
		return m.styles.Text.Render(words.SessionTitle(s)) + m.styles.Dim.Render(fork)
	}
	return m.styles.Text.Render(words.SessionTitle(s))
}

// forkOf names the session that one was forked from.
func (m *Model) forkOf(s memory.Session) string {
	if s.ForkedFrom == nil {
		return ""
	}
	for _, from := range m.list {
		if from.ID == s.ForkedFrom.SessionID {
			return " · fork of " + words.SessionTitle(from)
		}
	}
	return " · a fork"
}

// gist is what a session was about: one line of it, and all of it where the cursor
// is (S12).
func (m *Model) gist(s memory.Session, whole bool) []string {
	switch {
	case s.Summary == nil || s.Summary.Snippet == "" || m.height < 16:
		return nil
	case whole:
		return m.wrapped(m.styles.Dim, s.Summary.Snippet, 5)
	}
	return []string{"     " + m.styles.Dim.Render(clean.Truncate(clean.Line(s.Summary.Snippet), max(8, m.width-6), cells.Ellipsis))}
}

// mark tells the session that the conversation shows from the others.
func (m *Model) mark(s memory.Session) string {
	if s.ID == m.current {
		return m.styles.Accent.Render("● ")
	}
	return "  "
}

func (m *Model) addFound() {
	r := m.results
	switch {
	case m.failed != "":
		m.head("the search did not work")
		m.note(m.styles.Bad, m.failed)
		return
	case !m.answered && m.upTo > 0:
		m.head(fmt.Sprintf("searching … %s of %s messages", cells.Number(m.done), cells.Number(m.upTo)))
	case !m.answered:
		m.head("searching …")
	case len(r.Sessions) == 0:
		m.head("nothing found")
		m.note(m.styles.Dim, "No message has these words. Esc shows all sessions.")
	default:
		n := 0
		for _, g := range r.Sessions {
			n += max(g.Messages, len(g.Hits))
		}
		all := list.Plural(max(n, r.Messages), "message") + " in " + list.Plural(len(r.Sessions), "session")
		if r.Messages > n {
			all += ", best first"
		}
		m.head(all)
	}
	if r.Degraded != "" {
		m.note(m.styles.Warn, "! "+r.Degraded)
	}
	needle := quote.New(m.query)
	for _, g := range r.Sessions {
		m.addGroup(g, needle)
	}
}

func (m *Model) addGroup(g Group, n quote.Needle) {
	count := max(g.Messages, len(g.Hits))
	best := ""
	if len(g.Hits) > 0 {
		best = g.Hits[0].RecordID
	}
	right := m.styles.Dim.Render(" " + list.Plural(count, "message") + " ")
	if count == 0 {
		right = m.styles.Dim.Render(" in its title ")
	}
	line := cells.Spread("   "+m.mark(g.Session)+m.styles.Strong.Render(words.SessionTitle(g.Session)), right, m.width)
	m.rows = append(m.rows, row{Key: "s " + g.Session.ID, Of: entry{session: g.Session, best: best}, Lines: []string{line}})
	for i, h := range g.Hits {
		if i == shownHits {
			break
		}
		m.rows = append(m.rows, row{Key: "h " + h.RecordID, Of: entry{session: g.Session, hit: h}, Lines: []string{m.hitLine(h, n)}})
	}
	if more := count - min(len(g.Hits), shownHits); more > 0 && len(g.Hits) > 0 {
		m.say(m.styles.Dim.Render(fmt.Sprintf("       … and %s more", cells.Number(more))))
	}
}

// hitLine is a message that was found, on one line, with its words in sight.
func (m *Model) hitLine(h Hit, n quote.Needle) string {
	who := clean.Truncate(clean.Line(h.Who), 10, cells.Ellipsis)
	if who != "" {
		who += " "
	}
	age := m.styles.Dim.Render(" " + right(words.Age(m.now, h.Time), 3) + " ")
	room := m.width - 7 - cells.Width(who) - cells.Width(age) - 2
	left := "       " + m.styles.Dim.Render(who) + "“" + n.Cut(h.Text, max(4, room), m.styles) + "”"
	return cells.Spread(left, age, m.width)
}

// last is when the session was last used.
func last(s memory.Session) time.Time {
	if s.LastMessageAt.IsZero() {
		return s.CreatedAt
	}
	return s.LastMessageAt
}

// right puts s at the right end of w cells.
func right(s string, w int) string {
	return strings.Repeat(" ", max(0, w-cells.Width(s))) + s
}
