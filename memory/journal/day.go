package journal

import (
	"time"

	"memoria/memory"
)

const monthOnly = "2006-01"

// verbatimDays is how many days a message is kept word for word (J1).
const verbatimDays = 5

// dayOf names the day of a moment where the user is.
func dayOf(at time.Time, loc *time.Location) string { return at.In(loc).Format(time.DateOnly) }

// monthOf names the month that a day lies in.
func monthOf(day string) string { return day[:len(monthOnly)] }

// within returns the day of a date that is nearest to a day: a message stays in its day and
// its month when it is seen from elsewhere.
func within(day, date string) string {
	switch {
	case validDay(date):
		return date
	case !validMonth(date) || monthOf(day) == date:
		return day
	case day < date:
		return date + "-01"
	}
	first, _ := time.Parse(monthOnly, date)
	return first.AddDate(0, 1, -1).Format(time.DateOnly)
}

// validDay and validMonth say whether a date of a file is one.
func validDay(s string) bool   { _, err := time.Parse(time.DateOnly, s); return err == nil }
func validMonth(s string) bool { _, err := time.Parse(monthOnly, s); return err == nil }

// tierOf says in what kind of file a message of a day belongs today (J4): word for word up to
// five days, then one summary a day for this month and the last, then one a month. A day that
// is still to come, because a clock was set back, counts as today.
func tierOf(day, today string) memory.JournalKind {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return memory.JournalVerbatim
	}
	now, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return memory.JournalVerbatim
	}
	last := time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC)
	switch {
	case now.Sub(d) <= verbatimDays*24*time.Hour:
		return memory.JournalVerbatim
	case !d.Before(last):
		return memory.JournalDay
	}
	return memory.JournalMonth
}
