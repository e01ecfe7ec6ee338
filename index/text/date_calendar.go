package text

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

// calendar computes days, weeks, months and years relative to the moment of asking.
type calendar struct{ now time.Time }

func (c calendar) date(y int, m time.Month, d int) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, c.now.Location())
}

// after returns the start of the day n days after t's.
func (c calendar) after(t time.Time, n int) time.Time { return c.date(t.Year(), t.Month(), t.Day()+n) }

// day returns the day n days from today.
func (c calendar) day(n int) period { return period{c.after(c.now, n), c.after(c.now, n+1)} }

// week returns the week n weeks from this one.
func (c calendar) week(n int) period {
	monday := -(int(c.now.Weekday())+6)%7 + 7*n
	return period{c.after(c.now, monday), c.after(c.now, monday+7)}
}

// month returns the month n months from this one.
func (c calendar) month(n int) period { return c.monthOf(c.now.Year(), c.now.Month()+time.Month(n)) }

func (c calendar) monthOf(y int, m time.Month) period {
	return period{c.date(y, m, 1), c.date(y, m+1, 1)}
}

// year returns the year n years from this one.
func (c calendar) year(n int) period { return c.yearOf(c.now.Year() + n) }

func (c calendar) yearOf(y int) period { return period{c.date(y, 1, 1), c.date(y+1, 1, 1)} }

// dayOf returns a day of the calendar, or false if there is no such day.
func (c calendar) dayOf(y int, m time.Month, d int) (period, bool) {
	t := c.date(y, m, d)
	return period{t, c.date(y, m, d+1)}, m >= 1 && m <= 12 && d >= 1 && t.Month() == m && t.Day() == d
}

// begun returns the last month of that name that has begun.
func (c calendar) begun(m time.Month) period {
	y := c.now.Year()
	if m > c.now.Month() {
		y--
	}
	return c.monthOf(y, m)
}

// ended returns the last month of that name before this month.
func (c calendar) ended(m time.Month) period {
	y := c.now.Year()
	if m >= c.now.Month() {
		y--
	}
	return c.monthOf(y, m)
}

// dayOfAnyYear returns the last such day that has begun. 29 February is searched in
// leap years.
func (c calendar) dayOfAnyYear(m time.Month, d int) (p period, ok bool) {
	for y := c.now.Year(); y > c.now.Year()-9; y-- {
		if p, ok = c.dayOf(y, m, d); ok && !p.from.After(c.now) {
			return p, true
		}
	}
	return p, false
}

// weekday returns the last such day, including today if today is set.
func (c calendar) weekday(w time.Weekday, today bool) period {
	back := (int(c.now.Weekday()) - int(w) + 7) % 7
	if back == 0 && !today {
		back = 7
	}
	return c.day(-back)
}

// inWeek returns a day of the week n weeks from this one.
func (c calendar) inWeek(n int, w time.Weekday) period {
	monday := c.week(n).from
	d := (int(w) + 6) % 7
	return period{c.after(monday, d), c.after(monday, d+1)}
}

// weekend returns Saturday and Sunday of the week n weeks from this one.
func (c calendar) weekend(n int) period {
	return period{c.inWeek(n, time.Saturday).from, c.week(n).to}
}

// hours returns a part of a day; an end past 24 is in the next day.
func (c calendar) hours(day time.Time, h [2]int) period {
	at := func(h int) time.Time {
		return time.Date(day.Year(), day.Month(), day.Day(), h, 0, 0, 0, day.Location())
	}
	return period{at(h[0]), at(h[1])}
}

// ago returns the time lo to hi units back, in whole days, weeks, months or years. For
// hours it adds half an hour on both sides.
func (c calendar) ago(unit string, lo, hi int) (period, bool) {
	switch unit {
	case "hour":
		half := 30 * time.Minute
		return period{c.now.Add(-time.Duration(hi)*time.Hour - half), c.now.Add(-time.Duration(lo)*time.Hour + half)}, true
	case "day":
		return period{c.day(-hi).from, c.day(-lo).to}, true
	case "week":
		return period{c.week(-hi).from, c.week(-lo).to}, true
	case "month":
		return period{c.month(-hi).from, c.month(-lo).to}, true
	case "year":
		return period{c.year(-hi).from, c.year(-lo).to}, true
	}
	return period{}, false
}

// past returns the time from n units back until the end of today.
func (c calendar) past(unit string, n int) (period, bool) {
	to, today := c.day(0).to, c.day(0).from
	switch unit {
	case "hour":
		return period{c.now.Add(-time.Duration(n) * time.Hour), to}, true
	case "day":
		return period{c.after(today, -n), to}, true
	case "week":
		return period{c.after(today, -7*n), to}, true
	case "month":
		first := c.month(-n).from
		last := c.date(first.Year(), first.Month()+1, 0).Day()
		return period{c.date(first.Year(), first.Month(), min(today.Day(), last)), to}, true
	case "year":
		return period{c.date(today.Year()-n, today.Month(), today.Day()), to}, true
	}
	return period{}, false
}

