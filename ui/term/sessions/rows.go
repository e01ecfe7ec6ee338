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
		m.Head("sessions · reading …")
		return
	case !m.all.Loaded:
		m.Head("sessions")
		m.Note(m.Styles.Bad, "They could not be read: "+m.all.Failed)
		m.Dim("Enter tries again.")
		return
	case m.all.Total == 0:
		m.Head("sessions · 0")
		m.Dim("Nothing was said yet. A session begins with your first message; " +
			"here you can read it again, search its words and go on with it.")
		return
	}
	m.Head(fmt.Sprintf("sessions · %s, last used first", cells.Number(m.all.Total)))
	for _, s := range m.all.Items {
		m.Day(last(s))
		short := m.sessionLines(s)
		whole := append(slices.Clone(short), m.gist(s, true)...)
		m.AddRow(list.Row[entry]{Key: "s " + s.ID, Of: entry{session: s}, Lines: append(short, m.gist(s, false)...), Chosen: whole})
	}
	list.Rest(&m.Base, &m.all)
}

// sessionLines is a session of the list: on one line where there is room for it
// or little height, else on two.
func (m *Model) sessionLines(s memory.Session) []string {
	title := "   " + m.mark(s) + m.named(s)
	state := clean.Line(string(s.State))
	turns := list.Plural(s.TurnsShown(), "turn")
	if m.Width >= 72 || m.Width >= 50 && m.Height < 16 {
		right := fmt.Sprintf(" %s %s %s ", cells.Fit(state, 9), right(turns, 9), right(m.Words.Age(m.Now, last(s)), 4))
		return []string{cells.Spread(title, m.Styles.Dim.Render(right), m.Width)}
	}
	when := m.Words.Age(m.Now, last(s))
	if when != "" && when != "now" {
		when += " ago"
	}
	if m.Width >= 50 {
		when = words.Moment(last(s), m.Loc)
	}
	below := state + " · " + turns
	if when != "" {
		below += " · " + when
	}
	return []string{title, "     " + m.Styles.Dim.Render(below)}
}

// named is a session's title, and what it was forked from.
func (m *Model) named(s memory.Session) string {
	if fork := m.forkOf(s); fork != "" {
		if s.Title == "" {
			return m.Styles.Text.Render(strings.TrimPrefix(fork, " · "))
		}
		return m.Styles.Text.Render(m.Words.SessionTitle(s)) + m.Styles.Dim.Render(fork)
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
			return " · fork of " + m.Words.SessionTitle(from)
		}
	}
	return " · a fork"
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
		m.Head("the search did not work")
		m.Note(m.Styles.Bad, m.search.failed)
		return
	case !m.search.answered:
		m.Head("searching …")
	case len(r.Sessions) == 0:
		m.Head("nothing found")
		m.Dim("No message has these words. Esc shows all sessions.")
	default:
		n := 0
		for _, g := range r.Sessions {
			n += max(g.Messages, len(g.Hits))
		}
		all := list.Plural(max(n, r.Messages), "message") + " in " + list.Plural(len(r.Sessions), "session")
		if r.Messages > n {
			all += ", best first"
		}
		m.Head(all)
	}
	if r.Degraded != "" {
		m.Note(m.Styles.Warn, "! "+r.Degraded)
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
	right := m.Styles.Dim.Render(" " + list.Plural(count, "message") + " ")
	if count == 0 {
		right = m.Styles.Dim.Render(" in its title ")
	}
	line := cells.Spread("   "+m.mark(g.Session)+m.Styles.Strong.Render(m.Words.SessionTitle(g.Session)), right, m.Width)
	m.Add("s "+g.Session.ID, entry{session: g.Session, best: best}, line)
	for i, h := range g.Hits {
		if i == shownHits {
			break
		}
		m.Add("h "+h.RecordID, entry{session: g.Session, hit: h}, m.hitLine(h, n))
	}
	if more := count - min(len(g.Hits), shownHits); more > 0 && len(g.Hits) > 0 {
		m.Say(m.Styles.Dim.Render(fmt.Sprintf("       … and %s more", cells.Number(more))))
	}
}

// hitLine is a message that was found, on one line, with its words in sight.
func (m *Model) hitLine(h Hit, n quote.Needle) string {
	who := clean.Truncate(clean.Line(h.Who), 10, cells.Ellipsis)
	if who != "" {
		who += " "
	}
	age := m.Styles.Dim.Render(" " + right(m.Words.Age(m.Now, h.Time), 3) + " ")
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
