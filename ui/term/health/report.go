package health

import (
	"fmt"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"memoria/memory/learn"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// page is the report as it is written: for the screen and, without looks, to be
// copied.
type page struct {
	report Report
	styles theme.Styles
	ascii  bool
	width  int
	now    time.Time
	loc    *time.Location
	out    []string
}

// leastLabel is the width of the column of labels where none needs more.
const leastLabel = 12

// labelColumn is the width of the column of labels: the longest label and a gap,
// as far as the values keep three fifths of the width.
func (p *page) labelColumn() int {
	column := leastLabel
	for _, x := range p.report.Indexes {
		if w := cells.Width(clean.Line(x.Name)) + 2; w <= p.width*2/5 {
			column = max(column, w)
		}
	}
	return column
}

// build makes the lines of the report.
func (m *Model) build() {
	p := page{
		report: m.report, styles: m.Styles, ascii: m.Styles.Plain,
		width: m.Width, now: m.Now, loc: m.Loc,
	}
	if m.problem != "" {
		p.note(m.Styles.Bad, "! It could not be read: "+m.problem)
	}
	switch {
	case m.there:
		p.write()
	case m.problem == "":
		p.head("health")
		p.note(m.Styles.Dim, "counting …")
	}
	m.lines = p.out
}

// textWidth is the width of the report as text.
const textWidth = 80

// Text is the report as plain text, clean.
func (m *Model) Text() string {
	p := page{report: m.report, ascii: m.Styles.Plain, width: textWidth, now: m.Now, loc: m.Loc}
	p.write()
	for i, l := range p.out {
		p.out[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(p.out, "\n") + "\n"
}

func (p *page) add(line string) { p.out = append(p.out, line) }

func (p *page) head(text string) {
	p.add(p.styles.Accent.Render(" " + clean.Truncate(clean.Line(text), max(1, p.width-2), cells.Ellipsis)))
}

// note adds wrapped text.
func (p *page) note(style list.Styler, text string) { p.wrap(style, text, 1) }

func (p *page) wrap(style list.Styler, text string, indent int) {
	p.out = append(p.out, list.Wrapped(style, text, p.width, indent)...)
}

// fact adds a label and a value; nothing without a value.
func (p *page) fact(label, value string) { p.styled(p.styles.Text, label, value) }

func (p *page) styled(style list.Styler, label, value string) {
	p.out = append(p.out, list.Labelled(p.styles.Dim, style, label, value, p.width, 2, p.labelColumn())...)
}

func (p *page) write() {
	r := p.report
	title := "health"
	if r.Agent != "" {
		title += " of " + r.Agent
	}
	if !r.At.IsZero() {
		title += " · " + words.Moment(r.At, p.loc)
	}
	p.head(title)
	for _, t := range r.Trouble {
		p.note(p.styles.Bad, "! "+t)
	}
	p.add("")
	p.counts()
	p.charts()
	p.derived()
	p.storage()
	p.modelLines()
	p.head("where it lies")
	p.fact("data", r.DataDir)
	p.fact("log", r.LogFile)
}

func (p *page) counts() {
	r := p.report
	p.head("overview")
	p.fact("memories", cells.Number(r.Memories))
	held := cells.Number(r.Held)
	if r.Held > 0 {
		held += ", waiting for your approval"
	}
	p.fact("held", held)
	p.fact("messages", cells.Number(r.Messages))
	p.fact("sessions", cells.Number(r.Sessions))
	jobs := "no pending work"
	if r.Jobs > 0 {
		jobs = cells.Number(r.Jobs) + " waiting to be learned from"
	}
	p.fact("jobs", jobs)
	if r.Unwiped {
		p.styled(p.styles.Warn, "deleting", "what was deleted is wiped from the disk in some seconds")
	}
	for _, said := range r.Erasing {
		if r.EraseFailed {
			p.styled(p.styles.Warn, "erasing", said)
		} else {
			p.fact("erasing", said)
		}
	}
	p.add("")
}

// charts draws what happened over the days, as many as there is room for.
func (p *page) charts() {
	days := p.report.Days
	room := p.width - 4
	if len(days) == 0 || room < 8 {
		return
	}
	if over := len(days) - room; over > 0 {
		days = days[over:]
	}
	from, to := days[0].Date, days[len(days)-1].Date
	span := list.Plural(len(days), "day") + " to " + to.In(p.loc).Format(time.DateOnly)
	p.head(span)
	all := []series{{name: "messages"}, {name: "learned"}, {name: "forgotten"}}
	for _, d := range days {
		for i, v := range []int{d.Messages, d.Learned, d.Forgotten} {
			all[i].values, all[i].dates = append(all[i].values, v), append(all[i].dates, d.Date)
		}
	}
	looks := []list.Styler{p.styles.Accent, p.styles.Good, p.styles.Warn}
	wide := 0
	for i, s := range all {
		p.wrap(p.styles.Text, s.words(p.loc), 2)
		if s.most() > 0 {
			bars := s.bars(room, p.ascii)
			wide = cells.Width(bars)
			p.add("  " + looks[i].Render(bars))
		}
	}
	if wide > 0 {
		p.add("  " + p.styles.Dim.Render(axis(from, to, wide, p.loc)))
		if p.ascii {
			p.wrap(p.styles.Dim, "9 is the most of its line, . is none", 2)
		}
	}
	p.add("")
}

func (p *page) derived() {
	p.head("indexes")
	if len(p.report.Indexes) == 0 {
		p.note(p.styles.Dim, "No index was opened yet.")
	}
	for _, x := range p.report.Indexes {
		state := clean.Line(x.State)
		if x.Total > 0 && x.Done < x.Total {
			state += fmt.Sprintf(", %s of %s (%d %%)", cells.Number(x.Done), cells.Number(x.Total), percent(x.Done, x.Total))
		}
		if x.Behind > 0 {
			state += fmt.Sprintf(", %s behind", list.Plural(int(min(x.Behind, 1<<53)), "change"))
		} else if x.State == Ready {
			state += ", up to date"
		}
		if x.Model != "" {
			state += fmt.Sprintf(", %s by %s at %s", cells.Number(x.Count), clean.Line(x.Model), clean.Line(x.Endpoint))
		}
		if x.Bytes > 0 {
			state += ", " + words.Bytes(x.Bytes)
		}
		p.fact(x.Name, state)
		p.styled(p.styles.Warn, "", x.Reason)
	}
	p.add("")
}

func (p *page) storage() {
	r := p.report
	p.head("the store")
	stored := words.Bytes(r.StoreBytes)
	if r.FreeBytes >= 0 && r.StoreBytes > 0 {
		stored += fmt.Sprintf(", %s of it free (%d %%)", words.Bytes(r.FreeBytes), percent(int(r.FreeBytes), int(r.StoreBytes)))
	}
	p.fact("size", stored)
	b := r.Backups
	if b.Count == 0 {
		p.styled(p.styles.Warn, "backups", "none yet; b makes one")
	} else {
		p.fact("backups", cells.Number(b.Count))
		p.fact("newest", p.when(b.Newest))
	}
	switch {
	case b.Off:
		p.styled(p.styles.Warn, "next", "none by itself: backups are switched off")
	case !b.Next.IsZero():
		p.fact("next", words.Moment(b.Next, p.loc))
	}
	if b.Failed != "" {
		p.styled(p.styles.Bad, "last one", "did not work: "+b.Failed)
	}
	p.add("")
}

func (p *page) modelLines() {
	r := p.report
	p.head("the model")
	name, at := r.Model, r.Endpoint
	if name == "" {
		name = "none"
	}
	if at == "" {
		at = "none: nothing leaves this machine"
		for _, x := range r.Indexes {
			if x.Endpoint != "" {
				at = "none; memories and messages go to " + x.Endpoint + " for their vectors"
			}
		}
	}
	p.fact("name", name)
	p.fact("endpoint", at)
	if r.TokensIn > 0 || r.TokensOut > 0 {
		p.fact("tokens", fmt.Sprintf("%s in, %s out in this session", cells.Number(r.TokensIn), cells.Number(r.TokensOut)))
	}
	p.fact("cost", r.Cost)
	p.learning(r.Learning)
	p.add("")
}

// learning tells what the model did in the background.
func (p *page) learning(l Learning) {
	if l.Waiting > 0 {
		p.fact("learning", list.Plural(l.Waiting, "turn")+" still to be read by the model")
	}
	if l.Answered == 0 {
		return
	}
	p.fact("learned", fmt.Sprintf("%s from %s of the model", list.Plural(l.Learned, "change"), list.Plural(l.Answered, "answer")))
	p.fact("refused", list.Plural(l.Refused, "proposal"))
	if l.Unusable > 0 {
		p.styled(p.styles.Warn, "unusable", list.Plural(l.Unusable, "answer"))
	}
	if l.Failing >= learn.MaxFailing {
		p.styled(p.styles.Warn, "stopped", fmt.Sprintf("the last %d were unusable; another model or a restart begins again", l.Failing))
	}
	if l.TokensIn+l.TokensOut > 0 {
		p.fact("for that", fmt.Sprintf("%s tokens in, %s out in this session; %s and %s in all",
			cells.Number(l.SessionIn), cells.Number(l.SessionOut), cells.Number(l.TokensIn), cells.Number(l.TokensOut)))
	}
}

// when is a moment and how long ago that was, for what should be recent.
func (p *page) when(t time.Time) string {
	s := words.Moment(t, p.loc)
	if d := p.now.Sub(t); s != "" && d >= 24*time.Hour {
		s += ", " + list.Plural(int(d/(24*time.Hour)), "day") + " ago"
	}
	return s
}

func percent(n, of int) int {
	if of <= 0 {
		return 0
	}
	return int(float64(n) * 100 / float64(of))
}

var doings = map[Do]string{
	Rebuild: "rebuilding the index …",
	Compact: "compacting the index …",
	Backup:  "making a backup …",
}

// status says what goes on or went wrong.
func (m *Model) status() (list.Styler, string) {
	switch {
	case m.doing != Nothing:
		return m.Styles.Accent, doings[m.doing]
	case m.bad:
		return m.Styles.Bad, m.Notice
	}
	return m.Styles.Good, m.Notice
}

// hints returns the keys, and those that scroll where the report does not fit.
func (m *Model) hints() []string {
	k := m.Keys.Health
	works := []key.Binding{k.Rebuild, k.Compact, k.Backup, k.Copy}
	hints, room := m.Hints("", works...), m.Height
	if style, text := m.status(); text != "" {
		room -= len(m.Wrapped(style, text, 1))
	}
	if len(m.lines) > room-len(hints) {
		scroll := key.NewBinding(key.WithHelp("↑ ↓", "pgup pgdn"))
		hints = m.Hints("", append([]key.Binding{scroll}, works...)...)
		hints[0] = strings.Replace(hints[0], "↑\u00a0↓\u00a0pgup\u00a0pgdn", "↑ ↓ pgup pgdn", 1)
	}
	return hints
}
