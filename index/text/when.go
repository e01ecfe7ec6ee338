package text

import (
	"sync"
	"time"
)

// When is a time named by words.
type When struct {
	// Start and End are the bytes of the words.
	Start, End int
	// From is its first moment and To the first one after it. One of them is zero for
	// an open side.
	From, To time.Time
	// Yearless says that the year or the week was guessed.
	Yearless bool
}

// Resolve finds the first time that words name, relative to the moment said: "next
// month", "in two years", "on Friday", 下周三, 去年. With ahead the words concern the
// future, as a plan does: then a Friday or March is the next one, else the last. It
// reads the forms of [Dates], and future times. Seasons are those of the northern
// hemisphere.
func Resolve(words string, said time.Time, loc *time.Location, ahead bool) (When, bool) {
	c := calendar{said.In(loc)}
	if y := c.now.Year(); y < firstYear+1 || y > lastYear-10 {
		return When{}, false
	}
	rules := aroundRules()
	if ahead {
		rules = aheadRules()
	}
	q := newDated(words)
	for _, p := range q.phrases(c, rules) {
		_, word := q.lead(p.start)
		if p.weak && word == "" {
			continue
		}
		w := When{From: p.from, To: p.to, Yearless: p.yearless || p.weak}
		switch word {
		case "since", "after", "from", "自", "自从", "从":
			w.To = time.Time{}
		case "before":
			w.From, w.To = time.Time{}, p.from
		case "until", "till", "by", "up to":
			w.From = time.Time{}
		}
		w.Start, w.End = q.from[p.start], q.to[p.end-1]
		return w, true
	}
	return When{}, false
}

// aheadRules prefer the future; aroundRules read it only from explicit words.
var (
	aheadRules = sync.OnceValue(func() []dateRule {
		all := readRules(futureDates, comingDates)
		for _, r := range dateRules() {
			if !r.yearless {
				all = append(all, r)
			}
		}
		return all
	})
	aroundRules = sync.OnceValue(func() []dateRule { return append(readRules(futureDates), dateRules()...) })
)

// String formats the time in English: "December 2026", "27 November 2026".
func (w When) String() string { return w.label("2 January 2006", "January 2006", "2006", " to ") }

// Chinese formats the time in Chinese: 2026年12月.
func (w When) Chinese() string { return w.label("2006年1月2日", "2006年1月", "2006年", "至") }

// ISO formats the time as dates: 2026-12, 2026-11-27, 2026-11-23/2026-11-29.
func (w When) ISO() string { return w.label(time.DateOnly, "2006-01", "2006", "/") }

func (w When) label(day, month, year, to string) string {
	from, end := w.From, w.To
	switch {
	case from.IsZero() && end.IsZero():
		return ""
	case from.IsZero():
		return end.Add(-time.Nanosecond).Format(day)
	case end.IsZero():
		return from.Format(day)
	}
	last := end.Add(-time.Nanosecond)
	midnight := from.Equal(calendar{from}.day(0).from) && end.Equal(calendar{end}.day(0).from)
	switch {
	case !midnight || from.Format(time.DateOnly) == last.Format(time.DateOnly):
		return from.Format(day)
	case from.Day() == 1 && from.YearDay() == 1 && end.Equal(calendar{from}.year(1).from):
		return from.Format(year)
	case from.Day() == 1 && end.Equal(calendar{from}.month(1).from):
		return from.Format(month)
	}
	return from.Format(day) + to + last.Format(day)
}

// ahead returns the time n units from now: a day, or the whole week, month or year.
func (c calendar) ahead(unit string, n int) (period, bool) {
	switch unit {
	case "day":
		return c.day(n), n > 0
	case "week":
		return c.week(n), n > 0
	case "month":
		return c.month(n), n > 0
	case "year":
		return c.year(n), n > 0
	}
	return period{}, false
}

// coming returns the next month of that name that has not ended.
func (c calendar) coming(m time.Month) period {
	y := c.now.Year()
	if m < c.now.Month() {
		y++
	}
	return c.monthOf(y, m)
}

// comingDay returns the next such day, today included.
func (c calendar) comingDay(m time.Month, d int) (p period, ok bool) {
	for y := c.now.Year(); y < c.now.Year()+9; y++ {
		if p, ok = c.dayOf(y, m, d); ok && p.to.After(c.now) {
			return p, true
		}
	}
	return p, false
}

func comingWeekend(c calendar, _ []string) (period, bool) { return c.weekend(0), true }

// comingDate returns the next such day of a month, today included.
func (c calendar) comingDate(d int) (p period, ok bool) {
	for n := range 12 {
		m := c.month(n).from
		if p, ok = c.dayOf(m.Year(), m.Month(), d); ok && p.to.After(c.now) {
			return p, true
		}
	}
	return p, false
}

