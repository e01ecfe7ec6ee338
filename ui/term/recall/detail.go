package recall

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// Detail is everything about one item.
type Detail struct {
	Item    memory.Item
	Quotes  []words.Quote
	History []memory.Change
	// Undoable are the ids of those changes of the history that can be undone.
	Undoable map[string]bool
	// Replaced are the memories that it replaced, the last one first, and By is the one that
	// replaced it; nil for none. What was deleted is missing.
	Replaced []memory.Item
	By       *memory.Item
}

type page int

const (
	noPage     page = iota // the list
	detailPage             // the story of one item
	factsPage              // everything about it
	pastPage               // a cursor in its history
	sourcePage             // the message that it came from
	lifePage               // the calendar
)

// opened is the item that is opened, or that was last, and what is shown of it.
type opened struct {
	Detail
	page   page
	at     string // id of the change under the cursor
	source words.Quote
}

// index is the change under the cursor in the history, -1 for none.
func (o *opened) index() int {
	for i, c := range o.History {
		if c.ID == o.at {
			return i
		}
	}
	return len(o.History) - 1
}

// choose puts the cursor on change i of the history, or the nearest one.
func (o *opened) choose(i int) {
	if last := len(o.History) - 1; last >= 0 {
		o.page, o.at = pastPage, o.History[min(max(i, 0), last)].ID
	}
}

// Show opens an item with its details. The details of an item
// that is already open are updated, whatever is being done to it.
func (m *Model) Show(d Detail) {
	if m.Opened() == d.Item.ID && d.Item.ID != "" {
		m.opened.Detail = d
		return
	}
	m.Done()
	m.open(d)
}

func (m *Model) open(d Detail) {
	m.StopTyping()
	m.opened, m.Scroll = opened{Detail: d, page: detailPage}, 0
}

// ShowSource opens the message that a memory came from.
func (m *Model) ShowSource(q words.Quote) {
	m.opened.source, m.opened.page, m.Scroll = q, sourcePage, 0
}

// Opened is the id of the item that is open, "" for none.
func (m *Model) Opened() string {
	if m.opened.page == noPage {
		return ""
	}
	return m.opened.Item.ID
}

// detailKey takes a key while an item or its source is shown.
func (m *Model) detailKey(msg tea.KeyPressMsg) (Action, bool) {
	k := m.Keys.List
	source := m.opened.page == sourcePage
	switch {
	case msg.String() == "esc":
		facts := m.opened.page == factsPage
		if m.opened.page = noPage; (source || facts) && m.opened.Item.ID != "" {
			m.opened.page = detailPage
		}
		m.Scroll = 0
		m.Build()
	case source && key.Matches(msg, k.Open) && !m.opened.source.Gone:
		return Action{Do: Browse, Evidence: m.opened.source.Evidence}, true
	case source:
		return Action{}, false
	case key.Matches(msg, k.History):
		m.enterPast()
	case key.Matches(msg, k.Details):
		if m.Scroll = 0; m.opened.page == factsPage {
			m.opened.page = detailPage
		} else {
			m.opened.page = factsPage
		}
	default:
		return m.itemKey(msg)
	}
	return Action{}, true
}

// enterPast puts the cursor on the newest change of the open item.
func (m *Model) enterPast() {
	m.opened.choose(len(m.opened.History))
	m.follow()
}

// pastKey takes a key while the cursor is in the history.
func (m *Model) pastKey(msg tea.KeyPressMsg) (Action, bool) {
	k, o := m.Keys.List, &m.opened
	m.Notice = ""
	switch i := o.index(); {
	case msg.String() == "esc", key.Matches(msg, k.History):
		o.page, o.at = detailPage, ""
		return Action{}, true
	case key.Matches(msg, k.Undo):
		story{m}.seekUndoable()
		return m.Base.Key(msg)
	case key.Matches(msg, k.Up): // the newest is the first
		o.choose(i + 1)
	case key.Matches(msg, k.Down):
		o.choose(i - 1)
	case key.Matches(msg, k.Home):
		o.choose(len(o.History))
	case key.Matches(msg, k.End):
		o.choose(0)
	default:
		return Action{}, false
	}
	m.follow()
	return Action{}, true
}

