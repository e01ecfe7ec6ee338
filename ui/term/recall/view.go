package recall

import (
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// entry is the subject of a row.
type entry struct {
	item   *memory.Item   // nil in rows about a passage
	change *memory.Change // what was learned, in rows of that
	// passage of the journal; nil where the row is about an item
	passage *journal.Hit
}

// addRows adds the sections. A filter shows the list of all memories alone.
func (m *Model) addRows() {
	if m.only != partAll && m.filter == "" && m.day.IsZero() && !m.Typing {
		scores{m}.addPreview()
		scores{m}.addUsed()
		m.addLessons()
	}
	if m.only != partRecall {
		m.addItems()
		return
	}
	p, l := m.preview, m.lessons
	switch {
	case p.result.Total > 0 || len(p.passages) > 0 || len(l.learned) > 0 || l.run.Generation != "":
	case !p.typed && len(m.answered.Chosen) > 0:
	case !m.loaded || p.answered != p.typed:
	case m.total == 0:
		m.Dim(m.empty())
	case p.typed:
		m.Dim(m.Words.Say("recall.would.none"))
	default:
		m.Dim(m.Words.Say("recall.rest"))
		listing{m}.addNewest()
	}
}

// newest is how many memories are shown while nothing is typed.
const newest = 8

// addNewest adds the memories that were learned last.
func (m listing) addNewest() {
	m.Say("")
	m.Head(m.Words.Say("recall.newest", cells.Number(m.total)))
	for i := range m.items[:min(len(m.items), newest)] {
		it := &m.items[i]
		m.Add("item"+it.ID, entry{item: it}, m.line(entry{item: it}))
	}
	if m.total > newest {
		m.Dim(m.Words.Say("recall.all", list.Count(m.Words.Words, m.total, "memory")))
	}
}

// empty says how the memory gets its first item, or why it cannot.
func (m *Model) empty() string {
	if m.unavailable != "" {
		return m.unavailable
	}
	return m.Words.Say("memories.none")
}

func (m *Model) addItems() {
	switch {
	case !m.loaded:
		m.Say(m.Styles.Dim.Render(" " + m.Words.Say("memories.reading")))
		return
	case !m.day.IsZero():
		lifePages{m}.addDayHead()
	case m.Typing || m.filter != "":
		m.Head(list.Count(m.Words.Words, m.total, "memory matches"))
		if m.total == 0 {
			m.Dim(m.Words.Say("memories.filter.none"))
		}
	case (listing{m}).present() == 0:
		m.Head(m.Words.Say("memories.all.none"))
		m.Dim(m.empty())
	default:
		m.Head(m.Words.Say("memories.all", cells.Number(listing{m}.present())))
	}
	if (listing{m}).hides() {
		id := "memories.inactive"
		if m.all {
			id = "memories.inactive.shown"
		}
		m.Dim(m.Words.Say(id, m.inactive, m.Keys.List.Unused.Help().Key))
	}
	m.AddRows(listing{m}.itemRows())
	m.Others(m.total - len(m.items))
}

// present is the number of memories that are not inactive, while all are listed.
func (m listing) present() int {
	if m.all {
		return m.total - m.inactive
	}
	return m.total
}

// hides reports whether inactive memories can be shown in the list of all, and hidden there.
func (m listing) hides() bool {
	return m.only != partRecall && m.loaded && m.inactive > 0 && m.filter == "" && !m.Typing && m.day.IsZero()
}

// addDayHead adds the heading of a list of one day.
func (m lifePages) addDayHead() {
	m.Head(m.Words.Say("life.day", m.Words.Date(m.Now, m.day, m.Loc), m.Words.Count(m.total, "memory")))
	if n := m.life.tally(m.day).Forgotten; n > 0 {
		m.Dim(m.Words.Say("life.gone", m.Words.Count(n, "memory was")))
	}
	m.Dim(m.Words.Say("life.all"))
}

// listing is the section of all memories.
type listing struct{ *Model }

// dated is the list of all memories with the headings of days, as rows. They are drawn when
// they are visible; the list is rebuilt with everything that changes in the pane.
type dated struct {
	rows  []list.Row[entry]
	today string
	width int
}

func (m listing) itemRows() []list.Row[entry] {
	today := words.Day(m.Now, m.Loc)
	if m.dated.rows != nil && m.dated.today == today && m.dated.width == m.Width {
		return m.dated.rows
	}
	rows := make([]list.Row[entry], 0, len(m.items)+len(m.items)/4)
	var before date
	for i := range m.items {
		it := &m.items[i]
		if on := dateOf(it.CreatedAt.In(m.Loc)); m.day.IsZero() && (i == 0 || on != before) {
			before = on
			rows = append(rows, m.DayRow(it.CreatedAt))
		}
		rows = append(rows, list.Row[entry]{Key: "item" + it.ID, Of: entry{item: it}})
	}
	m.dated = dated{rows, today, m.Width}
	return rows
}

const (
	// roomForTimes is the width of a pane from which a row has its time of day and the whole
	// name of its kind. In a narrower one the sentence needs their room.
	roomForTimes = 56
)

// line draws a memory of the list.
func (m listing) line(e entry) string {
	if e.item == nil {
		return ""
	}
	it := *e.item
	kinds := m.kinds
	narrow := m.Width < roomForTimes
	if narrow {
		kinds.width = kinds.brief
	}
	kind := kinds.ofType(m.Styles, it.Type)
	if it.State != memory.StateActive && it.State != "" {
		kind = kinds.ofState(m.Styles, it.State)
	}
	at := ""
	if !it.CreatedAt.IsZero() && !narrow {
		at = " " + it.CreatedAt.In(m.Loc).Format("15:04") + " "
	}
	return cells.Spread("   "+kind+" "+m.Styles.Text.Render(clean.Line(it.Content)), m.Styles.Dim.Render(at), m.Width)
}

// date is a calendar day.
type date struct {
	year  int
	month time.Month
	day   int
}

func dateOf(t time.Time) date {
	y, m, d := t.Date()
	return date{y, m, d}
}
