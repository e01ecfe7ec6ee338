package journal

import (
	"time"

	"memoria/memory"
)

const monthOnly = "2006-01"

// verbatimDays is the number of days that messages are kept verbatim (J1).
const verbatimDays = 5

// dayOf returns the local day of a moment.
func dayOf(at time.Time, loc *time.Location) string { return at.In(loc).Format(time.DateOnly) }

// monthOf returns the month of a day.
func monthOf(day string) string { return day[:len(monthOnly)] }

// within clamps a day to a date, so that a message stays in its day and month when the
// user's time zone changes.
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

// validDay and validMonth report whether a file's date is valid.
func validDay(s string) bool   { _, err := time.Parse(time.DateOnly, s); return err == nil }
func validMonth(s string) bool { _, err := time.Parse(monthOnly, s); return err == nil }

// tierOf returns the kind of file for a message of a day (J4): verbatim up to five days, then
// daily summaries for this month and the last, then monthly ones. A future day, after a clock
// was set back, counts as today.
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