// follow scrolls to the cursor in the history.
func (m *Model) follow() {
	lines, at := story{m}.pastLines()
	h := max(1, m.Height-len(m.Foot()))
	if at < m.Scroll || at >= m.Scroll+h-1 {
		m.Scroll = max(0, min(at-h/2, len(lines)-h))
	}
}

// text returns the lines of the open item; nil for the list.
func (m *Model) text() []string {
	switch m.opened.page {
	case noPage:
		return nil
	case sourcePage:
		return story{m}.sourceLines()
	case lifePage:
		return lifePages{m}.lines()
	case factsPage:
		return story{m}.factsLines()
	case pastPage:
		lines, _ := story{m}.pastLines()
		return lines
	}
	return story{m}.lines()
}

// sentence is the open memory: what kind it is, and its words.
func (m story) sentence() []string {
	it := m.opened.Item
	kind := m.Styles.Kind(string(it.Type)).Render(m.kinds.nameOf(it.Type))
	if state := m.Words.State(it); state != "" {
		kind += m.Styles.Warn.Render(" · " + state)
	}
	out := []string{cells.Fit(" "+kind, m.Width)}
	return append(append(out, list.Verbatim(m.Words.Words, m.Styles.Strong, m.Styles.Warn, it.Content, m.Width, 1)...), "")
}

// factsLines is everything about the open item (L1, D3).
func (m story) factsLines() []string {
	out := m.sentence()
	for _, f := range m.Words.MemoryFields(m.opened.Item, m.Loc) {
		out = append(out, list.Labelled(m.Styles.Dim, m.Styles.Text, f.Name, f.Said, m.Width, 1, 12)...)
	}
	history, _ := m.historyLines()
	return append(append(out, ""), history...)
}

// pastLines is the history of the open item; at is the line of the cursor, -1 when there is
// none.
func (m story) pastLines() (out []string, at int) {
	out = m.sentence()
	history, at := m.historyLines()
	if at >= 0 {
		at += len(out)
	}
	return append(out, history...), at
}

// sourceLines is the message that a memory came from, with the words marked.
func (m story) sourceLines() []string {
	q := m.opened.source
	out := []string{
		m.Styles.Accent.Render(cells.Fit(" "+m.Words.SessionTitle(memory.Session{Title: q.Session}), m.Width)),
		m.Styles.Dim.Render(" " + m.Words.Say("memories.said", words.Moment(q.Time, m.Loc))), "",
	}
	if q.Gone {
		return append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("quote.gone", q.Fate(m.Words.Words)), 1)...)
	}
	lo, n := q.Evidence.Offset, q.Evidence.Length
	if n == 0 || lo < 0 || lo+n > len(q.Whole) {
		lo, n = 0, 0
	}
	before, _ := clean.Text(q.Whole[:lo])
	said, _ := clean.Text(q.Whole[lo : lo+n])
	after, _ := clean.Text(q.Whole[lo+n:])
	if said != "" {
		lines := strings.Split(said, "\n")
		for i := range lines {
			lines[i] = m.Styles.Mark.Render(lines[i])
		}
		said = strings.Join(lines, "\n")
	}
	for _, l := range clean.WrapStyled(before+said+after, max(10, m.Width-2)) {
		out = append(out, " "+l)
	}
	return out
}

// historyLines are the changes of the open item, the newest first; at is the line
// of the cursor, -1 when there is none.
func (m story) historyLines() (out []string, at int) {
	at = -1
	out = []string{m.Styles.Accent.Render(" " + m.Words.Say("memories.history", len(m.opened.History)))}
	if len(m.opened.History) == 0 {
		return append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("memories.history.none"), 3)...), at
	}
	for i := len(m.opened.History) - 1; i >= 0; i-- {
		c := m.opened.History[i]
		style := m.Styles.Text
		line := m.Words.Change(c, m.Loc)
		if c.Undone {
			style = m.Styles.Dim
		}
		lines := m.Wrapped(style, line, 3)
		if m.opened.page == pastPage && i == m.opened.index() {
			at = len(out)
			lines[0] = m.Styles.Accent.Render(" ▸ ") + style.Render(clean.Wrap(clean.Line(line), max(10, m.Width-4))[0])
		}
		out = append(out, lines...)
	}
	return out, at
}
