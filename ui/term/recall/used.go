package recall

import (
	"cmp"
	"slices"

	"memoria/memory"
	"memoria/memory/retrieve"
	"memoria/ui/term/theme"
	"memoria/ui/words"
)

// Answered is what was used for the answer that is shown.
type Answered struct {
	Turn     string // "" for no answer
	Keywords []string
	Chosen   []retrieve.Scored
}

// NewAnswered returns what a turn used of the memories that still exist.
func NewAnswered(p memory.Package, items map[string]memory.Item) Answered {
	a := Answered{Turn: p.TurnID, Keywords: p.Keywords}
	for _, u := range p.Used {
		if it, ok := items[u.ItemID]; ok && u.Chosen {
			a.Chosen = append(a.Chosen, retrieve.Scored{Item: it, Score: u.Score, Parts: u.Parts, Contribution: u.Contribution, Why: u.Why})
		}
	}
	return a
}

// SetAnswered shows what was used for the answer, until the next message is typed.
func (m *Model) SetAnswered(a Answered) {
	m.answered = a
	m.Build()
}

// scores are the sections of memories with bars.
type scores struct{ *Model }

// shown reports whether there are bars, or passages with figures, in the list.
func (m scores) shown() bool {
	switch {
	case m.only == partAll, m.filter != "", !m.day.IsZero():
		return false
	case m.preview.typed:
		return len(m.preview.result.Chosen) > 0 || len(m.preview.passages) > 0 || m.leaveOut()
	}
	return len(m.answered.Chosen) > 0
}

// leaveOut reports whether the preview has memories that would not be used.
func (m scores) leaveOut() bool {
	return m.only != partAll && m.preview.typed && m.preview.answered && len(m.preview.result.NotChosen) > 0
}

func (m scores) addUsed() {
	a := m.answered
	if m.preview.typed || len(a.Chosen) == 0 {
		return
	}
	m.Head(m.Words.Say("recall.used", len(a.Chosen)))
	m.addScored("used", a.Chosen, a.Keywords)
	m.Say("")
}

// addScored adds memories with the bars of their scores, the highest first, and the legend.
func (m scores) addScored(kind string, scored []retrieve.Scored, keywords []string) {
	scored = best(scored)
	whole := words.FullScore
	var shapes [][]float64
	for _, s := range scored {
		shape := words.ScoreShape(s.Contribution, s.Parts)
		shapes, whole = append(shapes, shape), max(whole, sum(shape))
	}
	for _, s := range scored {
		m.AddRow(m.scored(kind, s, whole, keywords))
	}
	if legend := Legend(m.Words, m.Styles, shapes, m.Width); len(legend) > 0 {
		m.Say(legend...)
	}
}

func sum(shape []float64) (total float64) {
	for _, part := range shape {
		total += part
	}
	return total
}

// Legend names the parts that bars of scores show.
func Legend(w words.Pictures, s theme.Styles, bars [][]float64, width int) []string {
	const visible = 0.001
	names := w.ScoreNames()
	for i := range names {
		if !slices.ContainsFunc(bars, func(bar []float64) bool { return bar[i] >= visible }) {
			names[i] = ""
		}
	}
	return s.Legend(s.ScoreInks(), names, width)
}

// best returns memories by their scores, the highest first.
func best(scored []retrieve.Scored) []retrieve.Scored {
	return slices.SortedStableFunc(slices.Values(scored), func(a, b retrieve.Scored) int { return cmp.Compare(b.Score, a.Score) })
}
