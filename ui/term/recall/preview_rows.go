package recall

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memoria/memory"
	"memoria/memory/journal"
	"memoria/memory/retrieve"
	"memoria/ui/clean"
	"memoria/ui/term/cells"
	"memoria/ui/term/list"
	"memoria/ui/words"
)

// preview is what the typed text would recall.
type preview struct {
	typed    bool // there is a text
	result   retrieve.Result
	passages []journal.Hit // of the journal, that would go with the text
	answered bool          // result is an answer
	unused   bool          // candidates that were not chosen are shown
}

// SetTyping says whether there is a text whose memories could be previewed.
func (m *Model) SetTyping(on bool) {
	if on == m.preview.typed {
		return
	}
	if m.preview.typed = on; !on {
		m.preview = preview{}
	}
	m.List.Loose()
	m.Build()
}

// SetPreview shows what the typed text would recall, and which passages of the journal would
// go with it.
func (m *Model) SetPreview(r retrieve.Result, passages ...journal.Hit) {
	m.preview.result, m.preview.passages, m.preview.answered = r, passages, true
	m.Build()
}

// Recalls is the number of memories that the text being typed would recall.
func (m *Model) Recalls() int { return len(m.preview.result.Chosen) }

func (m scores) addPreview() {
	p := m.preview.result
	if !m.preview.typed || !m.preview.answered || p.Total == 0 && len(m.preview.passages) == 0 {
		return
	}
	total := cells.Number(max(len(p.Chosen), p.Total-m.inactive)) // as the list of all counts them
	head := m.Words.Say("recall.typed.none", total)
	if n := len(p.Chosen); n > 0 {
		head = m.Words.Say("recall.typed", n, total)
	}
	if m.numbers {
		head += " · " + millis(p.Took)
	}
	m.Head(head)
	if p.Degraded != "" {
		m.Note(m.Styles.Warn, "! "+m.Words.Translate(p.Degraded))
	}
	if p.Note != "" {
		m.Dim(m.Words.Translate(p.Note))
	}
	m.addScored("would", p.Chosen, p.Keywords)
	if len(p.NotChosen) > 0 {
		unused := m.Words.Say("recall.not-used", m.unusedBecause(p.NotChosen))
		switch {
		case !m.Focused:
		case m.preview.unused:
			unused += " · " + m.Words.Say("recall.unused.hide")
		default:
			unused += " · " + m.Words.Say("recall.unused.show")
		}
		m.Dim(unused)
		if m.preview.unused {
			for _, s := range best(p.NotChosen) {
				r := m.scored("not", s, words.FullScore, nil)
				r.Lines = append(r.Lines, m.Wrapped(m.Styles.Dim, m.Words.Translate(s.Why), 6)...)
				r.Chosen = nil
				m.AddRow(r)
			}
		}
	}
	m.addPassages()
	m.Say("")
}

// addPassages shows what of the journal would go with the text, and why (J6).
func (m scores) addPassages() {
	if len(m.preview.passages) == 0 {
		return
	}
	m.Head(m.Words.Say("recall.passages", len(m.preview.passages)))
	for i, h := range m.preview.passages {
		text := clean.Truncate(clean.Line(h.Text[h.From:h.To]), max(8, m.Width-6), cells.Ellipsis)
		why := m.Words.Say("because", m.Words.TheWords(h.Words))
		if m.numbers {
			why = m.Words.JournalHit(h)
		}
		lines := []string{"   " + m.Styles.Text.Render("“"+text+"”")}
		why = clean.Truncate(clean.Line(why+" · "+path.Base(h.Path)), max(8, m.Width-7), cells.Ellipsis)
		lines = append(lines, "      "+m.Styles.Dim.Render(why))
		m.Add(fmt.Sprint("passage ", i), entry{passage: &h}, lines...)
	}
}

// unusedBecause counts why candidates were left out. In a reason, what follows a colon are
// its figures.
func (m scores) unusedBecause(not []retrieve.Scored) string {
	var order []string
	n := map[string]int{}
	for _, s := range not {
		why, _, _ := strings.Cut(clean.Line(s.Why), ":")
		if n[why] == 0 {
			order = append(order, why)
		}
		n[why]++
	}
	for i, why := range order {
		order[i] = m.Words.Say("recall.unused.count", n[why], words.Sentence(why))
	}
	return m.Words.List(order)
}

// BarWidth is the width of a memory's bar in a pane of some width.
func BarWidth(width int) int { return min(max(width/6, 8), 16) }

// roomy is the height of a pane from which the reasons have lines of their own.
const roomy = 24

// scored is a memory with the bar of its score (R8). whole is the sum that fills the bar.
// Under the cursor, the whole sentence and the reasons are shown.
func (m scores) scored(kind string, s retrieve.Scored, whole float64, keywords []string) list.Row[entry] {
	bar, wide := BarWidth(m.Width), len(indent)
	shape := words.ScoreShape(s.Contribution, s.Parts)
	left := indent + m.Styles.Bar(shape, m.Styles.ScoreInks(), whole, bar) + " "
	wide += bar + 1
	if m.numbers {
		number := fmt.Sprintf("%.2f ", s.Score)
		left += m.Styles.Strong.Render(number)
		wide += cells.Width(number)
	}
	said := clean.Line(s.Item.Content)
	age := ""
	if said := m.Words.Age(m.Now, s.Item.CreatedAt); said != "" {
		age = " " + said + " "
	}
	room := m.Width - wide - cells.Width(age)
	reasons := m.Words.Reasons(s.Item, s.Contribution, s.Parts, keywords)
	short, fits := cells.Width(said) <= room, 0 // reasons that fit beside the sentence
	line, rest := m.Styles.Text.Render(said), room-cells.Width(said)
	for why := " · "; fits < len(reasons); fits, why = fits+1, m.Words.Say("sep.comma") {
		why += reasons[fits]
		if rest -= cells.Width(why); rest < 0 {
			break
		}
		line += m.Styles.Dim.Render(why)
	}
	lines := []string{cells.Spread(left+line, m.Styles.Dim.Render(age), m.Width)}
	var more []string
	if !short {
		more = m.Wrapped(m.Styles.Text, said, 6)
	}
	var because []string
	if fits < len(reasons) && keywords != nil {
		because = m.Wrapped(m.Styles.Dim, m.Words.Because(s.Item, s.Contribution, s.Parts, keywords, s.Why), 6)
	}
	var numbers []string
	if m.numbers {
		parts := strings.Split(Contribution(m.Words, s.Contribution, s.Parts.TopicBoost), between)
		numbers = list.Joined(m.Styles.Dim, parts, between, m.Width, 6)
	}
	r := list.Row[entry]{
		Key: kind + s.Item.ID, Of: entry{item: &s.Item}, Lead: wide,
		Lines: slices.Concat(lines, numbers), Chosen: slices.Concat(lines, more, because, numbers),
	}
	if m.Height >= roomy {
		if fits > 0 { // the others wait for the cursor
			because = nil
		}
		r.Lines = slices.Concat(lines, because, numbers)
	}
	return r
}

// indent is the room for the cursor.
const indent = "   "

// Contribution returns what each signal adds to a score, briefly.
func Contribution(w words.Pictures, c memory.Parts, topic float64) string {
	var parts []string
	for _, p := range w.ScoreParts(c, topic) {
		parts = append(parts, p.Name+"\u00a0"+strings.TrimPrefix(p.Said, "0"))
	}
	return strings.Join(parts, between)
}

// between is between the signals of a score.
const between = "  "

// millis shows a short duration with two figures.
func millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}
