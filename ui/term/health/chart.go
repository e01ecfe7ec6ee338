package health

import (
	"fmt"
	"strings"
	"time"

	"memoria/ui/term/cells"
	"memoria/ui/words"
)

// blocks are the steps of a bar.
var blocks = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// barWidth is how many cells a day takes at most.
const barWidth = 3

// series is one number a day.
type series struct {
	id     string // of the message that names it
	values []int
	dates  []time.Time // as many
}

// words say what the chart shows.
func (s series) words(w words.Words, loc *time.Location) string {
	sum, most, at := 0, 0, 0
	for i, v := range s.values {
		sum += v
		if v > most {
			most, at = v, i
		}
	}
	if most == 0 {
		return w.Say("health.chart.none", w.Say(s.id))
	}
	return w.Say("health.chart", w.Say(s.id), cells.Number(sum), cells.Number(most), s.dates[at].In(loc).Format("01-02"))
}

// most is the largest value.
func (s series) most() int {
	most := 0
	for _, v := range s.values {
		most = max(most, v)
	}
	return most
}

// step is how high v is on n steps, when most is the top one: 0 for nothing and
// at least 1 for anything.
func step(v, most, n int) int {
	if v <= 0 || most <= 0 {
		return 0
	}
	return max(1, min(n, (v*n+most/2)/most))
}

// bars draws a series in at most w cells, one to barWidth a day.
func (s series) bars(w int, ascii bool) string {
	if len(s.values) == 0 {
		return ""
	}
	each := min(barWidth, max(1, w/len(s.values)))
	most := s.most()
	var b strings.Builder
	for _, v := range s.values {
		b.WriteString(bar(v, most, each, ascii))
	}
	return b.String()
}

// bar is one day of a chart.
func bar(v, most, width int, ascii bool) string {
	switch {
	case ascii && v <= 0:
		return strings.Repeat(".", width)
	case ascii && most <= 9: // the number itself
		return strings.Repeat(" ", width-1) + fmt.Sprint(v)
	case ascii:
		return strings.Repeat(" ", width-1) + fmt.Sprint(step(v, most, 9))
	case v <= 0:
		return strings.Repeat(" ", width)
	}
	return strings.Repeat(blocks[step(v, most, len(blocks))-1], width)
}

// axis writes the first and the last date under bars of w cells.
func axis(from, to time.Time, w int, loc *time.Location) string {
	a, b := from.In(loc).Format("01-02"), to.In(loc).Format("01-02")
	if from.Equal(to) || w < len(a)+1+len(b) {
		return b
	}
	return a + strings.Repeat(" ", w-len(a)-len(b)) + b
}