// dayParts maps the parts of a day to their hours.
var dayParts = map[string][2]int{
	"morning": {4, 12}, "afternoon": {12, 18}, "evening": {17, 24}, "night": {18, 29},
	"凌晨": {0, 6}, "早上": {4, 12}, "早晨": {4, 12}, "上午": {4, 12}, "中午": {11, 14}, "下午": {12, 18},
	"傍晚": {16, 20}, "晚上": {17, 29}, "夜里": {18, 29}, "晚": {17, 29}, "夜": {18, 29}, "早": {4, 12},
}

// LazyRegexp returns a function that compiles a regular expression at its first call, so
// that the program starts fast.
func LazyRegexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var (
	dayPart = LazyRegexp(`^(?: +(?:in +the +|at +)?(morning|afternoon|evening|night)\b|的?(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里))`)
	// leading matches the words before a time that belong to it.
	leading = LazyRegexp(`(?:(?:^|[^a-z0-9_'])(?:sometime +)?(since|after|before|until|till|by|up to|from|between|` +
		`on|in|during|at|of|for|around|throughout) +(?:the +)?|(从|自从|自|在) *|(?:^|[^a-z0-9_'])(the) +)$`)
	// trailing matches the words after a time that belong to it.
	trailing  = LazyRegexp(`^(?:'s\b|(?: *(以来|起|开始|之后|以后|之前|以前|为止))?(?:的|,|，)?)`)
	rangeTail = LazyRegexp(`^(?: *(?:之间|期间|为止))?(?:的|,|，)?`)
)

var dateRules = sync.OnceValue(func() []dateRule { return readRules(datesAnywhere, englishDates, chineseDates) })

func readRules(lists ...[]dateForm) []dateRule {
	var all []dateRule
	for _, rules := range lists {
		for _, r := range rules {
			form := datePlaceholders.Replace(r.form)
			all = append(all, dateRule{
				form: regexp.MustCompile(form), read: r.read, weak: r.weak, yearless: r.yearless, notAfter: r.notAfter,
			})
		}
	}
	return all
}

// dateForm is the source form of a dateRule. Its form may use the names of
// datePlaceholders.
type dateForm struct {
	form           string
	read           func(c calendar, parts []string) (period, bool)
	weak, yearless bool
	notAfter       string
}

var datePlaceholders = strings.NewReplacer(
	"MONTH", `(january|february|march|april|may|june|july|august|september|october|november|december)`,
	"MON", `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|`+
		`aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`,
	"WEEKDAY", `(monday|tuesday|wednesday|thursday|friday|saturday|sunday)`,
	"YEAR", `((?:19|20)[0-9]{2})`,
	"COUNT", `([0-9]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:a +)?couple(?: +of)?|(?:a +)?few|several)`,
	"UNIT", `(hour|day|week|month|year)s?`,
	"ORD", `([0-9]{1,2})(?:st|nd|rd|th)?`,
	"年份", `((?:19|20)[0-9]{2}|[零〇一二三四五六七八九]{4})年`,
	"数", `([0-9]{1,3}|[一二两三四五六七八九十]{1,3})`,
	"量", `([0-9]{1,3}|[一二两三四五六七八九十]{1,3}|几)`,
	"周", `(?:周|星期|礼拜)`,
)

// datesAnywhere are written with digits only.
var datesAnywhere = []dateForm{
	{form: `YEAR-([0-9]{1,2})-([0-9]{1,2})`, read: isoDay},
	{form: `YEAR/([0-9]{1,2})/([0-9]{1,2})`, read: isoDay},
	{form: `YEAR\.([0-9]{1,2})\.([0-9]{1,2})`, read: isoDay},
	{form: `YEAR[-/](0[1-9]|1[0-2])`, read: func(c calendar, p []string) (period, bool) {
		return c.monthOf(number(p[1]), time.Month(number(p[2]))), true
	}},
	{form: `YEAR`, weak: true, read: func(c calendar, p []string) (period, bool) { return c.yearOf(number(p[1])), true }},
}

func isoDay(c calendar, p []string) (period, bool) {
	return c.dayOf(number(p[1]), time.Month(number(p[2])), number(p[3]))
}

// number reads ASCII digits; the forms match nothing else.
func number(s string) (n int) {
	for _, r := range s {
		n = 10*n + int(r-'0')
	}
	return n
}
