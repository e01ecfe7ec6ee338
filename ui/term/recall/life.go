package recall

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"memoria/memory"
	"memoria/memory/lookup"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/shapes"
)

// Tally counts what happened to the memory on a day.
type Tally struct {
	Learned, Replaced, Forgotten int
}

// Life is what happened on the days of a memory's life.
type Life struct {
	days  map[date]Tally
	first time.Time // the first day on which something happened
	most  int       // learned on one day
	all   Tally
	plans []memory.Item // those to come, the next one first
}

// NewLife counts what happened on each day: days has the numbers of learned and deleted
// memories, and items, which exist, tell what they replaced, and what is planned after now.
func NewLife(days []lookup.Day, items []memory.Item, now time.Time, loc *time.Location) Life {
	l := Life{days: map[date]Tally{}, plans: plansAfter(items, now)}
	add := func(at time.Time, t Tally) {
		if t == (Tally{}) {
			return
		}
		on := dateOf(at)
		sum := l.days[on]
		sum.Learned, sum.Replaced, sum.Forgotten = sum.Learned+t.Learned, sum.Replaced+t.Replaced, sum.Forgotten+t.Forgotten
		l.days[on] = sum
		l.most = max(l.most, sum.Learned)
		l.all = Tally{l.all.Learned + t.Learned, l.all.Replaced + t.Replaced, l.all.Forgotten + t.Forgotten}
		if l.first.IsZero() || at.Before(l.first) {
			l.first = at
		}
	}
	for _, d := range days {
		add(d.Date, Tally{Learned: d.Learned, Forgotten: d.Forgotten})
	}
	for _, it := range items {
		if it.Supersedes != "" {
			add(it.CreatedAt.In(loc), Tally{Replaced: 1})
		}
	}
	return l
}

// plansAfter returns the dated goals that are not over, the next one first.
func plansAfter(items []memory.Item, now time.Time) (out []memory.Item) {
	for _, it := range items {
		if it.Type == memory.TypeGoal && it.State == memory.StateActive && it.ValidTo.After(now) {
			out = append(out, it)
		}
	}
	slices.SortStableFunc(out, func(a, b memory.Item) int { return a.ValidTo.Compare(b.ValidTo) })
	return out
}

// tally is what happened on a day.
func (l Life) tally(day time.Time) Tally { return l.days[dateOf(day)] }

// calendar is a page with the days of the memory's life.
type calendar struct {
	Life
	loaded bool
	at     time.Time // the chosen day
	moved  bool      // it was moved: where there is no room for both, the days are shown instead of the plans
}

// lifePages are the calendar and the list of one of its days.
type lifePages struct{ *Model }

// today is the last day of the calendar.
func (m lifePages) today() time.Time { return shapes.Day(m.Now.In(m.Loc)) }

// OpenLife shows the calendar.
func (m *Model) OpenLife() Action {
	m.StopTyping()
	m.opened.page, m.Scroll, m.Notice, m.life.moved = lifePage, 0, "", false
	if m.life.at.IsZero() {
		m.life.at = lifePages{m}.today()
	}
	return Action{Do: ReadLife}
}

// SetLife shows what happened on each day.
func (m *Model) SetLife(l Life) {
	m.life.Life, m.life.loaded = l, true
	m.Build()
}

// LifeShown reports whether the calendar, or the list of one of its days, is shown.
func (m *Model) LifeShown() bool { return m.opened.page == lifePage || !m.day.IsZero() }

// Day is the day to whose memories the list is limited; zero for all days.
func (m *Model) Day() time.Time { return m.day }

// setDay limits the list to the memories of a day; zero for all.
func (m *Model) setDay(day time.Time) Action {
	m.opened.page, m.filter, m.day, m.dated.rows, m.loaded = noPage, "", day, nil, false
	m.Search.Set("")
	m.List.Reset()
	m.Build()
	return Action{Do: Filter}
}

// key takes a key while the calendar is shown.
func (m lifePages) key(msg tea.KeyPressMsg) (Action, bool) {
	k, moves := m.Keys.Life, m.Keys.List.Moves
	m.Notice = ""
	step := 0
	switch {
	case msg.String() == "esc", key.Matches(msg, m.Keys.List.Life):
		m.opened.page = noPage
		m.Build()
	case key.Matches(msg, k.Open):
		if m.life.tally(m.life.at) == (Tally{}) {
			m.Notice = m.Words.Say("life.nothing", m.Words.Date(m.Now, m.life.at, m.Loc))
			return Action{}, true
		}
		return m.setDay(m.life.at), true
	case key.Matches(msg, k.Back):
		step = -7
	case key.Matches(msg, k.Forward):
		step = 7
	case key.Matches(msg, moves.Up):
		step = -1
	case key.Matches(msg, moves.Down):
		step = 1
	case key.Matches(msg, moves.PageUp):
		step = -28
	case key.Matches(msg, moves.PageDown):
		step = 28
	case key.Matches(msg, moves.Home):
		if !m.life.first.IsZero() {
			step = shapes.Between(m.life.at, m.life.first)
		}
	case key.Matches(msg, moves.End):
		step = shapes.Between(m.life.at, m.today())
	default:
		return Action{}, false
	}
	m.chooseDay(step)
	return Action{}, true
}

