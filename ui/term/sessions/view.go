package sessions

import (
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

// entry is the session or message of a row.
type entry struct {
	session memory.Session
	hit     Hit    // of what was found
	best    string // the session's best hit
}

const shownHits = 3 // of one session

// addRows adds the list, or what was found.
func (m *Model) addRows() {
	if m.search.query != "" {
		m.addFound()
	} else {
		m.addList()
	}
}

func (m *Model) addList() {
	switch {
	case !m.all.Loaded && m.all.Failed == "":
		m.Head(m.Words.Say("view.sessions") + " · " + m.Words.Say("life.reading"))
		return
	case !m.all.Loaded:
		m.Head(m.Words.Say("view.sessions"))
		m.Note(m.Styles.Bad, m.Words.Say("sessions.unread", m.all.Failed))
		m.Dim(m.Words.Say("history.retry"))
		return
	case m.all.Total == 0:
		m.Head(m.Words.Say("view.sessions") + " · 0")
		m.Dim(m.Words.Say("sessions.empty"))
		return
	}
	m.Head(m.Words.Say("sessions.head", cells.Number(m.all.Total)))
	wide := m.columns()
	for _, s := range m.all.Items {
		m.Day(last(s))
		short := m.sessionLines(s, wide)
		whole := append(slices.Clone(short), m.gist(s, true)...)
		m.AddRow(list.Row[entry]{Key: "s " + s.ID, Of: entry{session: s}, Lines: append(short, m.gist(s, false)...), Chosen: whole})
	}
	list.Rest(&m.Base, &m.all)
}

// columns are the widths of the columns beside a session, in cells.
type columns struct{ state, turns int }

func (m *Model) columns() (wide columns) {
	for _, s := range m.all.Items {
		wide.state = max(wide.state, cells.Width(m.state(s)))
		wide.turns = max(wide.turns, cells.Width(m.turns(s)))
	}
	return wide
}

func (m *Model) state(s memory.Session) string {
	return clean.Line(m.Words.Named("session.is", string(s.State)))
}

func (m *Model) turns(s memory.Session) string {
	return list.Count(m.Words.Words, s.TurnsShown(), "turn")
}

// ageWidth is the width of the longest age, in cells.
const ageWidth = 4

// sessionLines is a session of the list: on one line where there is room for it
// or little height, else on two.
func (m *Model) sessionLines(s memory.Session, wide columns) []string {
	title := "   " + m.mark(s) + m.named(s)
	if m.Width >= 72 || m.Width >= 50 && m.Height < 16 {
		beside := " " + cells.Fit(m.state(s), wide.state) + "  " + right(m.turns(s), wide.turns) + " " +
			right(m.Words.Age(m.Now, last(s)), ageWidth) + " "
		return []string{cells.Spread(title, m.Styles.Dim.Render(beside), m.Width)}
	}
	below := "     " + m.state(s) + " · " + m.turns(s)
	if when := m.when(last(s), m.Width-cells.Width(below+" · ")); when != "" {
		below += " · " + when
	}
	return []string{title, m.Styles.Dim.Render(below)}
}

// when says when a session was last used, within a width; "" for an unknown time.
func (m *Model) when(t time.Time, width int) string {
	age := m.Words.Age(m.Now, t)
	switch {
	case age == "":
		return ""
	case m.Width >= 50:
		return words.Moment(t, m.Loc)
	}
	for _, said := range []string{m.Words.Ago(m.Now, t), m.Words.Say("time.ago", age)} {
		if cells.Width(said) <= width {
			return said
		}
	}
	return age
}

// named is a session's title, and what it was forked from.
func (m *Model) named(s memory.Session) string {
	if fork := m.forkOf(s); fork != "" {
		if s.Title == "" {
			return m.Styles.Text.Render(fork)
		}
		return m.Styles.Text.Render(m.Words.SessionTitle(s)) + m.Styles.Dim.Render(" · "+fork)
	}
	return m.Styles.Text.Render(m.Words.SessionTitle(s))
}

// forkOf names the session that one was forked from.
func (m *Model) forkOf(s memory.Session) string {
	if s.ForkedFrom == nil {
		return ""
	}
	for _, from := range m.all.Items {
		if from.ID == s.ForkedFrom.SessionID {
			return m.Words.Say("session.fork", m.Words.SessionTitle(from))
		}
	}
	return m.Words.Say("sessions.fork")
}

// gist is what a session was about: one line of it, and all of it where the cursor
// is (S12).
func (m *Model) gist(s memory.Session, whole bool) []string {
	switch {
	case s.Summary == nil || s.Summary.Snippet == "" || m.Height < 16:
		return nil
	case whole:
		return m.Wrapped(m.Styles.Dim, s.Summary.Snippet, 5)
	}
	return []string{"     " + m.Styles.Dim.Render(clean.Truncate(clean.Line(s.Summary.Snippet), max(8, m.Width-6), cells.Ellipsis))}
}

// mark tells the session that the conversation shows from the others.
func (m *Model) mark(s memory.Session) string {
	if s.ID == m.current {
		return m.Styles.Accent.Render("● ")
	}
	return "  "
}

func (m *Model) addFound() {
	r := m.search.results
	switch {
	case m.search.failed != "":
		m.Head(m.Words.Say("sessions.failed"))
		m.Note(m.Styles.Bad, m.search.failed)
		return
	case !m.search.answered:
		m.Head(m.Words.Say("history.searching"))
	case len(r.Sessions) == 0:
		m.Head(m.Words.Say("history.nothing"))
		m.Dim(m.Words.Say("sessions.nothing"))
	default:
		n := 0
		for _, g := range r.Sessions {
			n += max(g.Messages, len(g.Hits))
		}
		all := m.Words.Say("sessions.found", list.Count(m.Words.Words, max(n, r.Messages), "message"),
			list.Count(m.Words.Words, len(r.Sessions), "session"))
		if r.Messages > n {
			all = m.Words.Say("history.best", all)
		}
		m.Head(all)
	}
	if r.Degraded != "" {
		m.Note(m.Styles.Warn, "! "+m.Words.Translate(r.Degraded))
	}
	needle := quote.New(m.search.query)
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
	why := list.Count(m.Words.Words, count, "message")
	if count == 0 {
		why = m.Words.Say("sessions.in-title")
	}
	line := cells.Spread("   "+m.mark(g.Session)+m.Styles.Strong.Render(m.Words.SessionTitle(g.Session)),
		m.Styles.Dim.Render(" "+why+" "), m.Width)
	m.Add("s "+g.Session.ID, entry{session: g.Session, best: best}, line)
	for i, h := range g.Hits {
		if i == shownHits {
			break
		}
		m.Add("h "+h.RecordID, entry{session: g.Session, hit: h}, m.hitLine(h, n))
	}
	if more := count - min(len(g.Hits), shownHits); more > 0 && len(g.Hits) > 0 {
		m.Say("       " + m.Styles.Dim.Render(m.Words.Say("sessions.more", cells.Number(more))))
	}
}

// hitLine is a message that was found, on one line, with its words in sight.
func (m *Model) hitLine(h Hit, n quote.Needle) string {
	who := clean.Truncate(clean.Line(h.Who), 10, cells.Ellipsis)
	if who != "" {
		who += " "
	}
	age := m.Styles.Dim.Render(" " + right(m.Words.Age(m.Now, h.Time), ageWidth) + " ")
	room := m.Width - 7 - cells.Width(who) - cells.Width(age) - 2
	left := "       " + m.Styles.Dim.Render(who) + "“" + n.Cut(h.Text, max(4, room), m.Styles) + "”"
	return cells.Spread(left, age, m.Width)
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
