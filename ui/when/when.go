package when

import "time"

const (
	day    = "2006-01-02"
	minute = "2006-01-02 15:04"
)

// Span writes the time from one moment up to, not with, another, as loc has it: a
// whole day, month or year as such, other days with the last one named. A zero
// moment is open; two are "".
func Span(from, to time.Time, loc *time.Location) string {
	from, to = at(from, loc), at(to, loc)
	switch {
	case from.IsZero() && to.IsZero():
		return ""
	case to.IsZero():
		return "since " + moment(from)
	case from.IsZero():
		return "before " + moment(to)
	case !midnight(from) || !midnight(to):
		if from.Format(day) == to.Format(day) {
			return from.Format(minute) + " to " + to.Format("15:04")
		}
		return moment(from) + " to " + moment(to)
	}
	first := from.Day() == 1
	switch {
	case first && from.Month() == 1 && to.Equal(from.AddDate(1, 0, 0)):
		return from.Format("2006")
	case first && to.Equal(from.AddDate(0, 1, 0)):
		return from.Format("2006-01")
	case to.Equal(from.AddDate(0, 0, 1)):
		return from.Format(day)
	}
	return from.Format(day) + " to " + to.AddDate(0, 0, -1).Format(day)
}

func at(t time.Time, loc *time.Location) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(loc)
}

func midnight(t time.Time) bool {
	return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0
}

func moment(t time.Time) string {
	if midnight(t) {
		return t.Format(day)
	}
	return t.Format(minute)
}