// chooseDay moves the cursor of the calendar by some days, not beyond its first week and today.
func (m lifePages) chooseDay(step int) {
	first, to := m.today(), shapes.Add(m.life.at, step)
	if !m.life.first.IsZero() && m.life.first.Before(first) {
		first = m.life.first
	}
	if first = shapes.Monday(first); to.Before(first) {
		to = first
	}
	if to.After(m.today()) {
		to = m.today()
	}
	m.life.at, m.life.moved = to, true
}

// weekdayWidth is the room for the names of weekdays beside the calendar.
const weekdayWidth = 6

// lines is the calendar: weeks as columns of two cells, up to the one that keeps the chosen
// day visible.
func (m lifePages) lines() (out []string) {
	l := m.life
	if !l.loaded {
		title, reading := m.Words.Say("life.title"), m.Words.Say("life.reading")
		return []string{m.Styles.Accent.Render(" " + title), m.Styles.Dim.Render(" " + reading)}
	}
	if len(l.days) == 0 {
		out = append(out, m.Styles.Accent.Render(" "+m.Words.Say("life.title")))
		return append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("life.empty"), 1)...)
	}
	switch room := m.Height - calendarLines; {
	case room >= fewestPlans:
		out = m.planLines(room)
	case !m.life.moved:
		out = m.planLines(max(1, m.Height-daysHint))
		return append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("life.days"), 1)...)
	}
	weeks := m.weeks()
	day := m.Styles.Accent.Render(" " + m.Words.DayName(m.Now, l.at, m.Loc))
	out = append(out, cells.Fit(day+" · "+m.tallyWords(l.tally(l.at)), m.Width))
	out = append(out, m.monthLine(weeks))
	names := m.Words.Weekdays()
	for d := range names {
		line := m.Styles.Dim.Render(cells.Fit(" "+names[d], weekdayWidth))
		for _, w := range weeks {
			if w[d].IsZero() {
				line += "  "
				continue
			}
			t := l.tally(w[d])
			line += m.Styles.Day(shapes.Level(t.Learned, l.most), t.Replaced > 0, t.Forgotten > 0, w[d].Equal(l.at))
		}
		out = append(out, line)
	}
	out = append(out, m.Styles.Legend(m.Styles.DayLegend(), m.names(), m.Width)...)
	out = append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("life.in-all", m.tallyWords(l.all)), 1)...)
	return out
}

// The fewest plans that are listed over the calendar, and the lines for the calendar and the list's heading.
const (
	fewestPlans   = 3
	calendarLines = 16
	daysHint      = 6 // lines for the heading, the hint, and the keys
)

// planLines are the plans to come, as many as there is room for, each with its last day.
func (m lifePages) planLines(room int) []string {
	out := []string{m.Styles.Accent.Render(" " + m.Words.Say("life.coming"))}
	if len(m.life.plans) == 0 {
		return append(append(out, m.Wrapped(m.Styles.Dim, m.Words.Say("life.free"), 1)...), "")
	}
	shown := m.life.plans[:min(len(m.life.plans), room)]
	for _, it := range shown {
		day := m.Words.DayName(m.Now, it.ValidTo.Add(-time.Nanosecond), m.Loc)
		out = append(out, cells.Fit(" "+m.Styles.Dim.Render(day)+" "+clean.Line(it.Content), m.Width))
	}
	if rest := len(m.life.plans) - len(shown); rest > 0 {
		out = append(out, m.Styles.Dim.Render(" "+m.Words.Say("life.more", rest)))
	}
	return append(out, "")
}

// weeks are those that are visible.
func (m lifePages) weeks() []shapes.Week {
	n := max(1, (m.Width-weekdayWidth-1)/2)
	last := m.today()
	if behind := shapes.Between(shapes.Monday(m.life.at), shapes.Monday(last)) / 7; behind >= n {
		last = shapes.Add(shapes.Monday(m.life.at), 7*(n/2)+6) // the chosen day in the middle
	}
	return shapes.Grid(last, n)
}

// monthLine names the months over the weeks in which they begin.
func (m lifePages) monthLine(weeks []shapes.Week) string {
	line := cells.Fit("", weekdayWidth)
	for _, l := range shapes.Months(weeks, 3) {
		name := m.Words.Month(l.Month)
		at := weekdayWidth + 2*l.Column
		if at+cells.Width(name) > m.Width {
			break
		}
		line = cells.Fit(line, at) + name
	}
	return m.Styles.Dim.Render(line)
}

func (m lifePages) names() []string {
	return []string{m.Words.Say("life.learned"), m.Words.Say("life.replaced"), m.Words.Say("life.forgotten")}
}

// tallyWords says what happened: "5 learned, 1 replaced".
func (m lifePages) tallyWords(t Tally) string {
	var out []string
	for i, n := range []int{t.Learned, t.Replaced, t.Forgotten} {
		if n > 0 {
			out = append(out, m.Words.Say("life.count", cells.Number(n), m.names()[i]))
		}
	}
	if len(out) == 0 {
		return m.Words.Say("life.none")
	}
	return m.Words.List(out)
}
