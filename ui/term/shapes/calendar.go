package shapes

import "time"

// Levels is the number of shades of a day on which something happened.
const Levels = 4

// Level returns the shade of n among days of which the busiest has most: 0 for nothing, and up
// to [Levels].
func Level(n, most int) int {
	if n <= 0 {
		return 0
	}
	if n >= most {
		return Levels
	}
	return 1 + (n-1)*Levels/most
}

// Week is the seven days of a column of the calendar, from Monday on. A day after the last one
// is zero.
type Week [7]time.Time

// Grid returns the weeks up to the one of last, as days of its location. Each day is the
// beginning of a calendar day, also where the clocks change.
func Grid(last time.Time, weeks int) []Week {
	last = Day(last)
	monday := Monday(last)
	out := make([]Week, max(0, weeks))
	for i := range out {
		for d := range 7 {
			if day := Add(monday, (i-len(out)+1)*7+d); !day.After(last) {
				out[i][d] = day
			}
		}
	}
	return out
}

// Day returns the beginning of the calendar day of t, in its location.
func Day(t time.Time) time.Time { return Add(t, 0) }

// Add returns the beginning of the calendar day that is n days after the one of t.
func Add(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d+n, 0, 0, 0, 0, t.Location())
}

// Monday returns the Monday of the week of t.
func Monday(t time.Time) time.Time { return Add(t, -(int(t.Weekday())+6)%7) }

// Between returns how many calendar days b is after a.
func Between(a, b time.Time) int {
	at := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(at(b).Sub(at(a)) / (24 * time.Hour))
}

// Label is a text over a column of the calendar.
type Label struct {
	Column int
	Month  time.Month
	Year   int
}

// Months returns where months begin in a grid: over the first column, and over each column with
// the first day of a month. A label that would begin within gap columns of the next one is
// left out.
func Months(weeks []Week, gap int) (out []Label) {
	for i, w := range weeks {
		for d, day := range w {
			if day.IsZero() || day.Day() != 1 && (i > 0 || d > 0) {
				continue
			}
			if n := len(out); n > 0 && i-out[n-1].Column < gap {
				out = out[:n-1]
			}
			out = append(out, Label{Column: i, Month: day.Month(), Year: day.Year()})
		}
	}
	return out
}
