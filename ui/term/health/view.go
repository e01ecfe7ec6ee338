package health

import (
	"strings"
	"time"

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
	words  words.Words
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
		if w := cells.Width(p.name(x)) + 2; w <= p.width*2/5 {
			column = max(column, w)
		}
	}
	return column
}

// name is what an index is called.
func (p *page) name(x Index) string { return clean.Line(p.words.Named("derived", x.Name)) }

// build makes the lines of the report.
func (m *Model) build() {
	p := page{
		report: m.report, words: m.Words.Words, styles: m.Styles, ascii: m.Styles.Plain,
		width: m.Width, now: m.Now, loc: m.Loc,
	}
	if m.problem != "" {
		p.note(m.Styles.Bad, "! "+m.Words.Say("health.unread", m.problem))
	}
	switch {
	case m.there:
		p.write()
	case m.problem == "":
		p.head(m.Words.Say("view.health"))
		p.note(m.Styles.Dim, m.Words.Say("health.counting"))
	}
	m.lines = p.out
}

// textWidth is the width of the report as text.
const textWidth = 80

// Text is the report as plain text, clean.
func (m *Model) Text() string {
	p := page{report: m.report, words: m.Words.Words, ascii: m.Styles.Plain, width: textWidth, now: m.Now, loc: m.Loc}
	p.write()
	for i, l := range p.out {
		p.out[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(p.out, "\n") + "\n"
}

func (p *page) add(line string) { p.out = append(p.out, line) }

// say adds a heading that is a message.
func (p *page) say(id string) { p.head(p.words.Say(id)) }

func (p *page) head(text string) {
	p.add(p.styles.Accent.Render(" " + clean.Truncate(clean.Line(text), max(1, p.width-2), cells.Ellipsis)))
}

// note adds wrapped text.
func (p *page) note(style list.Styler, text string) { p.wrap(style, text, 1) }

func (p *page) wrap(style list.Styler, text string, indent int) {
	p.out = append(p.out, list.Wrapped(style, text, p.width, indent)...)
}

// fact adds a label, which is a message, and a value; nothing without a value.
func (p *page) fact(label, value string) { p.styled(p.styles.Text, label, value) }

func (p *page) styled(style list.Styler, label, value string) {
	p.labelled(style, p.words.Say(label), value)
}

func (p *page) labelled(style list.Styler, label, value string) {
	p.out = append(p.out, list.Labelled(p.styles.Dim, style, label, value, p.width, 2, p.labelColumn())...)
}

func (p *page) count(n int, what string) string { return list.Count(p.words, n, what) }

func (p *page) write() {
	r := p.report
	title := p.words.Say("view.health")
	if r.Agent != "" {
		title = p.words.Say("health.of", r.Agent)
	}
	if !r.At.IsZero() {
		title += " · " + words.Moment(r.At, p.loc)
	}
	p.head(title)
	for _, t := range r.Trouble {
		p.note(p.styles.Bad, "! "+p.words.Translate(t))
	}
	p.add("")
	p.counts()
	p.charts()
	p.derived()
	p.storage()
	p.modelLines()
	p.say("health.places")
	p.fact("health.data", r.DataDir)
	p.fact("health.log", r.LogFile)
}

func (p *page) counts() {
	r := p.report
	p.say("health.overview")
	p.fact("health.memories", cells.Number(r.Memories))
	held := cells.Number(r.Held)
	if r.Held > 0 {
		held = p.words.Say("health.waiting", held)
	}
	p.fact("health.inbox", held)
	p.fact("health.messages", cells.Number(r.Messages))
	p.fact("health.sessions", cells.Number(r.Sessions))
	work := p.words.Say("health.work.none")
	if r.Jobs > 0 {
		work = p.words.Say("health.work.waiting", cells.Number(r.Jobs))
	}
	p.fact("health.work", work)
	if r.Unwiped {
		p.styled(p.styles.Warn, "health.deleting", p.words.Say("health.wiping"))
	}
	for _, said := range r.Erasing {
		style := p.styles.Text
		if r.EraseFailed {
			style = p.styles.Warn
		}
		p.styled(style, "area.erasing", said)
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
	p.head(p.words.Say("health.span", p.count(len(days), "day"), to.In(p.loc).Format(time.DateOnly)))
	all := []series{{id: "health.messages"}, {id: "life.learned"}, {id: "life.forgotten"}}
	for _, d := range days {
		for i, v := range []int{d.Messages, d.Learned, d.Forgotten} {
			all[i].values, all[i].dates = append(all[i].values, v), append(all[i].dates, d.Date)
		}
	}
	looks := []list.Styler{p.styles.Accent, p.styles.Good, p.styles.Warn}
	wide := 0
	for i, s := range all {
		p.wrap(p.styles.Text, s.words(p.words, p.loc), 2)
		if s.most() > 0 {
			bars := s.bars(room, p.ascii)
			wide = cells.Width(bars)
			p.add("  " + looks[i].Render(bars))
		}
	}
	if wide > 0 {
		p.add("  " + p.styles.Dim.Render(axis(from, to, wide, p.loc)))
		if p.ascii {
			p.wrap(p.styles.Dim, p.words.Say("health.digits"), 2)
		}
	}
	p.add("")
}

func (p *page) derived() {
	p.say("health.indexes")
	if len(p.report.Indexes) == 0 {
		p.note(p.styles.Dim, p.words.Say("health.indexes.none"))
	}
	for _, x := range p.report.Indexes {
		state := []string{p.words.Named("index.is", clean.Line(x.State))}
		if x.Total > 0 && x.Done < x.Total {
			done := p.words.Say("health.done", cells.Number(x.Done), cells.Number(x.Total), percent(x.Done, x.Total))
			state = append(state, done)
		}
		if x.Behind > 0 {
			state = append(state, p.words.Say("index.behind", p.count(int(min(x.Behind, 1<<53)), "change")))
		} else if x.State == Ready {
			state = append(state, p.words.Say("health.up-to-date"))
		}
		if x.Model != "" {
			state = append(state, p.words.Say("health.vectors", cells.Number(x.Count), clean.Line(x.Model), clean.Line(x.Endpoint)))
		}
		if x.Bytes > 0 {
			state = append(state, words.Bytes(x.Bytes))
		}
		p.labelled(p.styles.Text, p.name(x), strings.Join(state, p.words.Say("sep.comma")))
		p.labelled(p.styles.Warn, "", p.words.Translate(x.Reason))
	}
	p.add("")
}

func (p *page) storage() {
	r := p.report
	p.say("health.storage")
	stored := words.Bytes(r.StoreBytes)
	if r.FreeBytes >= 0 && r.StoreBytes > 0 {
		free := percent(int(r.FreeBytes), int(r.StoreBytes))
		stored = p.words.Say("health.size.is", stored, words.Bytes(r.FreeBytes), free)
	}
	p.fact("health.size", stored)
	b := r.Backups
	if b.Count == 0 {
		p.styled(p.styles.Warn, "area.backups", p.words.Say("health.backups.none"))
	} else {
		p.fact("area.backups", cells.Number(b.Count))
		p.fact("health.newest", p.when(b.Newest))
	}
	switch {
	case b.Off:
		p.styled(p.styles.Warn, "health.next", p.words.Say("health.backups.off"))
	case !b.Next.IsZero():
		p.fact("health.next", words.Moment(b.Next, p.loc))
	}
	if b.Failed != "" {
		p.styled(p.styles.Bad, "health.last", p.words.Say("health.backups.failed", words.Sentence(b.Failed)))
	}
	p.add("")
}

func (p *page) modelLines() {
	r := p.report
	p.say("health.the-model")
	name, at := r.Model, r.Endpoint
	if name == "" {
		name = p.words.Say("none")
	}
	if at == "" {
		at = p.words.Say("health.endpoint.none")
		for _, x := range r.Indexes {
			if x.Endpoint != "" {
				at = p.words.Say("health.endpoint.vectors", x.Endpoint)
			}
		}
	}
	p.fact("agent.name", name)
	p.fact("area.endpoint", at)
	if r.TokensIn > 0 || r.TokensOut > 0 {
		p.fact("health.tokens", p.words.Say("health.tokens.are", cells.Number(r.TokensIn), cells.Number(r.TokensOut)))
	}
	p.fact("health.cost", r.Cost)
	p.learning(r.Learning)
	p.add("")
}

// learning tells what the model did in the background.
func (p *page) learning(l Learning) {
	if l.Waiting > 0 {
		p.fact("health.learning", p.words.Say("health.learning.waiting", p.count(l.Waiting, "turn")))
	}
	if l.Answered == 0 {
		return
	}
	p.fact("life.learned", p.words.Say("health.learned", p.count(l.Learned, "change"), p.count(l.Answered, "answer")))
	p.fact("health.refused", p.count(l.Refused, "proposal"))
	if l.Unusable > 0 {
		p.styled(p.styles.Warn, "health.unusable", p.count(l.Unusable, "answer"))
	}
	if l.Failing >= learn.MaxFailing {
		p.styled(p.styles.Warn, "health.stopped", p.words.Say("health.stopped.is", l.Failing))
	}
	if l.TokensIn+l.TokensOut > 0 {
		p.fact("health.for-that", p.words.Say("health.for-that.are",
			cells.Number(l.SessionIn), cells.Number(l.SessionOut), cells.Number(l.TokensIn), cells.Number(l.TokensOut)))
	}
}

// when is a moment and how long ago that was, for what should be recent.
func (p *page) when(t time.Time) string {
	s := words.Moment(t, p.loc)
	if d := p.now.Sub(t); s != "" && d >= 24*time.Hour {
		s += p.words.Say("sep.comma") + p.words.Say("time.ago", p.count(int(d/(24*time.Hour)), "day"))
	}
	return s
}

func percent(n, of int) int {
	if of <= 0 {
		return 0
	}
	return int(float64(n) * 100 / float64(of))
}

// doings are the messages for what goes on.
var doings = map[Do]string{
	Rebuild: "health.rebuilding",
	Compact: "health.compacting",
	Backup:  "health.backing-up",
}

// status says what goes on or went wrong.
func (m *Model) status() (list.Styler, string) {
	switch {
	case m.doing != Nothing:
		return m.Styles.Accent, m.Words.Say(doings[m.doing])
	case m.bad:
		return m.Styles.Bad, m.Notice
	}
	return m.Styles.Good, m.Notice
}