// nextDay returns the next such day of the week after today.
func (c calendar) nextDay(w time.Weekday) period {
	return c.day((int(w)-int(c.now.Weekday())+6)%7 + 1)
}

var seasons = map[string]time.Month{
	"spring": time.March, "summer": time.June, "autumn": time.September, "fall": time.September, "winter": time.December,
	"春": time.March, "夏": time.June, "秋": time.September, "冬": time.December,
}

// season returns the current or next season of that name; skip excludes the current
// one.
func (c calendar) season(name string, skip bool) period {
	first := seasons[name]
	for y := c.now.Year() - 1; ; y++ {
		p := period{c.date(y, first, 1), c.date(y, first+3, 1)}
		if p.to.After(c.now) && !(skip && !p.from.After(c.now)) {
			return p
		}
	}
}

// nextWeekday reads the day of next week that the first part names.
func nextWeekday(c calendar, p []string) (period, bool) {
	return c.inWeek(1, englishWeekday(p[1])), true
}

func aheadEnglish(c calendar, p []string) (period, bool) {
	_, n := englishCount(p[1])
	return c.ahead(p[2], n)
}

// futureDates are explicitly in the future.
var futureDates = []dateForm{
	{form: `\b((?:the +)?day +after +tomorrow|tomorrow)\b`, read: func(c calendar, p []string) (period, bool) {
		if p[1] == "tomorrow" {
			return c.day(1), true
		}
		return c.day(2), true
	}},
	{form: `\b(?:next|(?:the +)?coming) +(week|month|year|weekend)\b`, read: func(c calendar, p []string) (period, bool) {
		if p[1] == "weekend" {
			return c.weekend(1), true
		}
		return c.ahead(p[1], 1)
	}},
	{form: `\b(?:the +)?(week|month|year) +after +next\b`, read: func(c calendar, p []string) (period, bool) { return c.ahead(p[1], 2) }},
	{form: `\b(?:end +of +(?:the|this)|later +this) +(week|month|year)\b`, read: func(c calendar, p []string) (period, bool) {
		p0, ok := c.ahead(p[1], 1)
		return period{c.day(0).from, p0.from}, ok
	}},
	{form: `\b(?:in|within) +(?:about +|the +next +)?COUNT +UNIT(?:'s?)?(?: +time)?\b`, read: aheadEnglish},
	{form: `\bCOUNT +UNIT +from +now\b`, read: aheadEnglish},
	{form: `\bnext +WEEKDAY\b`, read: nextWeekday},
	{form: `\bWEEKDAY +(?:of +)?next +week\b`, read: nextWeekday},
	{form: `\bnext +MONTH\b`, read: func(c calendar, p []string) (period, bool) {
		m := englishMonth(p[1])
		if m == c.now.Month() {
			return c.monthOf(c.now.Year()+1, m), true
		}
		return c.coming(m), true
	}},
	{form: `\bnext +(spring|summer|autumn|fall|winter)\b`, read: func(c calendar, p []string) (period, bool) {
		return c.season(p[1], true), true
	}},
	{form: `(大后|明|后)(?:天|日|早|晚)`, notAfter: "今聪文说声", read: func(c calendar, p []string) (period, bool) {
		return c.day(map[string]int{"明": 1, "后": 2, "大后": 3}[p[1]]), true
	}},
	{form: `(下下|下)(?:个)?周([一二三四五六日天1-7]|末)?`, notAfter: "一以之", read: func(c calendar, p []string) (period, bool) {
		n := len([]rune(p[1]))
		switch p[2] {
		case "":
			return c.week(n), true
		case "末":
			return c.weekend(n), true
		}
		return c.inWeek(n, chineseWeekday(p[2])), true
	}},
	{form: `(下下|下)(?:个)?月份?(?:的?数[日号])?`, notAfter: "以之", read: func(c calendar, p []string) (period, bool) {
		m := c.month(len([]rune(p[1])))
		if p[2] == "" {
			return m, true
		}
		return c.dayOf(m.from.Year(), m.from.Month(), chineseCount(p[2]))
	}},
	{form: `(明|后)年的?(?:数月份?(?:数[日号])?)?`, notAfter: "以之", read: func(c calendar, p []string) (period, bool) {
		return inYear(c, c.now.Year()+map[string]int{"明": 1, "后": 2}[p[1]], p[2], p[3])
	}},
	{form: `(?:明年)的?([春夏秋冬])(?:天|季)`, read: func(c calendar, p []string) (period, bool) {
		m := seasons[p[1]]
		return period{c.date(c.now.Year()+1, m, 1), c.date(c.now.Year()+1, m+3, 1)}, true
	}},
	{form: `(?:今)?(年|月)底`, notAfter: "去前明后上下每", read: func(c calendar, p []string) (period, bool) {
		if p[1] == "年" {
			return c.monthOf(c.now.Year(), time.December), true
		}
		return c.month(0), true
	}},
	{form: `明年底`, read: func(c calendar, _ []string) (period, bool) { return c.monthOf(c.now.Year()+1, time.December), true }},
	{form: `量(天|日|周|星期|礼拜|个月|年|个周|个星期|个礼拜)(?:之|以)?(?:后|内)`, read: func(c calendar, p []string) (period, bool) {
		n := fewHigh
		if p[1] != "几" {
			n = chineseCount(p[1])
		}
		return c.ahead(chineseUnits[unitName(p[2])], n)
	}},
	{form: `量(?:个)?周(?:之|以)?后的?周([一二三四五六日天])`, read: func(c calendar, p []string) (period, bool) {
		return c.inWeek(chineseCount(p[1]), chineseWeekday(p[2])), p[1] != "几"
	}},
	{form: `\bthe +(?:ORD|first)(?: +day)? +of +next +month\b`, read: func(c calendar, p []string) (period, bool) {
		m := c.month(1).from
		return c.dayOf(m.Year(), m.Month(), max(number(p[1]), 1))
	}},
	{form: `半年(?:之|以)?(?:后|内)`, read: func(c calendar, _ []string) (period, bool) { return c.ahead("month", 6) }},
}

