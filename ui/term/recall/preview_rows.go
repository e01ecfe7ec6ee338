package recall

import (
	"fmt"
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

func (m *Model) addPreview() {
	p := m.preview.result
	if !m.preview.typed || !m.preview.answered || p.Total == 0 && len(m.preview.passages) == 0 {
		return
	}
	found := "would recall nothing"
	if n := len(p.Chosen); n > 0 {
		found = fmt.Sprintf("would recall · %d", n)
	}
	m.Say(m.Styles.Accent.Render(fmt.Sprintf(" %s of %d · %s", found, p.Total, millis(p.Took))))
	if p.Degraded != "" {
		m.Note(m.Styles.Warn, "! "+p.Degraded)
	}
	if p.Note != "" {
		m.Dim(p.Note)
	}
	for _, s := range p.Chosen {
		m.AddRow(m.scored("would", s))
	}
	if len(p.NotChosen) > 0 {
		how := ""
		if m.Focused {
			how = " · x shows them"
			if m.preview.unused {
				how = " · x hides them"
			}
		}
		m.Dim("not used: " + reasons(p.NotChosen) + how)
		if m.preview.unused {
			for _, s := range p.NotChosen {
				r := m.scored("not", s)
				r.Lines = append(r.Lines, m.Wrapped(m.Styles.Dim, s.Why, 6)...)
				m.AddRow(r)
			}
		}
	}
	m.addPassages()
	m.Say("")
}

// addPassages shows what of the journal would go with the text, and why (J6).
func (m *Model) addPassages() {
	if len(m.preview.passages) == 0 {
		return
	}
	m.Say(m.Styles.Accent.Render(" and of the journal · " + list.Plural(len(m.preview.passages), "passage")))
	for i, h := range m.preview.passages {
		path := clean.Truncate(clean.Line(h.Path), max(8, m.Width-12), cells.Ellipsis)
		text := clean.Truncate(clean.Line(h.Text[h.From:h.To]), max(8, m.Width-8), cells.Ellipsis)
		lines := []string{
			"   " + m.Styles.Strong.Render(fmt.Sprintf("%.1f", h.Score)) + " " + m.Styles.Text.Render(path),
			"      " + m.Styles.Text.Render("“"+text+"”"),
		}
		lines = append(lines, m.Wrapped(m.Styles.Dim, words.JournalHit(h), 6)...)
		m.Add(fmt.Sprint("passage ", i), entry{passage: &h}, lines...)
	}
}

// reasons counts why candidates were left out. The text before a colon is
// the reason, after it are its figures.
func reasons(not []retrieve.Scored) string {
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
		order[i] = fmt.Sprintf("%d %s", n[why], why)
	}
	return strings.Join(order, ", ")
}

// scored is an item with the parts of its score (R8).
func (m *Model) scored(kind string, s retrieve.Scored) list.Row[entry] {
	head := m.Styles.Strong.Render(fmt.Sprintf("%.2f", s.Score)) + " " +
		m.Styles.Dim.Render(short(s.Item.Type)) + " " + m.Styles.Text.Render(clean.Line(s.Item.Content))
	lines := []string{cells.Fit("   "+head, m.Width)}
	lines = append(lines, m.Wrapped(m.Styles.Dim, Contribution(s.Contribution, s.Parts.TopicBoost), 6)...)
	return list.Row[entry]{Key: kind + s.Item.ID, Of: entry{item: s.Item}, Lines: lines}
}

// Contribution returns what each signal adds to a score, briefly.
func Contribution(c memory.Parts, topic float64) string {
	var parts []string
	for _, p := range words.ScoreParts(c, topic) {
		parts = append(parts, p.Name+"\u00a0"+strings.TrimPrefix(p.Said, "0"))
	}
	return strings.Join(parts, "  ")
}

// millis shows a short duration with two figures.
func millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}
