package text

import (
	"strings"
	"time"
)

var monthNames = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

func englishMonth(name string) time.Month {
	for i, m := range monthNames {
		if strings.HasPrefix(name, m) {
			return time.Month(i + 1)
		}
	}
	return 0
}

func englishWeekday(name string) time.Weekday {
	for w := time.Sunday; w <= time.Saturday; w++ {
		if strings.EqualFold(w.String(), name) {
			return w
		}
	}
	return 0
}

var englishCounts = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}

// The range of "a few".
const (
	fewLow  = 2
	fewHigh = 6
)

// englishCount reads a count; "a few" is a range.
func englishCount(s string) (lo, hi int) {
	switch n := englishCounts[s]; {
	case n > 0:
		return n, n
	case strings.Contains(s, "couple"):
		return 2, 2
	case strings.Contains(s, "few"), s == "several":
		return fewLow, fewHigh
	}
	n := number(s)
	return n, n
}

// back returns the offset of "last" and "this".
func back(word string) int {
	if word == "this" {
		return 0
	}
	return -1
}

var englishDates = []dateForm{
	{form: `\b(the +day +before +yesterday|day +before +yesterday|yesterday|today)\b`, read: func(c calendar, p []string) (period, bool) {
		switch p[1] {
		case "today":
			return c.day(0), true
		case "yesterday":
			return c.day(-1), true
		}
		return c.day(-2), true
	}},
	{form: `\b(last +night|tonight|this +morning|this +afternoon|this +evening)\b`, read: func(c calendar, p []string) (period, bool) {
		day, part := c.day(0).from, p[1][strings.LastIndexByte(p[1], ' ')+1:]
		if part == "tonight" {
			part = "night"
		} else if part == "night" {
			day = c.day(-1).from
		}
		return c.hours(day, dayParts[part]), true
	}},
	{form: `\b(last|this|previous) +(week|month|year|weekend)\b`, read: func(c calendar, p []string) (period, bool) {
		n := back(p[1])
		switch p[2] {
		case "weekend":
			return c.weekend(n), true
		case "week":
			return c.week(n), true
		case "month":
			return c.month(n), true
		}
		return c.year(n), true
	}},
	{form: `\b(?:the +)?(week|month|year) +before +last\b`, read: func(c calendar, p []string) (period, bool) { return c.ago(p[1], 2, 2) }},
	{form: `\bpast +(week|month|year|day)\b`, read: func(c calendar, p []string) (period, bool) { return c.past(p[1], 1) }},
	{form: `\b(?:last|past|previous) +COUNT +UNIT\b`, read: func(c calendar, p []string) (period, bool) {
		_, n := englishCount(p[1])
		return c.past(p[2], n)
	}},
	{form: `\bCOUNT +UNIT +ago\b`, read: func(c calendar, p []string) (period, bool) {
		lo, hi := englishCount(p[1])
		return c.ago(p[2], lo, hi)
	}},
	{form: `\b(last|this) +WEEKDAY\b`, read: func(c calendar, p []string) (period, bool) {
		if p[1] == "this" {
			return c.inWeek(0, englishWeekday(p[2])), true
		}
		return c.weekday(englishWeekday(p[2]), false), true
	}},
	{form: `\bWEEKDAY +(?:of +)?(last|this) +week\b`, read: func(c calendar, p []string) (period, bool) {
		return c.inWeek(back(p[2]), englishWeekday(p[1])), true
	}},
	{form: `\bWEEKDAY\b`, weak: true, read: func(c calendar, p []string) (period, bool) {
		return c.weekday(englishWeekday(p[1]), true), true
	}},
	{form: `\b(last|this) +MONTH\b`, read: func(c calendar, p []string) (period, bool) {
		if p[1] == "this" {
			return c.monthOf(c.now.Year(), englishMonth(p[2])), true
		}
		return c.ended(englishMonth(p[2])), true
	}},
	{form: `\bMONTH +(?:of +)?(last|this) +year\b`, read: func(c calendar, p []string) (period, bool) {
		return c.monthOf(c.now.Year()+back(p[2]), englishMonth(p[1])), true
	}},
	{form: `\b(last|this) +year +in +MONTH\b`, read: func(c calendar, p []string) (period, bool) {
		return c.monthOf(c.now.Year()+back(p[1]), englishMonth(p[2])), true
	}},
	{form: `\bMON,? +(?:of +)?YEAR\b`, read: func(c calendar, p []string) (period, bool) {
		return c.monthOf(number(p[2]), englishMonth(p[1])), true
	}},
	{form: `\bMONTH\b`, weak: true, yearless: true, read: func(c calendar, p []string) (period, bool) {
		return c.begun(englishMonth(p[1])), true
	}},
	{form: `\bORD +(?:of +)?MON,? +YEAR\b`, read: func(c calendar, p []string) (period, bool) {
		return c.dayOf(number(p[3]), englishMonth(p[2]), number(p[1]))
	}},
	{form: `\bMON +ORD,? +YEAR\b`, read: func(c calendar, p []string) (period, bool) {
		return c.dayOf(number(p[3]), englishMonth(p[1]), number(p[2]))
	}},
	{form: `\bORD +(?:of +)?MON\b`, yearless: true, read: func(c calendar, p []string) (period, bool) {
		return c.dayOfAnyYear(englishMonth(p[2]), number(p[1]))
	}},
	{form: `\bMON +ORD\b`, yearless: true, read: func(c calendar, p []string) (period, bool) {
		return c.dayOfAnyYear(englishMonth(p[1]), number(p[2]))
	}},
}
