package text

import (
	"strings"
	"time"
)

const chineseDigits = "零一二三四五六七八九"

// chineseCount reads digits or a Chinese number below a hundred; 0 for anything else.
func chineseCount(s string) int {
	if s == "" || s[0] < 0x80 {
		return number(s)
	}
	digit := func(s string) int {
		if s == "两" {
			return 2
		}
		if i := strings.Index(chineseDigits, s); i >= 0 && len(s) == len("一") {
			return i / len("一")
		}
		return 0
	}
	tens, ones, has := strings.Cut(s, "十")
	if !has {
		return digit(s)
	}
	if strings.Contains(ones, "十") || tens != "" && digit(tens) == 0 || ones != "" && digit(ones) == 0 {
		return 0
	}
	n := 10
	if tens != "" {
		n = 10 * digit(tens)
	}
	if ones != "" {
		n += digit(ones)
	}
	return n
}

// chineseYear reads 2025 or 二〇二五.
func chineseYear(s string) (y int) {
	if s[0] < 0x80 {
		return number(s)
	}
	for _, r := range strings.ReplaceAll(s, "〇", "零") {
		y = 10*y + strings.IndexRune(chineseDigits, r)/len("一")
	}
	return y
}

// howFar maps words for this and previous ones to offsets.
var howFar = map[string]int{
	"这": 0, "本": 0, "上": -1, "上上": -2, "今": 0, "去": -1, "前": -2, "大前": -3,
}

var chineseUnits = map[string]string{
	"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "个月": "month", "月": "month", "年": "year",
	"小时": "hour", "钟头": "hour",
}

func chineseWeekday(s string) time.Weekday {
	switch s {
	case "日", "天", "7":
		return time.Sunday
	}
	return time.Weekday(chineseCount(s))
}

// inYear returns a year, or a month or day in it.
func inYear(c calendar, y int, month, day string) (period, bool) {
	m, d := time.Month(chineseCount(month)), chineseCount(day)
	switch {
	case month == "":
		return c.yearOf(y), true
	case m < 1 || m > 12:
		return period{}, false
	case day == "":
		return c.monthOf(y, m), true
	}
	return c.dayOf(y, m, d)
}

func chineseAgo(c calendar, count, unit string) (period, bool) {
	if count == "几" {
		return c.ago(chineseUnits[unit], fewLow, fewHigh)
	}
	n := chineseCount(count)
	p, ok := c.ago(chineseUnits[unit], n, n)
	return p, ok && n > 0
}

func chinesePast(c calendar, count, unit string) (period, bool) {
	n := fewHigh
	if count != "几" {
		n = chineseCount(count)
	}
	p, ok := c.past(chineseUnits[unit], n)
	return p, ok && n > 0
}

var chineseDates = []dateForm{
	{form: `(大前|前|昨|今)(?:天|日)`, notAfter: "大", read: func(c calendar, p []string) (period, bool) {
		return c.day(map[string]int{"今": 0, "昨": -1, "前": -2, "大前": -3}[p[1]]), true
	}},
	{form: `(昨|今|前)(早|晚|夜)`, notAfter: "大", read: func(c calendar, p []string) (period, bool) {
		day := c.day(map[string]int{"今": 0, "昨": -1, "前": -2}[p[1]]).from
		return c.hours(day, dayParts[p[2]]), true
	}},
	{form: `(上上|上|这|本)(?:个)?周([一二三四五六日天1-7]|末)?`, notAfter: "早晚", read: func(c calendar, p []string) (period, bool) {
		n := howFar[p[1]]
		switch p[2] {
		case "":
			return c.week(n), true
		case "末":
			return c.weekend(n), true
		}
		return c.inWeek(n, chineseWeekday(p[2])), true
	}},
	{form: `周([一二三四五六日天])`, notAfter: "一二两三四五六七八九十0123456789几每上这本下个半周", read: func(c calendar, p []string) (period, bool) {
		return c.weekday(chineseWeekday(p[1]), true), true
	}},
	{form: `(上上|上|这|本)(?:个)?月份?(?:的?数[日号])?`, notAfter: "早晚以", read: func(c calendar, p []string) (period, bool) {
		m := c.month(howFar[p[1]])
		if p[2] == "" {
			return m, true
		}
		return c.dayOf(m.from.Year(), m.from.Month(), chineseCount(p[2]))
	}},
	{form: `(今|去|大前|前)年的?(?:数月份?(?:数[日号])?)?`, notAfter: "大以之的", read: func(c calendar, p []string) (period, bool) {
		return inYear(c, c.now.Year()+howFar[p[1]], p[2], p[3])
	}},
	{form: `年份的?(?:数月份?(?:数[日号])?)?`, read: func(c calendar, p []string) (period, bool) {
		return inYear(c, chineseYear(p[1]), p[2], p[3])
	}},
	{form: `数月数[日号]`, yearless: true, read: func(c calendar, p []string) (period, bool) {
		return c.dayOfAnyYear(time.Month(chineseCount(p[1])), chineseCount(p[2]))
	}},
	{form: `数月份?`, yearless: true, notAfter: "一二两三四五六七八九十几", read: func(c calendar, p []string) (period, bool) {
		m := time.Month(chineseCount(p[1]))
		return c.begun(m), m >= 1 && m <= 12
	}},
	{form: `量(天|日|周|星期|礼拜|个月|年|个?小时|个?钟头|个周|个星期|个礼拜)(?:之|以)?前`, read: func(c calendar, p []string) (period, bool) {
		return chineseAgo(c, p[1], unitName(p[2]))
	}},
	{form: `半(年|个月)(?:之|以)?前`, read: func(c calendar, p []string) (period, bool) {
		if p[1] == "年" {
			return c.ago("month", 6, 6)
		}
		return c.ago("day", 13, 17)
	}},
	{form: `(?:最近|过去|近|这)的?量(天|日|周|星期|礼拜|个月|年|个?小时|个?钟头|个周|个星期|个礼拜)`, notAfter: "最", read: func(c calendar, p []string) (period, bool) {
		return chinesePast(c, p[1], unitName(p[2]))
	}},
	{form: `(?:最近|过去|近|这)的?半年`, read: func(c calendar, _ []string) (period, bool) { return c.past("month", 6) }},
}

// unitName returns a unit without an optional measure word.
func unitName(s string) string {
	if short := strings.TrimPrefix(s, "个"); short != "月" {
		return short
	}
	return s
}
