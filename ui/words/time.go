package words

import (
	"fmt"
	"strings"
	"time"
)

const (
	day    = 24 * time.Hour
	date   = time.DateOnly
	minute = "2006-01-02 15:04"
)

// Moment writes a time to the minute, as seen in loc: "2026-01-28 12:00"; "" for the zero time.
func Moment(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(loc).Format(minute)
}

// Day writes the date of a time, as seen in loc; "" for the zero time.
func Day(t time.Time, loc *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(loc).Format(date)
}

// Ago says how long before now t was: "just now", "3 hours ago"; after a month its date.
// An unknown time is just now.
func (l Language) Ago(now, t time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero(), now.IsZero(), d < time.Minute:
		return l.Say("time.now")
	case d < time.Hour:
		return l.Say("time.ago", l.Count(int(d/time.Minute), "minute"))
	case d < day:
		return l.Say("time.ago", l.Count(int(d/time.Hour), "hour"))
	case d < 30*day:
		return l.Say("time.ago", l.Count(int(d/day), "day"))
	}
	return l.Say("time.on", Day(t, now.Location()))
}

// Age is [Ago] in at most four cells: "now", "3h", "12d"; "" when a time is unknown.
func (l Language) Age(now, t time.Time) string {
	if t.IsZero() || now.IsZero() {
		return ""
	}
	switch d := now.Sub(t); {
	case d < time.Minute:
		return l.Say("time.age.now")
	case d < time.Hour:
		return l.Say("time.age.minutes", d/time.Minute)
	case d < day:
		return l.Say("time.age.hours", d/time.Hour)
	case l == Chinese && d >= 30*day && d < 365*day: // three digits and 天 would be five cells
		return l.Say("time.age.months", min(d/(30*day), 11))
	case d < 365*day:
		return l.Say("time.age.days", d/day)
	default:
		return l.Say("time.age.years", d/(365*day))
	}
}

// Seconds writes a duration: "420 milliseconds", "1.5 seconds".
func (l Language) Seconds(d time.Duration) string {
	if d < time.Second {
		return l.Count(int(d.Milliseconds()), "millisecond")
	}
	return l.Say("time.seconds", strings.TrimSuffix(fmt.Sprintf("%.1f", d.Seconds()), ".0"))
}

// Left writes how long an offer is still open, in whole seconds: an offer of ten seconds
// that took a moment to appear is still one of ten.
func (l Language) Left(now, until time.Time) string {
	return l.Seconds((until.Sub(now) + time.Second - 1).Truncate(time.Second))
}

// Pause writes how long a conversation was silent: in minutes below two hours, in hours
// below two days.
func (l Language) Pause(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return l.Count(int(d/time.Second), "second")
	case d < 2*time.Hour:
		return l.Count(int(d/time.Minute), "minute")
	case d < 2*day:
		return l.Count(int(d/time.Hour), "hour")
	}
	return l.Count(int(d/day), "day")
}

// Span writes the time from one moment up to, but not including, another, as seen in loc:
// a whole day, month or year as such, other spans with their last day. A zero moment is
// open; two of them are "".
func (l Language) Span(from, to time.Time, loc *time.Location) string {
	from, to = at(from, loc), at(to, loc)
	switch {
	case from.IsZero() && to.IsZero():
		return ""
	case to.IsZero():
		return l.Say("time.since", moment(from))
	case from.IsZero():
		return l.Say("time.before", moment(to))
	case !midnight(from) || !midnight(to):
		if from.Format(date) == to.Format(date) {
			return l.Say("time.to", from.Format(minute), to.Format("15:04"))
		}
		return l.Say("time.to", moment(from), moment(to))
	}
	first := from.Day() == 1
	switch {
	case first && from.Month() == 1 && to.Equal(from.AddDate(1, 0, 0)):
		return from.Format("2006")
	case first && to.Equal(from.AddDate(0, 1, 0)):
		return from.Format("2006-01")
	case to.Equal(from.AddDate(0, 0, 1)):
		return from.Format(date)
	}
	return l.Say("time.to", from.Format(date), to.AddDate(0, 0, -1).Format(date))
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
		return t.Format(date)
	}
	return t.Format(minute)
}