// comingDates are ambiguous; about the future, they mean the next one.
var comingDates = []dateForm{
	{form: `\bWEEKDAY\b`, read: func(c calendar, p []string) (period, bool) { return c.nextDay(englishWeekday(p[1])), true }},
	{form: `\bMONTH\b`, weak: true, read: func(c calendar, p []string) (period, bool) { return c.coming(englishMonth(p[1])), true }},
	{form: `\bORD +(?:of +)?MON\b`, read: func(c calendar, p []string) (period, bool) {
		return c.comingDay(englishMonth(p[2]), number(p[1]))
	}},
	{form: `\bMON +ORD\b`, read: func(c calendar, p []string) (period, bool) { return c.comingDay(englishMonth(p[1]), number(p[2])) }},
	{form: `\b(?:this +|the +)?(spring|summer|autumn|fall|winter)\b`, read: func(c calendar, p []string) (period, bool) {
		return c.season(p[1], false), true
	}},
	{form: `(五一|国庆节?|元旦|圣诞节?)`, notAfter: "初周第", read: func(c calendar, p []string) (period, bool) {
		day := map[string][2]int{"五": {5, 1}, "国": {10, 1}, "元": {1, 1}, "圣": {12, 25}}[string([]rune(p[1])[:1])]
		return c.comingDay(time.Month(day[0]), day[1])
	}},
	{form: `\bchristmas\b`, read: func(c calendar, _ []string) (period, bool) { return c.comingDay(time.December, 25) }},
	{form: `周([一二三四五六日天])`, notAfter: "一二两三四五六七八九十0123456789几每上这本下个半周", read: func(c calendar, p []string) (period, bool) {
		return c.nextDay(chineseWeekday(p[1])), true
	}},
	{form: `\b(?:on|at|over|for|during) +the +weekend\b`, read: comingWeekend},
	{form: `周末`, notAfter: "每上这本下个一以过", read: comingWeekend},
	{
		form: `\b(?:on|by|until) +the +([0-9]{1,2})(?:st|nd|rd|th)(?: +(?:at|in +the|around)\b|[,.;!?)]|$)`,
		read: func(c calendar, p []string) (period, bool) { return c.comingDate(number(p[1])) },
	},
	{
		form: `数号(?:[上下]午|中午|晚|早|之?前|以前|了|要|去|跟|和|到|有|出发|$)`, notAfter: "月",
		read: func(c calendar, p []string) (period, bool) { return c.comingDate(chineseCount(p[1])) },
	},
	{form: `数月数[日号]`, read: func(c calendar, p []string) (period, bool) {
		return c.comingDay(time.Month(chineseCount(p[1])), chineseCount(p[2]))
	}},
	{form: `数月份?`, notAfter: "一二两三四五六七八九十几", read: func(c calendar, p []string) (period, bool) {
		m := time.Month(chineseCount(p[1]))
		return c.coming(m), m >= 1 && m <= 12
	}},
	{form: `下半年`, read: func(c calendar, _ []string) (period, bool) {
		return period{c.date(c.now.Year(), time.July, 1), c.date(c.now.Year()+1, time.January, 1)}, true
	}},
}
